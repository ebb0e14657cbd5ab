"""From a question and the ones before it to an intent and its slots.

Order: a change to the last question ("改成4天"), the intents in the order of the book, a
follow-up ("那上海呢"), the weak intents, and nothing: beyond the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from .book import Intent, Language, RuleBook
from .extract import Slots, Surroundings, read_slots
from .places import Gazetteer
from .text import contains, first_of, is_chinese, normalise

LOOK_BACK = 12
"""Earlier questions that are remembered."""
SHORT = 40
"""Characters of a question that may be a follow-up."""
BOUND_TO_CITY = ("must_see", "avoid", "from", "to", "cities", "several_cities", "region")
"""What is forgotten when the city changes."""


@dataclass(frozen=True, slots=True)
class Understanding:
    question: str
    language: Language
    intent: Intent | None = None
    slots: Mapping[str, Any] = field(default_factory=dict)
    """What the question says, what earlier ones said, and the defaults."""
    assumed: Mapping[str, Any] = field(default_factory=dict)
    """The defaults that were used."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """What was said, without the defaults."""

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(slot for slot in self.intent.needs if slot not in self.slots) if self.intent else ()


class Reader:
    """Understands questions by one rule book."""

    def __init__(self, book: RuleBook, places: Gazetteer) -> None:
        self._book, self._places = book, places

    def understand(self, question: str, earlier: Sequence[str], today: date) -> Understanding:
        understood = Understanding("", "zh")
        for one in (*earlier[-LOOK_BACK:], question):
            understood = self._next(one, understood, Surroundings(self._places, today))
        return understood

    def _next(self, question: str, before: Understanding, around: Surroundings) -> Understanding:
        text = normalise(question)
        language = _language(question, before)
        own = read_slots(text, self._book.slots, around)
        intent, said = self._choose(text, own, before)
        if intent is None:
            kept = {**_kept(before.said, own, self._book.inherit), **own}
            return Understanding(question, language, None, kept, said=kept)
        assumed = {name: value for name, value in intent.defaults.items() if name not in said}
        return Understanding(question, language, intent, {**assumed, **said}, assumed, said)

    def _choose(self, text: str, own: Slots, before: Understanding) -> tuple[Intent | None, Slots]:
        everything = {**_kept(before.said, own, tuple(before.said)), **own}
        inherited = {**_kept(before.said, own, self._book.inherit), **own}
        may_follow = before.intent is not None and bool(own) and len(text) <= SHORT
        if may_follow and first_of(text, self._book.change_words):
            return before.intent, everything
        if strong := self._first(text, own, weak=False):
            return strong, inherited
        if may_follow and first_of(text, self._book.follow_words):
            return before.intent, everything
        return self._first(text, own, weak=True), inherited

    def _first(self, text: str, own: Slots, *, weak: bool) -> Intent | None:
        return next((i for i in self._book.intents if i.weak is weak and _fits(i, text, own)), None)


def _fits(intent: Intent, text: str, own: Slots) -> bool:
    return (
        (not intent.words or first_of(text, intent.words) is not None)
        and all(first_of(text, group) for group in intent.also)
        and not any(contains(text, word) for word in intent.unless)
        and all(slot in own for slot in intent.has)
        and not any(slot in own for slot in intent.lacks)
    )


def _kept(said: Mapping[str, Any], own: Slots, names: Sequence[str]) -> Slots:
    """What of earlier questions still holds."""
    new_city = "city" in own and own["city"] != said.get("city")
    return {name: value for name, value in said.items() if name in names and not (new_city and name in BOUND_TO_CITY)}


def _language(question: str, before: Understanding) -> Language:
    if is_chinese(question):
        return "zh"
    latin = any("a" <= char <= "z" for char in question.casefold())
    return "en" if latin or not before.question else before.language
