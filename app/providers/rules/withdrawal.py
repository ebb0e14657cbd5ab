"""Slots that a question takes back: "不限预算", "forget the budget", "start over".

The rule book names each slot, the words before or after its name, and those that take back everything. Text read as a
withdrawal is blanked, so that it is not read as a wish too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.core.reading.text import blanked, find, first_of, spans

_BETWEEN = ("the ", "my ", "our ", "any ", "that ", "了", "这个", "那个", "什么", "的", "is ", "are ")
"""What may stand between a name and the word that takes it back."""


@dataclass(frozen=True, slots=True)
class Withdrawals:
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    everything: tuple[str, ...] = ()
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What each slot is called."""
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The slots that go with it."""


def read_withdrawals(table: Mapping[str, Any]) -> Withdrawals:
    slots: Mapping[str, Mapping[str, Any]] = table.get("slots", {})
    return Withdrawals(
        tuple(table.get("before", ())),
        tuple(table.get("behind", ())),
        tuple(table.get("everything", ())),
        {name: tuple(entry.get("names", ())) for name, entry in slots.items()},
        {name: tuple(entry.get("with", ())) for name, entry in slots.items()},
    )


def withdrawn(text: str, words: Withdrawals, known: Mapping[str, Any]) -> tuple[frozenset[str], str]:
    """The slots of `known` that a normalised text takes back, and the text with blanks in place of these words."""
    if first_of(text, words.everything):
        return frozenset(known), text
    gone: set[str] = set()
    stretches: list[tuple[int, int]] = []
    for slot, names in words.names.items():
        all_of_it = {slot, *words.parts[slot]} & known.keys()
        places = [span for name in names for at, end in spans(text, name) if (span := _stretch(text, at, end, words))]
        if places:
            gone |= all_of_it
            stretches += places
    return frozenset(gone), blanked(text, stretches)


def _stretch(text: str, at: int, end: int, words: Withdrawals) -> tuple[int, int] | None:
    """From the word that takes back to the end of the name, or the other way round; None: there is no such word."""
    start = _skipped_back(text, at)
    for word in words.before:
        if text.endswith(word, 0, start) and find(text, word, start - len(word)) == start - len(word):
            return start - len(word), end
    stop = _skipped(text, end)
    for word in words.behind:
        if find(text, word, stop) == stop:
            return at, stop + len(word)
    return None


def _skipped_back(text: str, at: int) -> int:
    while True:
        shorter = len(text[:at].rstrip())
        word = next((one.rstrip() for one in _BETWEEN if text[:shorter].endswith(one.rstrip())), "")
        if not word:
            return shorter
        at = shorter - len(word)


def _skipped(text: str, at: int) -> int:
    while True:
        at = len(text) - len(text[at:].lstrip())
        word = next((one for one in _BETWEEN if text.startswith(one, at)), "")
        if not word:
            return at
        at += len(word)
