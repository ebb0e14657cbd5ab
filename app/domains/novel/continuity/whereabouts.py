"""Who is locked up, unconscious, bound or away, and acts elsewhere without a word of how he got free: a warning, for a
book may leave that out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..model.project import Book, Character
from .finding import ContinuityFinding
from .persons import act_of
from .sentences import StorySentence


class _State(NamedTuple):
    name: str
    begins: re.Pattern[str]
    ends: re.Pattern[str]
    fits: re.Pattern[str]
    """What somebody in this state may do, or where."""
    span: int
    """Chapters it is held against him."""


def _state(name: str, begins: str, ends: str, fits: str, span: int) -> _State:
    patterns = [re.compile(one, re.IGNORECASE) for one in (begins, ends, fits)]
    return _State(name, patterns[0], patterns[1], patterns[2], span)


_STATES = (
    _state(
        "关押",
        "被[^，。]{0,6}(?:关进|关在|关入|押进|押入|投入|囚|锁进|锁在|打入|软禁|捕|抓进|收监|逮捕|带走关)|"
        "下了?大?牢|入了?狱|蹲了?(?:大牢|监狱)|判了.{0,6}年|"
        r"\b(?:was|were|been) (?:locked (?:up|in)|imprisoned|jailed|arrested|thrown into (?:prison|jail|the "
        r"cellar|a cell))|\bin (?:prison|jail) for",
        "放[了出]|释放|逃|出狱|越狱|救|获释|保释|脱身|打开|赦|撬开|出来|还[他她]清白|"
        r"\b(?:released|freed|let (?:him|her|out)|escaped|bail|broke out|got out|unlocked|set free|pardoned)\b",
        "牢|狱|囚|铁窗|栅栏|铁链|审|看守|探监|锁|笼|地窖|押|镣|cell|prison|jail|bars|guard|cellar|locked",
        3,
    ),
    _state(
        "昏迷",
        r"昏迷|不省人事|昏死过去|人事不知|植物人|\b(?:was|lay|fell|in a) (?:unconscious|coma)|\bin a coma\b",
        r"醒|睁开|恢复了?(?:意识|知觉|神志)|清醒|活过来|\b(?:woke|awoke|came to|came round|regained|opened "
        r"(?:his|her) eyes|recovered)\b",
        "躺|床上|呼吸机|昏|梦|lay|lying|bed",
        2,
    ),
    _state(
        "捆绑",
        r"被?(?:反|五花大)?(?:绑|捆|铐|缚)(?:在|着|住|了起来|上了)|手脚被|\b(?:was|were) (?:tied|bound|"
        r"handcuffed|chained) (?:to|up|hand)",
        r"解开|割断|挣[脱开断]|松[开绑]|放开|救|磨断|打开|逃|\b(?:untied|cut (?:him|her|the)|freed|worked (?:his|"
        r"her) hands|slipped|released)\b",
        "绳|绑|捆|椅子上|挣扎|动弹|铐|rope|tied|chair|struggled",
        1,
    ),
    _state(
        "离开",
        "(?:去|回|赴|前往|动身去|出差去|飞往|飞去|飞)了?[一-鿿]{2,4}[^。]{0,12}(?:才回|才能回|不在|还没回|没回来|"
        "未归|才回来)|"
        r"\b(?:left|gone|sailed|set out|had gone|went) (?:for|to) [A-Z]\w+[^.]{0,40}(?:not be back|would be back|"
        r"not return|until|not back)",
        r"回来|归来|赶回|回到|返|提前|到家|\b(?:returned|came back|back from|home again|turned back)\b",
        "信上|电话|来信|在那边|letter|telephone|wrote from",
        1,
    ),
)


_BEGINS = re.compile("|".join(f"(?:{state.begins.pattern})" for state in _STATES), re.IGNORECASE)


def elsewhere(book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    places = {chapter.id: place for place, chapter in enumerate(book.chapters)}
    held: dict[tuple[str, str], StorySentence] = {}
    for sentence in sentences:
        text = sentence.text
        if not held and _BEGINS.search(text) is None:
            continue
        present = (
            [who for who in book.characters if any(name in text for name in who.names)] if sentence.is_plain else []
        )
        for state in _STATES:
            ends = state.ends.search(state.begins.sub("", text).replace("不醒", "")) is not None
            for key in [key for key in held if key[1] == state.name]:
                if ends and (not present or any(who.name == key[0] for who in present) or re.search("[他她]", text)):
                    held.pop(key)
            for who in present:
                key = (who.name, state.name)
                if (begin := state.begins.search(text)) is not None and not ends and not sentence.denied:
                    if _is_held(who, text, begin.start()):
                        held.setdefault(key, sentence)
                elif key in held and (act := act_of(who, sentence)) is not None and not state.fits.search(text):
                    since = held.pop(key)
                    if (
                        places[sentence.chapter.id] - places[since.chapter.id] <= state.span
                        and sentence.chapter.id in wanted
                    ):
                        yield ContinuityFinding(
                            "N03",
                            "warn",
                            sentence.chapter.id,
                            act,
                            sentence.end,
                            sentence.quote(),
                            who.name,
                            state.name,
                            "",
                            since.chapter.id,
                            since.quote(),
                            {"attribute": "elsewhere"},
                        )


def _is_held(who: Character, text: str, place: int) -> bool:
    """The person stands before the words, and nobody else nearer."""
    return any(0 <= text.find(name) < place or text[:place].rstrip().endswith(("把", "将")) for name in who.names)
