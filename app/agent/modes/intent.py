"""What a question asks for, by its words: local, bilingual, the same every time (agents.md 1.4).

The words are one table, `core.run.mode_words`: a person can see why Auto chose a mode, and change them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from app.core.run.mode_words import ModeWords

GREETINGS = ("你好", "您好", "在吗", "嗨", "早上好", "晚上好", "hi", "hello", "hey")
_CHINESE_DIGITS = "零一二两三四五六七八九十"
Reason = Literal["greeting", "planning_words", "day_count", "lookup_words", "direct_words", "default"]


@dataclass(frozen=True, slots=True)
class ChosenMode:
    mode: str
    reason: Reason
    matched: tuple[str, ...] = ()


def choose_mode(text: str, default: str = "react", words: ModeWords = ModeWords()) -> ChosenMode:  # noqa: B008  frozen
    """Greetings are set aside first, so that a greeting before a request does not hide it."""
    question = text.casefold()
    planning = _found(question, words.plan)
    counts = counts_in(question, words.units)
    if planning or counts:
        return ChosenMode("plan", "planning_words" if planning else "day_count", (*planning, *counts))
    if lookups := _found(question, words.react):
        return ChosenMode("react", "lookup_words", lookups)
    if direct := _found(question, words.direct):
        return ChosenMode("direct", "direct_words", direct)
    greetings = _found(question, GREETINGS)
    if greetings and not _rest(question, greetings):
        return ChosenMode("direct", "greeting", greetings)
    return ChosenMode(default if default != "auto" else "react", "default")


def intent_of(text: str, words: ModeWords = ModeWords()) -> str:  # noqa: B008  frozen
    """A code for the understanding phase: plan, lookup, greeting or question."""
    reason = choose_mode(text, words=words).reason
    codes = {"planning_words": "plan", "day_count": "plan", "lookup_words": "lookup", "greeting": "greeting"}
    return codes.get(reason, "question")


def counts_in(text: str, units: Iterable[str]) -> tuple[str, ...]:
    """`3天`, `三日`, `5 days`: a number directly before one of the units."""
    found: list[str] = []
    for unit in units:
        place = text.find(unit)
        while place >= 0:
            number = _number_before(text, place)
            after = text[place + len(unit) :]
            is_plural = unit.isascii() and after.startswith("s")
            if number and not is_plural and _is_count(text, place, number):
                found.append(number + unit)
            place = text.find(unit, place + 1)
    return tuple(dict.fromkeys(found))


def _number_before(text: str, end: int) -> str:
    """The number that ends at `end`, with at most one space or hyphen between."""
    stop = end
    if stop and text[stop - 1] in " -":
        stop -= 1
    start = stop
    while start and (text[start - 1].isdecimal() or text[start - 1] in _CHINESE_DIGITS):
        start -= 1
    return text[start:end]


def _is_count(text: str, place: int, number: str) -> bool:
    """Not a date (5月3日) and not a place in a row (第3天)."""
    before = text[: place - len(number)]
    is_date = text[place] == "日" and before.endswith("月")
    return bool(number.strip(" -")) and not is_date and not before.endswith("第")


def _found(text: str, words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if _has(text, word))


def _has(text: str, word: str) -> bool:
    """Containment for Chinese, whole words for Latin ones."""
    if not word.isascii():
        return word in text
    place = text.find(word)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(word) : place + len(word) + 1]
        if not _is_latin(before) and not _is_latin(after):
            return True
        place = text.find(word, place + 1)
    return False


def _is_latin(char: str) -> bool:
    return bool(char) and char.isascii() and char.isalnum()


def _rest(text: str, greetings: tuple[str, ...]) -> str:
    """What is left without greetings, punctuation, emoji and small particles."""
    for word in greetings:
        text = text.replace(word, " ")
    letters = [char for char in text if unicodedata.category(char)[0] in "LN"]
    return "".join(letters).strip("呀啊哦吖哈")
