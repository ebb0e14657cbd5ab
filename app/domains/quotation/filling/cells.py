"""Cells of a quotation that a person has typed: which there are, what each may hold, what follows from it.

What is typed stays: another level does not change a typed price. Picking another product does, for the price belonged
to the one before. An emptied cell is calculated again.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_UP
from typing import Any, Literal, get_args

from app.core.errors import ToolError
from app.core.text.i18n import N_

from ..model.quotation import CENT, Quotation, QuotedLine
from ..reading.numbers import price, quantity, shown, unit_of

CellName = Literal["name", "qty", "unit", "price", "amount", "note"]
CELLS: tuple[CellName, ...] = get_args(CellName)
LONGEST = 500


def set_cell(line: QuotedLine, cell: CellName, text: str) -> str:
    """Sets it and returns what was there. Raises ToolError BAD_ARGUMENTS for what is no number."""
    text = " ".join(text.split())[:LONGEST]
    before = value_of(line, cell)
    match cell:
        case "name":
            _rename(line, text)
        case "qty":
            amount = quantity(text) if text else None
            if text and amount is None:
                raise _no_number(text)
            unit = unit_of(text) or line.line.unit
            line.line = replace(line.line, qty=shown(amount) if amount is not None else "", unit=unit)
            line.by_hand.pop("amount", None)
        case "unit":
            line.line = replace(line.line, unit=text)
        case "note":
            line.line = replace(line.line, note=text)
        case "price" | "amount":
            _set_money(line, cell, text)
    return before


def value_of(line: QuotedLine, cell: CellName) -> str:
    match cell:
        case "name":
            return line.shown_name
        case "qty":
            return line.line.qty
        case "unit":
            return line.line.unit or line.product_unit
        case "note":
            return line.line.note
        case "price":
            return line.unit_price
        case "amount":
            return f"{line.amount:.2f}" if line.amount is not None else ""


def _rename(line: QuotedLine, text: str) -> None:
    if line.chosen:  # how the customer reads it; the product is the same
        line.by_hand.pop("name", None)
        if text and text != line.shown_name:
            line.by_hand["name"] = text
    elif text:
        line.line = replace(line.line, name=text, spec="")


def _set_money(line: QuotedLine, cell: CellName, text: str) -> None:
    value = price(text) if text else None
    if text and value is None:
        raise _no_number(text)
    line.by_hand.pop("amount", None)
    if value is None:
        line.by_hand.pop(cell, None)
    else:
        line.by_hand[cell] = f"{value:f}" if cell == "price" else f"{value.quantize(CENT, ROUND_HALF_UP):f}"
    if cell == "price":
        line.unit_price = line.by_hand.get("price", line.list_price)
    if value is not None:
        line.skipped = False


def _no_number(text: str) -> ToolError:
    return ToolError("BAD_ARGUMENTS", N_("{text} is no amount"), values={"text": text[:60]})


def noted(quote: Quotation, line: int, cell: CellName, before: str, after: str, at: str) -> None:
    """The record of what was typed is a part of the quotation: it goes where the quotation goes."""
    entry: dict[str, Any] = {"at": at, "line": line, "cell": cell, "before": before, "after": after}
    quote.record.append(entry)
