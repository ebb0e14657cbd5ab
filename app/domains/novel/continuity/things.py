"""What a sentence states of things and places: where they lie, what they are made of, their colour."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from . import english, traits
from .sentences import StorySentence, told_clauses
from .statements import CHANGES, COLOURS, SAME_COLOUR, StoryStatement

_OTHER = re.compile("另一|又一|仿|赝|假的|复制|同样的|一模一样|新的|新买|残片|碎片|断片|灰烬|半[块截]")
_MADE = re.compile(
    "(?:是|乃|用|由)?(?P<v>纯金|黄金|白银|青铜|黄铜|精铁|玄铁|白玉|青玉|碧玉|墨玉|翡翠|檀木|桃木|象牙|琉璃|金|银|"
    "铜|铁|玉|木|竹|石)(?:的|制|质|打造|打成|打的|做的|铸成|铸的|雕成|雕的)"
)
_PLACE_WORD = re.compile(
    "(?:在|位于|坐落在|坐落于|开在|建在|就在)(?P<u>城|镇|村|街|河|湖|"
    "山)?的?(?P<v>[东南西北])(?:边|面|侧|郊|门|头|街|市|城|岸|麓|坡|山|大街)?"
)


def of_places(sentence: StorySentence, before: str) -> Iterator[StoryStatement]:
    """`before`: the sentence in front of it."""
    changed = CHANGES.search(sentence.text) is not None
    for subject, attribute, value in traits.places(sentence.text, before):
        yield StoryStatement(subject, attribute, value, sentence, sentence.start, changed)


def of_things(sentence: StorySentence, names: dict[str, str]) -> Iterator[StoryStatement]:
    if (match := english.PLACED.search(sentence.text)) is not None:
        changed = english.CHANGES.search(sentence.text) is not None
        yield StoryStatement(match["v"], "方位", match["d"], sentence, sentence.start, changed)
    changed = CHANGES.search(sentence.text) is not None
    for start, clause in told_clauses(sentence):
        for name, card in names.items():
            place = clause.find(name)
            if place < 0:
                continue
            rest = clause[place + len(name) :]
            if match := _PLACE_WORD.search(rest[:16]):
                yield StoryStatement(card, f"方位{match['u'] or ''}", match["v"], sentence, start, changed)
            if (match := _MADE.search(rest[:12])) and not rest.startswith(("的", "里", "旁", "边")):
                yield StoryStatement(card, "质地", match["v"], sentence, start, changed)
            if (match := re.search(rf"(?P<v>{COLOURS})色?的?$", clause[:place])) or (
                match := re.match(rf"(?:通体|浑身|是|通身)+(?P<v>{COLOURS})色?", rest)
            ):
                yield StoryStatement(card, "颜色", SAME_COLOUR.get(match["v"], match["v"]), sentence, start, changed)


_PLACED = re.compile(
    "(?:^|[，。；\n\u3000 ])(?P<v>[一-鿿]{2,6}?)(?:就|便|原来|一直|静静地|孤零零地)*(?:建在|位于|坐落[在于]|"
    "开在|立在|在(?=[城镇村街河湖山][东南西北]|[东南西北][市城街门岸郊坡]))"
)


def placed(sentence: StorySentence, known: Mapping[str, str]) -> dict[str, str]:
    """Places without a card of which the sentence tells where they lie."""
    things = {match["v"]: match["v"] for match in _PLACED.finditer(sentence.text)}
    return {name: name for name in things if not any(name in one or one in name for one in known)}


def is_another(name: str, text: str) -> bool:
    return bool(_OTHER.search(text) or english.OTHER.search(text) or f"备用{name}" in text or f"备用的{name}" in text)
