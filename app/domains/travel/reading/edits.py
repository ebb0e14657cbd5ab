"""What a sentence does to the plan, as operations of edit_trip: "把颐和园去掉", "move the Bund to day 2 and lock it".

A clause without a place is about the one named before it ("加上恭王府，放第二天"), in this question or an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.reading.numerals import numbers
from app.core.reading.text import contains, first_of, is_chinese, spans
from app.core.reading.units import has_unit
from app.core.slots import Slots, Surroundings, Table

from ..model.place_names import PlaceMention
from .clock import time_in
from .places import gazetteer, read_places
from .times import Clause, clauses

_JOINTS = ("和", "、", "跟", "与", "and", "&", ",")
LONGEST_NAME = 24
Operation = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Said:
    """What one clause names."""

    clause: Clause
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    day: int
    days: tuple[int, ...]
    time: str


def read_edits(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The operations, in order; nothing where the question changes no plan."""
    return _Edits(text, name, table, around).slots()


class _Edits:
    def __init__(self, text: str, name: str, table: Table, around: Surroundings) -> None:
        self.text, self.name, self.table, self.around = text, name, table, around
        self.chinese = is_chinese(text)
        every = gazetteer(around).mentions(text, around.known)
        self.mentions = [m for m in every if m.place.kind == "sight"]
        self.others = [m for m in every if m.place.kind != "sight"]
        whole = read_places(text, "place", table["place"], around)
        self.unwanted = tuple(whole.get("avoid", ()))
        self.bed = str(whole.get("lodging", ""))

    def slots(self) -> Slots:
        if first_of(self.text, self.table["not"]):
            return {}
        days = list(self._days(self.text))
        if len(days) == 2 and not self.mentions and first_of(self.text, self.table["exchange"]):
            return {self.name: [{"op": "exchange", "day": days[0], "to_day": days[1]}]}
        ops: list[Operation] = []
        subject = self._earlier()
        for clause in clauses(self.text):
            words = self._said(clause)
            ops += self._of(words, subject, ops)
            subject = words.wanted or words.unwanted or subject
        return {self.name: ops} if ops else {}

    def _earlier(self) -> tuple[str, ...]:
        """What "it" means: the place named last."""
        return tuple(map(str, (self.around.known.get("named") or ())[:1]))

    def _said(self, clause: Clause) -> _Said:
        inside = [m for m in self.mentions if clause.at <= m.at < clause.at + len(clause.text)]
        names = [m.place.name(self.chinese) for m in inside if not self._is_bed(m)]
        whole = clause.at == 0 and len(clause.text) == len(self.text)
        unwanted = [n for n in self.unwanted if n in names or whole or self._is_group(n, clause)]
        wanted = [n for n in names if n not in unwanted]
        days = tuple(self._days(clause.text))
        return _Said(
            clause, tuple(wanted), tuple(unwanted), days[0] if days else 0, days, time_in(clause.text, self.table)
        )

    def _is_bed(self, mention: PlaceMention) -> bool:
        return bool(self.bed) and self.text[mention.at : mention.end] == self.bed

    def _is_group(self, name: str, clause: Clause) -> bool:
        """Not named itself: one of "no museums"."""
        named = {m.place.name(self.chinese) for m in self.mentions}
        return name not in named and first_of(clause.text, self.table["place"]["refusals"]) is not None

    def _days(self, text: str) -> Iterator[int]:
        for word, number in self.table["days"].items():
            if contains(text, word) and (day := int(number) if number > 0 else self._last_day()):
                yield day
        for number in numbers(text):
            before = text[: number.start].rstrip()
            is_chinese_day = before.endswith("第") and has_unit(text, number, ("天", "日"))
            if is_chinese_day or (before.endswith("day") and number.value.is_integer()):
                yield number.whole

    def _last_day(self) -> int:
        """0 where nobody knows."""
        slots = self.around.known
        plan = slots.get("plan")
        days = (plan if isinstance(plan, Mapping) else slots).get("days")
        return days if isinstance(days, int) else 0

    # ------------------------------------------------------------ one clause

    def _of(self, said: _Said, subject: tuple[str, ...], before: Sequence[Operation]) -> list[Operation]:
        text, table = said.clause.text, self.table
        if swapped := self._swapped(said, subject, before):
            return swapped
        if len(said.wanted) > 1 and first_of(text, table["together"]):
            return [{"op": "together", "stops": list(said.wanted), **_on(said)}]
        about = said.wanted or (subject if self._is_pronoun(text) or (before and not said.unwanted) else ())
        if said.wanted and any(op["op"] == "remove" for op in before) and first_of(text, table["in_place"]):
            return [{"op": "add", "stop": name, **_at(said)} for name in said.wanted]
        ops: list[Operation] = [{"op": "remove", "stop": name, **_on(said)} for name in said.unwanted]
        if first_of(text, table["keep"]) and about:
            ops += self._placed(said, about)
            return [*ops, *({"op": "lock", "stop": name} for name in about)]
        if first_of(text, table["add"]) and (about or not said.unwanted):
            # "X, not there? then put it in": a name of an earlier clause is added once.
            # What is named here goes before what "it" would mean.
            names = said.wanted or self._raw_behind(text, table["add"]) or about
            # With a day it is a move, which adds what is not there.
            if said.day:
                return [*ops, *({"op": "move", "stop": name, "to_day": said.day, **_at(said)} for name in names)]
            return [*ops, *({"op": "add", "stop": name, **_at(said)} for name in names)]
        if first_of(text, table["move"]) and about and (said.day or said.time):
            return [*ops, *self._placed(said, about, before)]
        if said.day and first_of(text, table["ease"]):
            return [*ops, {"op": "ease", "day": said.day}]
        return ops

    def _is_pronoun(self, text: str) -> bool:
        return first_of(text, self.table["it"]) is not None

    def _placed(self, said: _Said, names: Sequence[str], before: Sequence[Operation] = ()) -> list[Operation]:
        """On its day, at its time. One that was added a clause before gets its day there."""
        ops: list[Operation] = []
        for name in names:
            added = next((op for op in before if op["op"] == "add" and op["stop"] == name), None)
            if added is not None and said.day:
                added.update({"op": "move", "to_day": said.day, **_at(said)})
            elif said.day:
                ops.append({"op": "move", "stop": name, "to_day": said.day, **_at(said)})
            elif said.time:
                ops.append({"op": "retime", "stop": name, **_at(said)})
        return ops

    def _swapped(self, said: _Said, subject: tuple[str, ...], before: Sequence[Operation]) -> list[Operation]:
        """ "A换成B", "swap A for B", "A删了，换成B"."""
        text = said.clause.text
        for cue in self.table["swap"]:
            for _at, end in spans(text, cue):
                mark = end if self.chinese else _behind(text, ("for", "with", "by"), end)
                if not mark:
                    continue
                place = said.clause.at + mark
                first = [m for m in self.mentions if said.clause.at <= m.at < place]
                then = [m for m in self.mentions if place <= m.at < said.clause.at + len(text)]
                if not then and any(m.at >= place for m in self.others):
                    continue  # another city is another plan
                coming = then[0].place.name(self.chinese) if then else self._raw(text[mark:])
                going = first[-1].place.name(self.chinese) if first else next(iter(said.unwanted or subject), "")
                if coming and any(op["op"] == "remove" and op["stop"] == going for op in before):
                    return [{"op": "add", "stop": coming, **_on(said)}]
                if coming and going:
                    return [{"op": "swap", "stop": going, "name": coming, **_on(said)}]
        return []

    def _raw_behind(self, text: str, cues: Sequence[str]) -> list[str]:
        """A name that is none of the data, behind the word."""
        for cue in cues:
            for _at, end in spans(text, cue):
                if name := self._raw(text[end:]):
                    return [name]
        return []

    def _raw(self, rest: str) -> str:
        name = rest.strip()
        for tail in self.table["tails"]:
            name = name.removesuffix(tail).strip()
        if (
            not 2 <= len(name) <= LONGEST_NAME
            or first_of(name, self.table["no_names"])
            or any(c.isdecimal() for c in name)
        ):
            return ""
        return name


def _behind(text: str, words: Sequence[str], start: int) -> int:
    """The end of the first of these words behind a place; 0 where there is none."""
    return min((end for word in words for _at, end in spans(text, word, start)), default=0)


def _on(said: _Said) -> Operation:
    return {"day": said.day} if said.day else {}


def _at(said: _Said) -> Operation:
    return {"start": said.time} if said.time else {}
