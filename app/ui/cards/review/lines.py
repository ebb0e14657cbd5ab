"""The lines of a review card and what has been picked for them so far. No painting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from app.core.tools.card_markdown import as_text, mappings

MOST_CHOICES = 8
_TEXTS = ("title", "sub", "qty", "price", "amount", "state", "tone", "key")


@dataclass(frozen=True, slots=True)
class ReviewChoice:
    id: str
    label: str
    note: str
    price: str
    amount: str


@dataclass(frozen=True, slots=True)
class ReviewCardLine:
    no: int
    title: str
    sub: str
    qty: str
    price: str
    amount: str
    state: str
    tone: str
    key: str
    """Lines with the same key are picked together."""
    choices: tuple[ReviewChoice, ...]


@dataclass(slots=True)
class ReviewPicks:
    """What the person has chosen and not yet confirmed."""

    lines: list[ReviewCardLine]
    chosen: dict[int, str] = field(default_factory=dict)
    """By place in the list: the id of a choice."""
    remember: bool = False
    _history: list[dict[int, str]] = field(default_factory=list)

    def pick(self, place: int, number: int) -> bool:
        """Choice `number` (from 0) of a line, and of all that are alike and not picked yet. False: there is none."""
        line = self.lines[place]
        if number >= len(line.choices):
            return False
        self._history.append(dict(self.chosen))
        id = line.choices[number].id
        self.chosen[place] = id
        for other, each in enumerate(self.lines):
            alike = each.key and each.key == line.key and other not in self.chosen
            if alike and any(choice.id == id for choice in each.choices):
                self.chosen[other] = id
        return True

    def clear(self, place: int) -> None:
        if place in self.chosen:
            self._history.append(dict(self.chosen))
            del self.chosen[place]

    def undo(self) -> bool:
        """The last pick is taken back, with those it brought along."""
        if not self._history:
            return False
        self.chosen = self._history.pop()
        return True

    def choice(self, place: int) -> ReviewChoice | None:
        return next((one for one in self.lines[place].choices if one.id == self.chosen.get(place)), None)

    def next_open(self, place: int) -> int:
        """The next line with choices and no pick behind this one, from the beginning again; itself where none is."""
        count = len(self.lines)
        behind = ((place + step) % count for step in range(1, count + 1))
        return next((n for n in behind if self.lines[n].choices and n not in self.chosen), place)

    def open_count(self) -> int:
        return sum(bool(line.choices) and n not in self.chosen for n, line in enumerate(self.lines))

    def added(self) -> Decimal:
        """What the picks add to the total."""
        return sum((_decimal(one.amount) for n in self.chosen if (one := self.choice(n))), Decimal(0))

    def values(self) -> dict[str, Any]:
        """As the tool of the confirming button takes them."""
        picked = [{"line": self.lines[n].no, "code": id} for n, id in sorted(self.chosen.items())]
        return {"choices": picked, "remember": self.remember}


def lines_of(payload: Mapping[str, Any]) -> list[ReviewCardLine]:
    return list(_lines(payload))


def _lines(payload: Mapping[str, Any]) -> Iterator[ReviewCardLine]:
    for item in mappings(payload, "lines"):
        number = item.get("no")
        choices = tuple(
            ReviewChoice(*(as_text(one.get(name)) for name in ("id", "label", "note", "price", "amount")))
            for one in mappings(item, "choices")[:MOST_CHOICES]
        )
        no = number if isinstance(number, int) else 0
        title, sub, qty, price, amount, state, tone, key = (as_text(item.get(name)) for name in _TEXTS)
        yield ReviewCardLine(no, title, sub, qty, price, amount, state, tone, key, choices)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text.replace(",", ""))
    except InvalidOperation:
        return Decimal(0)


def total_of(payload: Mapping[str, Any]) -> Decimal:
    return _decimal(as_text(payload.get("total")))
