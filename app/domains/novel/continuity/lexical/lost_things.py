"""A thing that was destroyed or lost for good, and is used again (`data/lost_things.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from app.core.resources import domain_dir

from .clauses import StoryClause
from .english_values import english_things

_KINDS = ("tool", "dress", "vehicle", "furniture")
_OTHER_ONE = re.compile(
    "另|新|又一|别的|仿|假的|备用|借|买|配|画|梦|一模一样|同样|几|许多|"
    r"\b(?:another|other|new|second|spare|copy|cheap|like|such|"
    r"neighbou?r\w*|pieces|ashes|bought|borrowed|every|each|no|any|"
    r"two|three|painted|drawing|dream\w*)\b",
    re.IGNORECASE,
)
_NOT_GONE = re.compile(
    "(?:差点|险些|几乎|没有?|不|别|要|想|会|如果|怕|免得|快|从|向|朝)[^，]{0,6}$|"
    r"\b(?:not|\w+n['’]t|never|nearly|almost|would|could|if|might|to|going to|have|someone|had once)\b[^.,;]{0,16}$",
    re.IGNORECASE,
)
_MODIFIED = re.compile(r"(?P<v>(?:[a-z-]+ ){0,2})$", re.IGNORECASE)
_NO_MODIFIER = frozenset(
    "s the a an his her my their our its this that of in on with and it was from to old for at into".split()
)


_FOR_EVER = re.compile(
    "(?:再也|怎么也|哪里还|都|是)[^，。]{0,3}(?:不|没)[^，。]{0,2}[捞找寻拾捡修补][^，。]{0,3}|[捞找寻拾捡修补]不[^，。]{1,3}"
)
"""再也捞不上来: it does not come back."""


class _Words(NamedTuple):
    gone: re.Pattern[str]
    back: re.Pattern[str]
    use: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class ThingMention:
    thing: str
    modifier: str
    owner: str
    clause: StoryClause

    @property
    def shown(self) -> str:
        return f"{self.modifier} {self.thing}".strip() if self.thing.isascii() else self.modifier + self.thing


@cache
def _words(language: str) -> _Words:
    rows = tomllib.loads((domain_dir("novel") / "data" / "lost_things.toml").read_text("utf-8"))[language]
    if language == "en":
        return _Words(*(re.compile(rf"\b(?:{rows[one]})\b", re.IGNORECASE) for one in _Words._fields))
    return _Words(*(re.compile("|".join(sorted(rows[one].split(), key=len, reverse=True))) for one in _Words._fields))


class LostThings:
    """Those of a book so far."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._lost: dict[str, ThingMention] = {}
        self._named: list[ThingMention] = []

    def used_again(self, clause: StoryClause) -> Iterator[tuple[ThingMention, ThingMention]]:
        """Each use of a thing that is lost, with the mention by which it was lost."""
        words, text = _words(self._language), clause.text
        mentions = list(self._mentions(clause))
        if words.back.search(_FOR_EVER.sub("", clause.sentence.text)):
            for one in mentions or self._named:
                self._lost.pop(one.thing, None)
            self._named = mentions or self._named
            return
        named_now = mentions or [one for one in self._named if one.clause.sentence is clause.sentence]
        gone = words.gone.search(text) if clause.told else None
        if gone is not None and _NOT_GONE.search(text[: gone.start()]) is None:
            for one in named_now[-1:]:
                if _OTHER_ONE.search(one.clause.text) is None:
                    self._lost.setdefault(one.thing, one)
        elif clause.told and words.use.search(text) and _OTHER_ONE.search(text) is None:
            for one in mentions:
                lost = self._lost.get(one.thing)
                if lost is not None and lost.clause.sentence is not clause.sentence and _is_same(lost, one):
                    yield lost, one
        self._named = mentions or self._named

    def _mentions(self, clause: StoryClause) -> Iterator[ThingMention]:
        if self._language == "en":
            for start, noun in english_things(clause.text):
                modified = _MODIFIED.search(clause.text[:start])
                modifiers = (
                    [word for word in modified["v"].lower().split() if word not in _NO_MODIFIER] if modified else []
                )
                yield ThingMention(noun, modifiers[-1] if modifiers else "", clause.owner(start), clause)
            return
        for at, word in enumerate(clause.words):
            sense = word.sense("noun", *_KINDS)
            if sense is None:
                continue
            before = clause.words[at - 1] if at else None
            close = before is not None and word.start - before.end <= 1 and before.sense("value") is not None
            modifier = clause.text[before.start : before.end] if before is not None and close else ""
            modifier = modifier or _long(clause.text[word.start : word.end], sense.word)
            yield ThingMention(sense.word, modifier, clause.owner(word.start), clause)


def _long(written: str, meaning: str) -> str:
    """搪瓷缸 says more than 杯: as good as a word before it."""
    return written if len(written) > 2 and written != meaning else ""


def _is_same(lost: ThingMention, used: ThingMention) -> bool:
    """In Chinese by the same word before it, for a lamp or a coat is like any other; in English by its owner too."""
    if lost.modifier and used.modifier:
        return lost.modifier == used.modifier
    return lost.thing.isascii() and lost.owner != "" and lost.owner == used.owner
