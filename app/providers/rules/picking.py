"""What "the second one" and 第二个 mean: an entry of the list that the last results gave.

The words are exchanged for the name before the question is read, so that every rule understands them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.reading.numerals import numbers
from app.core.reading.text import find, spans
from app.core.reading.units import unit_end

ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
LAST = -1


@dataclass(frozen=True, slots=True)
class ListPicks:
    source: str
    """Under this name the names of the last list are remembered."""
    before: Mapping[str, tuple[str, ...]]
    """What is before the number, and the units behind it; none: any."""
    nouns: tuple[str, ...]
    """What may be behind "the first"."""
    last: tuple[str, ...]


def read_picks(table: Mapping[str, Any]) -> ListPicks:
    return ListPicks(
        str(table.get("from", "")),
        {word: tuple(units) for word, units in table.get("before", {}).items()},
        tuple(table.get("nouns", ())),
        tuple(table.get("last", ())),
    )


def named(text: str, picks: ListPicks, names: Sequence[str]) -> str:
    """The text with names for every entry it speaks of."""
    picked = [(start, end, number) for start, end, number in _mentions(text, picks) if _is_there(number, names)]
    for start, end, number in sorted(picked, reverse=True):
        name = names[number if number == LAST else number - 1]
        gap = " " if name.isascii() else ""
        text = f"{text[:start]}{gap}{name}{gap}{text[end:]}"
    return " ".join(text.split())


def _is_there(number: int, names: Sequence[str]) -> bool:
    return bool(names) and (number == LAST or 1 <= number <= len(names))


def _mentions(text: str, picks: ListPicks) -> list[tuple[int, int, int]]:
    mentions = []
    for number in numbers(text):
        before = text[: number.start].rstrip()
        for word, units in picks.before.items():
            end = unit_end(text, number, units) if units else number.end
            if before.endswith(word) and end != -1 and number.value.is_integer():
                mentions.append((len(before) - len(word), end, number.whole))
    for place, word in enumerate(ORDINALS, 1):
        mentions += [(start, end, place) for start, end in _ordinals(text, word, picks.nouns)]
    mentions += [(start, end, LAST) for word in picks.last for start, end in spans(text, word)]
    kept: list[tuple[int, int, int]] = []
    for start, end, place in sorted(mentions, key=lambda each: each[0] - each[1]):
        if not any(start < other_end and other < end for other, other_end, _ in kept):
            kept.append((start, end, place))
    return kept


def _ordinals(text: str, word: str, nouns: Sequence[str]) -> list[tuple[int, int]]:
    """ "the first one", "the first" at an end; not "the first day"."""
    ordinals = []
    for at, behind in spans(text, word):
        start = at - 4 if text[max(0, at - 4) : at] == "the " else at
        rest = text[behind:]
        noun = next((noun for noun in nouns if find(rest.lstrip(), noun) == 0), "")
        if noun:
            ordinals.append((start, behind + len(rest) - len(rest.lstrip()) + len(noun)))
        elif start < at and (not rest.strip(" .!?") or rest.lstrip().startswith(("and ", "for ", ",", "or "))):
            ordinals.append((start, behind))
    return ordinals
