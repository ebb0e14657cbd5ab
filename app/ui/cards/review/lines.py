"""The lines of a review card, what has been picked for them and typed into them so far. No painting."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from app.core.tools.card_markdown import as_text, mappings

MOST_CHOICES = 8
NAMES = {"title": "name"}
"""Columns that are called otherwise in the arguments of the button."""
_CENT = Decimal("0.01")
_AMOUNT = re.compile(r"\D{0,4}?(?P<n>\d[\d,]*(?:\.\d+)?|\.\d+)\s*(?P<unit>\D{0,12})")
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
    typed: frozenset[str] = frozenset()
    """Columns that hold what a person has typed before."""


@dataclass(slots=True)
class ReviewPicks:
    """What the person has chosen and typed and not yet confirmed."""

    lines: list[ReviewCardLine]
    chosen: dict[int, str] = field(default_factory=dict)
    """By place in the list: the id of a choice."""
    edits: dict[tuple[int, str], str] = field(default_factory=dict)
    """By place and column: what was typed; an empty text is calculated again."""
    remember: bool = False
    _history: list[tuple[dict[int, str], dict[tuple[int, str], str]]] = field(default_factory=list)

    def _keep(self) -> None:
        self._history.append((dict(self.chosen), dict(self.edits)))

    def pick(self, place: int, number: int) -> bool:
        """Choice `number` (from 0) of a line, and of all that are alike and not picked yet. False: there is none."""
        line = self.lines[place]
        if number >= len(line.choices):
            return False
        self._keep()
        id = line.choices[number].id
        self._set(place, id)
        for other, each in enumerate(self.lines):
            alike = each.key and each.key == line.key and other not in self.chosen
            if alike and any(choice.id == id for choice in each.choices):
                self._set(other, id)
        return True

    def _set(self, place: int, id: str) -> None:
        """What was typed of a price belonged to the product before, and a name would be looked for anew."""
        self.chosen[place] = id
        for column in ("title", "price", "amount"):
            self.edits.pop((place, column), None)

    def clear(self, place: int) -> None:
        typed = [key for key in self.edits if key[0] == place]
        if place in self.chosen or typed:
            self._keep()
            self.chosen.pop(place, None)
            for key in typed:
                del self.edits[key]

    def type(self, place: int, column: str, text: str) -> bool:
        """False: the cell takes an amount, and this is none."""
        text = " ".join(text.split())
        if text == self.cell(place, column):
            return True
        if text and column != "title" and amount(text) is None:
            return False
        self._keep()
        if column != "title":
            self.edits.pop((place, "amount"), None)
        self.edits[place, column] = text
        return True

    def undo(self) -> bool:
        """The last pick or cell is taken back, with those it brought along."""
        if not self._history:
            return False
        self.chosen, self.edits = self._history.pop()
        return True

    def cell(self, place: int, column: str) -> str:
        """As it is shown."""
        line, chosen, typed = self.lines[place], self.choice(place), self.edits.get((place, column))
        if column == "amount":
            return self._amount_text(place)
        if typed and column == "price":
            return f"{amount(typed):,.2f}" if (amount(typed) or 0) % _CENT == 0 else typed
        if typed:
            return typed
        if column == "title":
            return chosen.label if chosen else line.title
        return chosen.price if chosen and column == "price" else str(getattr(line, column))

    def is_typed(self, place: int, column: str) -> bool:
        if (place, column) in self.edits:
            return bool(self.edits[place, column])
        return column in self.lines[place].typed and place not in self.chosen

    def _amount_text(self, place: int) -> str:
        line, chosen = self.lines[place], self.choice(place)
        if typed := self.edits.get((place, "amount")):
            return f"{amount(typed) or Decimal(0):,.2f}"
        touched = {column for at, column in self.edits if at == place} - {"title"}
        if not touched:
            return chosen.amount if chosen else line.amount
        price, count = amount(self.cell(place, "price")), amount(self.cell(place, "qty"))
        return "–" if price is None or count is None else f"{(price * count).quantize(_CENT, ROUND_HALF_UP):,.2f}"

    def choice(self, place: int) -> ReviewChoice | None:
        return next((one for one in self.lines[place].choices if one.id == self.chosen.get(place)), None)

    def next_open(self, place: int) -> int:
        """The next line with choices and no pick behind this one, from the beginning again; itself where none is."""
        count = len(self.lines)
        behind = ((place + step) % count for step in range(1, count + 1))
        return next((n for n in behind if self._is_open(n)), place)

    def _is_open(self, place: int) -> bool:
        has_price = any(self.edits.get((place, column)) for column in ("price", "amount"))
        return bool(self.lines[place].choices) and place not in self.chosen and not has_price

    def open_count(self) -> int:
        return sum(map(self._is_open, range(len(self.lines))))

    def changed_count(self) -> int:
        return len(self._changed())

    def _changed(self) -> set[int]:
        return set(self.chosen) | {place for place, _column in self.edits}

    def added(self) -> Decimal:
        """What the picks and cells add to the sum of the lines; less than nothing where they lower it."""
        places = sorted(self._changed())
        return sum((_decimal(self.cell(n, "amount")) - _decimal(self.lines[n].amount) for n in places), Decimal(0))

    def values(self) -> dict[str, Any]:
        """As the tool of the confirming button takes them."""
        picked = [{"line": self.lines[n].no, "code": id} for n, id in sorted(self.chosen.items())]
        edits = [
            {"line": self.lines[n].no, "cell": NAMES.get(column, column), "value": text}
            for (n, column), text in self.edits.items()
        ]
        return {"choices": picked, "remember": self.remember, **({"edits": edits} if edits else {})}


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
        title, sub, qty, price, total, state, tone, key = (as_text(item.get(name)) for name in _TEXTS)
        typed = item.get("typed")
        columns = frozenset(map(as_text, typed)) if isinstance(typed, list) else frozenset()
        yield ReviewCardLine(no, title, sub, qty, price, total, state, tone, key, choices, columns)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text.replace(",", ""))
    except InvalidOperation:
        return Decimal(0)


def amount(text: str) -> Decimal | None:
    """A quantity or a price as it is typed, a unit or the sign of a currency beside it."""
    match = _AMOUNT.fullmatch(unicodedata.normalize("NFKC", text).strip())
    return _decimal(match["n"]) if match and "-" not in text else None


def total_of(payload: Mapping[str, Any]) -> Decimal:
    return _decimal(as_text(payload.get("total")))


def total_after(payload: Mapping[str, Any], added: Decimal) -> Decimal:
    """With the tax, as the tool calculates it."""
    if not as_text(payload.get("subtotal")):
        return total_of(payload) + added
    subtotal = _decimal(as_text(payload.get("subtotal"))) + added
    tax = (subtotal * _decimal(as_text(payload.get("tax_rate"))) / 100).quantize(_CENT, ROUND_HALF_UP)
    return subtotal + tax
