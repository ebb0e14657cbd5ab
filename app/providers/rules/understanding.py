"""From a question and the ones before it to an intent and its slots.

Order: the intents marked `first`, a change to the last question ("改成4天"), the intents in the order of the book,
a follow-up ("那上海呢"), the weak intents, and nothing: beyond the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from .book import Intent, Language, RuleBook
from .extract import Slots, Surroundings, read_slots
from .filling import fill
from .places import Gazetteer
from .text import contains, first_of, is_chinese, normalise

LOOK_BACK = 12
"""Earlier questions that are remembered."""
SHORT = 40
"""Characters of a question that may be a follow-up."""
BOUND_TO_CITY = (
    "must_see",
    "avoid",
    "from",
    "to",
    "cities",
    "several_cities",
    "two_cities",
    "three_cities",
    "many_cities",
    "region",
)
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
    topic: Intent | None = None
    """What a follow-up goes back to: the last intent that was more than a remark in passing."""
    memory: Mapping[str, Any] = field(default_factory=dict)
    """The slots of earlier questions whose intent says `keeps`, under that name."""
    own: Mapping[str, Any] = field(default_factory=dict)
    """What this question itself says."""

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(slot for slot in self.intent.needs if slot not in self.slots) if self.intent else ()


class Reader:
    """Understands questions by one rule book."""

    def __init__(self, book: RuleBook, places: Gazetteer) -> None:
        self._book, self._places = book, places

    def understand(
        self, question: str, earlier: Sequence[str], today: date, recalled: Sequence[Mapping[str, Any]] = ()
    ) -> Understanding:
        """`recalled`: for each earlier question, then for this one, what was remembered of results by then."""
        understood, around = Understanding("", "zh"), Surroundings(self._places, today)
        every = (*earlier, question)
        known = (*recalled, *({} for _ in every[len(recalled) :]))
        for one, memory in list(zip(every, known, strict=True))[-LOOK_BACK - 1 :]:
            understood = self._next(one, understood, around, memory)
        return understood

    def _next(
        self, question: str, before: Understanding, around: Surroundings, recalled: Mapping[str, Any]
    ) -> Understanding:
        text = normalise(question)
        language = _language(question, before)
        own = read_slots(text, self._book.slots, around)
        memory = {**before.memory, **recalled}
        intent, said = self._choose(text, own, before, memory)
        if intent is None:
            kept = {**_kept(before.said, own, self._book.inherit), **own}
            return Understanding(
                question, language, None, kept, said=kept, topic=before.topic, memory=before.memory, own=own
            )
        assumed = {name: value for name, value in intent.defaults.items() if name not in said}
        slots = {**memory, **assumed, **said}
        slots.update({name: value for name, raw in intent.lets.items() if (value := fill(raw, slots, {})) is not None})
        topic = before.topic if intent.passing else intent
        remembered = self._remembered(before, intent, slots, language)
        said = {name: value for name, value in said.items() if name not in intent.drops}
        return Understanding(question, language, intent, slots, assumed, said, topic, remembered, own)

    def _remembered(self, before: Understanding, intent: Intent, slots: Slots, language: Language) -> Mapping[str, Any]:
        if not intent.keeps or any(slot not in slots for slot in intent.needs):
            return before.memory
        place = self._places.city(str(slots.get("city") or ""))
        name = {"city_name": place.name(language == "zh")} if place else {}
        own = {key: value for key, value in slots.items() if key not in before.memory}
        return {**before.memory, intent.keeps: {**own, **name}}

    def _choose(
        self, text: str, own: Slots, before: Understanding, memory: Mapping[str, Any]
    ) -> tuple[Intent | None, Slots]:
        everything = {**_kept(before.said, own, tuple(before.said)), **own}
        inherited = {**_kept(before.said, own, self._book.inherit), **own}
        may_follow = before.topic is not None and bool(own) and len(text) <= SHORT
        here = {**memory, **own}
        if edit := self._first(text, here, weak=False, first=True):
            return edit, inherited
        if may_follow and first_of(text, self._book.change_words):
            return before.topic, everything
        if strong := self._first(text, here, weak=False):
            return strong, inherited
        if may_follow and first_of(text, self._book.follow_words):
            return before.topic, everything
        return self._first(text, here, weak=True), inherited

    def _first(self, text: str, own: Slots, *, weak: bool, first: bool = False) -> Intent | None:
        fitting = (i for i in self._book.intents if i.weak is weak and i.first is first)
        return next((i for i in fitting if _fits(i, text, own)), None)


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
