"""From a question and the ones before it to an intent and its slots.

Order: the intents marked `first`, a change to the last question ("改成4天"), the intents in the order of the book,
a follow-up ("那…呢"), the weak intents, and nothing: beyond the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from math import prod
from typing import Any

from app.core.reading.text import contains, first_of, is_chinese, normalise
from app.core.slots import Names, Slots, Surroundings
from app.core.text.i18n import language_of, speaks_chinese

from .correction import corrected, taken_back
from .extract import plain_words, read_slots
from .filling import fill
from .intents import Intent, RuleBook
from .picking import named as picked
from .withdrawal import withdrawn

LOOK_BACK = 12
"""Earlier questions that are remembered."""
SHORT, SHORT_LATIN = 40, 80
"""Characters of a question that may be a follow-up, in Chinese and in Latin letters."""
CONTINUED, UNDONE = "continued", "undone"
"""Slots of the engine: the question goes on with what is kept; it takes back the last change of it."""
HISTORY = 4
"""Changes that can be taken back."""
MORE = "_more"
"""How the slot of a number ends that is reckoned from the one before."""


@dataclass(frozen=True, slots=True)
class Understanding:
    question: str
    language: str
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
    carried: Mapping[str, Any] = field(default_factory=dict)
    """What questions after this one start from."""
    turns: Mapping[str, int] = field(default_factory=dict)
    """The question that said each slot, counted from 1."""
    missing: tuple[str, ...] = ()
    """Slots that the person was asked for."""
    last: Intent | None = None
    """The intent of this question, for the next one."""
    history: tuple[Mapping[str, Any], ...] = ()
    """What was carried and remembered before each change of what is kept, the newest last."""


class Reader:
    """Understands questions by one rule book."""

    def __init__(self, book: RuleBook, names: Names) -> None:
        self._book, self._names = book, names

    def understand(
        self,
        question: str,
        earlier: Sequence[str],
        today: date,
        recalled: Sequence[Mapping[str, Any]] = (),
        known: Sequence[Understanding | None] = (),
    ) -> Understanding:
        """`recalled`: for each earlier question, then for this one, what was remembered of results by then; `known`:
        how an earlier question was understood when it was asked: those before it are not read again."""
        around, every = Surroundings(self._names, today), (*earlier, question)
        tables = (*recalled, *({} for _ in every[len(recalled) :]))
        start, understood = next(
            ((n + 1, one) for n, one in reversed(list(enumerate(known[: len(earlier)]))) if one is not None),
            (max(0, len(earlier) - LOOK_BACK), Understanding("", "zh")),
        )
        for n in range(start, len(every)):
            surroundings = replace(
                around, question=every[n], known={**understood.memory, **understood.slots, **understood.carried}
            )
            understood = self._next(every[n], n + 1, understood, surroundings, tables[n])
        return understood

    def _next(
        self, question: str, turn: int, before: Understanding, around: Surroundings, recalled: Mapping[str, Any]
    ) -> Understanding:
        memory = {**before.memory, **recalled}
        names = memory.get(self._book.pick.source)
        text = normalise(question)
        if isinstance(names, list):
            text = picked(text, self._book.pick, [normalise(str(name)) for name in names])
        language = _language(question, before)
        gone, left = withdrawn(text, self._book.withdraw, before.carried)
        takes_back, text, before = bool(gone) or left != text, left, _without(before, gone)
        undone = self._undone(text, before)
        if undone is not None:
            before, memory, around = undone, {**undone.memory, **recalled}, replace(around, known=undone.carried)
        own = self._own("" if undone else text, before, memory, around)
        if undone:
            own[UNDONE] = True
        slot, values = corrected(text, self._book, before.slots)
        own |= values
        takes_back = takes_back or slot in own
        turns = {**before.turns, **dict.fromkeys(own, turn)}
        intent, own_slots = self._choose(plain_words(text, around), own, before, memory, changes=takes_back)
        if intent is None:
            inherited = {**self._kept(self._not_replaced(before.carried, own), own, self._book.inherit), **own}
            return Understanding(
                question,
                language,
                None,
                inherited,
                said=inherited,
                topic=before.topic,
                memory=before.memory,
                own=own,
                carried=inherited,
                turns=turns,
                history=before.history,
            )
        is_passing = intent.passing or (intent.aside and _keeps(before))
        own_slots = self._grown(own_slots, own, before)
        assumed = {name: value for name, value in intent.defaults.items() if name not in own_slots}
        slots = {**memory, **assumed, **own_slots}
        if self._continues(slots, before):
            slots[CONTINUED] = True
        slots.update({name: value for name, raw in intent.lets.items() if (value := fill(raw, slots, {})) is not None})
        topic = before.topic if is_passing else intent
        lasting = {name: value for name, value in slots.items() if name not in recalled}
        remembered = self._remembered(before, intent, lasting, language)
        lasting = {name: value for name, value in own_slots.items() if name not in intent.drops}
        carried = lasting
        if is_passing and self._book.subject in before.carried:
            fixed = self._book.passing_keeps
            carried = {**before.carried, **{name: value for name, value in lasting.items() if name not in fixed}}
        missing = tuple(slot for slot in intent.needs if slot not in slots)
        changes = _keeps(before) and not undone and bool(intent.keeps or intent.changes)
        history = self._with_last(before) if changes else before.history
        return Understanding(
            question, language, intent, slots, assumed, own_slots, topic, remembered, own, carried, turns, missing,
            intent, history,
        )  # fmt: skip

    def _with_last(self, before: Understanding) -> tuple[Mapping[str, Any], ...]:
        """The changes that can be taken back, and the state before this one."""
        memory = {name: value for name, value in before.memory.items() if name not in self._book.recall_fields}
        return (*before.history, {"carried": dict(before.carried), "memory": memory})[-HISTORY:]

    def _undone(self, text: str, before: Understanding) -> Understanding | None:
        """The state before the last change, where the question takes it back."""
        if not before.history or not _keeps(before) or not first_of(text, self._book.undo) or not _is_short(text):
            return None
        *older, last = before.history
        return replace(
            before, slots=last["carried"], carried=last["carried"], memory=last["memory"], history=tuple(older)
        )

    def _continues(self, slots: Mapping[str, Any], before: Understanding) -> bool:
        """Whether what is kept is about the same subject still."""
        subject, subjects = self._book.subject, self._book.subjects
        same = all(slots.get(name) == before.carried.get(name) for name in (subject, subjects))
        return _keeps(before) and subject in slots and same

    def _grown(self, slots: Slots, own: Slots, before: Understanding) -> Slots:
        """Lists that add up: what this question names comes first, what the other list names goes."""
        if not self._is_about_the_same(own, before):
            return slots
        grown = dict(slots)
        for name, other in self._book.adds:
            items = [*own.get(name, ()), *before.carried.get(name, ())]
            rest = [item for item in dict.fromkeys(items) if item not in own.get(other, ())]
            if rest:
                grown[name] = rest
            else:
                grown.pop(name, None)
        return grown

    def _is_about_the_same(self, own: Slots, before: Understanding) -> bool:
        subject, subjects = self._book.subject, self._book.subjects
        values = (before.carried.get(subject), *before.carried.get(subjects, ()))
        return subject in before.carried and (subject not in own or own[subject] in values)

    def _own(self, text: str, before: Understanding, memory: Mapping[str, Any], around: Surroundings) -> Slots:
        """What the question says; "one day more" is reckoned from what was said or planned before."""
        own = self._read(text, around)
        for name in [key for key in own if key.endswith(MORE)]:
            plain = name.removesuffix(MORE)
            table_found = next((table[plain] for table in (before.slots, *_tables(memory)) if plain in table), None)
            if isinstance(table_found, int) and plain not in own:
                own[plain] = max(1, table_found + own.pop(name))
        for name, (whole, first, *others) in self._book.shares.items():
            if whole in own and first in own:
                own[name] = int(own[whole] / prod(int(own.get(part, 1)) for part in (first, *others)))
        return own

    def _read(self, text: str, around: Surroundings) -> Slots:
        """The slots of a question; what it takes back itself counts where nothing is said instead."""
        withdrawn_part, text = taken_back(text, self._book.corrections)
        if not withdrawn_part:
            return read_slots(text, self._book.slots, self._book.kinds, around)
        first = read_slots(withdrawn_part, self._book.slots, self._book.kinds, around)
        around = replace(around, known={**around.known, **first})
        last = read_slots(text, self._book.slots, self._book.kinds, around)
        return {**self._not_replaced(first, last), **last}

    def _remembered(self, before: Understanding, intent: Intent, slots: Slots, language: str) -> Mapping[str, Any]:
        if not intent.keeps or any(slot not in slots for slot in intent.needs):
            return before.memory
        own = {key: value for key, value in slots.items() if key not in before.memory}
        return {**before.memory, intent.keeps: {**own, **self._names.remembered(slots, speaks_chinese(language))}}

    def _choose(
        self, text: str, own: Slots, before: Understanding, memory: Mapping[str, Any], *, changes: bool
    ) -> tuple[Intent | None, Slots]:
        """`changes`: the question takes back something that was said before."""
        choices = self._not_replaced(before.carried, own)
        everything = {**self._kept(choices, own, tuple(choices)), **own}
        inherited = {**self._kept(choices, own, self._book.inherit), **own}
        may_follow = before.topic is not None and bool(own or changes) and _is_short(text)
        here = {**memory, **own}
        if edit := self._first(text, here, weak=False, first=True, topic=before.topic):
            return edit, everything if edit.after else inherited
        if may_follow and any(slot in own for slot in before.missing) and not first_of(text, self._book.asking):
            return before.topic, everything  # the answer to what was asked for
        if may_follow and (changes or first_of(text, self._book.change_words)):
            return before.topic, everything
        if may_follow and self._is_fact(text, own, before.topic, self._book.plain, alone=True):
            return before.topic, everything
        if strong := self._first(text, here, weak=False):
            return strong, inherited
        aside = before.last if before.last is not None and before.last.aside else None
        if may_follow and aside is not None and first_of(text, self._book.follow_words):
            return aside, everything
        if may_follow and (
            first_of(text, self._book.follow_words) or self._is_fact(text, own, before.topic, self._book.facts)
        ):
            return before.topic, everything
        return self._first(text, here, weak=True), inherited

    def _is_fact(
        self, text: str, own: Slots, topic: Intent | None, facts: Sequence[str], *, alone: bool = False
    ) -> bool:
        """A bare fact, "we have a 6 year old", where the question before makes use of it; `alone`: and no subject."""
        if (
            topic is None
            or first_of(text, self._book.asking)
            or (alone and any(slot in own for slot in (self._book.subject, *self._book.bound)))
        ):
            return False
        return any(slot in own and topic.uses(slot) for slot in facts)

    def _not_replaced(self, said: Mapping[str, Any], own: Slots) -> Slots:
        gone = {name for slot, names in self._book.replaces.items() if slot in own for name in names if name not in own}
        return {name: value for name, value in said.items() if name not in gone}

    def _kept(self, said: Mapping[str, Any], own: Slots, names: Sequence[str]) -> Slots:
        """What of earlier questions still holds."""
        subject = self._book.subject
        is_new = subject in own and own[subject] != said.get(subject)
        gone = self._book.bound if is_new and own[subject] not in said.get(self._book.subjects, ()) else ()
        return {name: value for name, value in said.items() if name in names and name not in gone}

    def _first(
        self, text: str, own: Slots, *, weak: bool, first: bool = False, topic: Intent | None = None
    ) -> Intent | None:
        fitting = (i for i in self._book.intents if i.weak is weak and i.first is first)
        fitting = (i for i in fitting if not i.after or (topic is not None and topic.name in i.after))
        return next((i for i in fitting if _fits(i, text, own)), None)


def _fits(intent: Intent, text: str, own: Slots) -> bool:
    return (
        (not intent.words or first_of(text, intent.words) is not None)
        and all(first_of(text, group) for group in intent.also)
        and not any(contains(text, word) for word in intent.unless)
        and all(slot in own for slot in intent.has)
        and (not intent.any or any(slot in own for slot in intent.any))
        and sum(slot in own for slot in intent.among) >= intent.count
        and not any(slot in own for slot in intent.lacks)
    )


def _is_short(text: str) -> bool:
    return len(text) <= (SHORT if is_chinese(text) else SHORT_LATIN)


def _without(before: Understanding, gone: Collection[str]) -> Understanding:
    def left(table: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in table.items() if name not in gone}

    return replace(before, slots=left(before.slots), carried=left(before.carried), turns=left(before.turns))


def _keeps(before: Understanding) -> bool:
    return before.topic is not None and bool(before.topic.keeps)


def _tables(memory: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [value for value in memory.values() if isinstance(value, Mapping)]


def _language(question: str, before: Understanding) -> str:
    has_letters = any(char.isalpha() for char in question)
    return language_of(question) if has_letters or not before.question else before.language
