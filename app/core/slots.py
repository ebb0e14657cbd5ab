"""What can be read from a sentence without a model: the seam between the offline rules and a domain.

A rule book names its slots and the kind of each (`[slots.days] kind = "count"`). The engine brings readers for
numbers, dates, money and words (providers/rules/extract.py); a domain brings those of its trade, and its names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any, Protocol

Slots = dict[str, Any]
Table = Mapping[str, Any]
"""The table of one slot in the rule book."""
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Mention(Protocol):
    """A name of the data in a text."""

    @property
    def at(self) -> int: ...

    @property
    def end(self) -> int: ...


class Names(Protocol):
    """The names in a domain's data."""

    def mentions(self, text: str, known: Mapping[str, Any] = NOTHING) -> Sequence[Mention]:
        """Those in a normalised text, in reading order; what is part of a name says nothing else. `known` are the
        slots of the conversation so far: a name that several places share is that of the one spoken of."""

    def shown(self, slots: Mapping[str, Any], chinese: bool) -> Mapping[str, Any]:
        """Further values for the texts of the book: names in place of ids, what the data hold."""

    def nearest(self, word: str) -> Sequence[str]:
        """The names most like a word that is none of them, best first; nothing where none is like it."""

    def remembered(self, slots: Mapping[str, Any], chinese: bool) -> Mapping[str, Any]:
        """What later questions find beside the slots of this one (`keeps`)."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a reader may look at besides the text."""

    names: Names
    today: date
    question: str = ""
    """As it was typed: letters with their case, lines apart."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """What the questions before it said."""


class Read(Protocol):
    """The slots of one kind in a normalised text: nothing for what is not there."""

    def __call__(self, text: str, name: str, table: Table, around: Surroundings) -> Slots: ...


@dataclass(frozen=True, slots=True)
class SlotReader:
    kind: str
    """The `kind` a rule book uses it by."""
    read: Read
    whole: bool = False
    """It sees the names of the data too; the others see blanks in their place."""
    gives: tuple[str, ...] = ("{name}",)
    """The slots it may fill; `{name}` is the one the book calls it for. A book that asks for another one is wrong."""


@dataclass(frozen=True, slots=True)
class SlotArgument:
    """Which arguments of the domain's tools say the value of a slot, where a model answers and no rules read it."""

    id: str
    """Of the slot, as in the rule book if there is one."""
    label: str
    """Marked for translation."""
    arguments: tuple[str, ...]
    """Names, or paths like "party.adults"; the first that a call has counts."""


class NoNames:
    """Of a domain without data."""

    def mentions(self, _text: str, _known: Mapping[str, Any] = NOTHING) -> Sequence[Mention]:
        return ()

    def shown(self, _slots: Mapping[str, Any], _chinese: bool) -> Mapping[str, Any]:
        return {}

    def nearest(self, _word: str) -> Sequence[str]:
        return ()

    def remembered(self, _slots: Mapping[str, Any], _chinese: bool) -> Mapping[str, Any]:
        return {}


NO_NAMES: Callable[[], Names] = NoNames
