"""A quotation: its lines with what was chosen for each, and its sums. Decimal texts throughout; lines add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Literal

LineState = Literal["set", "choose", "out", "short", "missing", "skipped"]
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Line:
    """What the inquiry says."""

    no: int
    row: int
    name: str
    spec: str = ""
    qty: str = ""
    unit: str = ""
    code: str = ""
    note: str = ""
    raw: str = ""

    @property
    def request(self) -> str:
        return " ".join(filter(None, (self.name, self.spec)))

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class QuotedLine:
    line: Line
    status: str = "unmatched"
    candidates: list[dict[str, Any]] = field(default_factory=list)
    chosen: str = ""
    list_id: str = ""
    product: str = ""
    product_spec: str = ""
    product_unit: str = ""
    unit_price: str = ""
    stock: str = ""
    source: str = ""
    """What decided: code, correction, text, score, person."""
    doubts: list[str] = field(default_factory=list)
    skipped: bool = False
    list_price: str = ""
    """That of the product chosen; `unit_price` is another one where the person typed it."""
    by_hand: dict[str, str] = field(default_factory=dict)
    """Cells the person typed (filling/cells.py): name, price, amount."""

    @property
    def is_priced(self) -> bool:
        """A product is chosen, or the person typed what the line costs."""
        return bool(self.chosen or self.by_hand.keys() & {"price", "amount"}) and not self.skipped

    @property
    def shown_name(self) -> str:
        """As the customer reads it, the specification included."""
        chosen = f"{self.product} {self.product_spec}".strip() if self.chosen else self.line.request
        return self.by_hand.get("name") or chosen

    @property
    def amount(self) -> Decimal | None:
        if self.is_priced and (typed := self.by_hand.get("amount")):
            return Decimal(typed)
        if not self.is_priced or not self.unit_price or not self.line.qty:
            return None
        return (Decimal(self.unit_price) * Decimal(self.line.qty)).quantize(CENT, ROUND_HALF_UP)

    @property
    def shortfall(self) -> Decimal:
        """How much of the quantity is not there; 0 where the list tells no stock."""
        if not self.chosen or not self.stock or not self.line.qty:
            return Decimal(0)
        return max(Decimal(0), Decimal(self.line.qty) - Decimal(self.stock))

    @property
    def state(self) -> LineState:
        if self.skipped:
            return "skipped"
        if not self.is_priced:
            return "choose" if self.status == "needs_selection" else "missing"
        if self.stock and Decimal(self.stock) == 0:
            return "out"
        return "short" if self.shortfall else "set"

    def to_json(self) -> dict[str, Any]:
        """Not a copy of the candidates: of hundreds of lines that takes half a second."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "line": self.line.to_json()}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> QuotedLine:
        return cls(**{"list_price": body["unit_price"], **body, "line": Line(**body["line"])})


@dataclass(slots=True)
class Quotation:
    id: str
    title: str
    level: str
    lines: list[QuotedLine]
    customer: str = ""
    currency: str = "CNY"
    tax_rate: str = "0"
    list_ids: list[str] = field(default_factory=list)
    lists: list[dict[str, Any]] = field(default_factory=list)
    """Of each list used: id, name, checksum, imported_at, valid_to."""
    source: dict[str, Any] = field(default_factory=dict)
    """The file it answers: path, sha256, sheet, header_row, columns, width."""
    skipped: list[dict[str, Any]] = field(default_factory=list)
    created: str = ""
    before: int = 0
    """The version this one was made of."""
    record: list[dict[str, Any]] = field(default_factory=list)
    """Each cell the person typed: at, line, cell, before, after."""

    @property
    def subtotal(self) -> Decimal:
        return sum((line.amount or Decimal(0) for line in self.lines), Decimal(0)).quantize(CENT)

    @property
    def tax(self) -> Decimal:
        return (self.subtotal * Decimal(self.tax_rate) / 100).quantize(CENT, ROUND_HALF_UP)

    @property
    def total(self) -> Decimal:
        return self.subtotal + self.tax

    def numbers(self, *states: LineState) -> list[int]:
        return [line.line.no for line in self.lines if line.state in states]

    def line(self, no: int) -> QuotedLine | None:
        return next((line for line in self.lines if line.line.no == no), None)

    def to_json(self) -> dict[str, Any]:
        body = {name: getattr(self, name) for name in self.__slots__ if name != "lines"}
        return {**body, "lines": [line.to_json() for line in self.lines]}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Quotation:
        return cls(**{**body, "lines": [QuotedLine.from_json(line) for line in body["lines"]]})

    def digest(self) -> dict[str, Any]:
        """What a result of a tool says of it."""
        return {
            "run_id": self.id, "customer": self.customer, "level": self.level, "currency": self.currency,
            "filled": len(self.numbers("set", "out", "short")), "pending": self.numbers("choose"),
            "unmatched": self.numbers("missing"), "oos": self.numbers("out"), "shortage": shortages(self.lines),
            "subtotal": str(self.subtotal), "tax_amount": str(self.tax), "total": str(self.total), "lists": self.lists,
            "skipped": self.skipped, "record": self.record,
            "lines": [shown(line) for line in self.lines],
        }  # fmt: skip


def shortages(lines: Sequence[QuotedLine]) -> list[dict[str, Any]]:
    return [
        {
            "line": line.line.no,
            "code": line.chosen,
            "need": line.line.qty,
            "available": line.stock,
            "shortfall": str(line.shortfall),
        }
        for line in lines
        if line.state == "short"
    ]


def shown(line: QuotedLine) -> dict[str, Any]:
    amount = line.amount
    return {
        "no": line.line.no, "row": line.line.row, "request": line.line.request, "qty": line.line.qty,
        "unit": line.line.unit or line.product_unit, "status": line.status, "state": line.state, "code": line.chosen,
        "name": line.product, "spec": line.product_spec, "unit_price": line.unit_price,
        "amount": str(amount) if amount is not None else "", "stock": line.stock, "shortfall": str(line.shortfall),
        "source": line.source, "doubts": line.doubts, "by_hand": dict(line.by_hand), "note": line.line.note,
        "candidates": [] if line.chosen else line.candidates,
    }  # fmt: skip
