"""Which cells of an inquiry a quotation fills: its own columns for prices, else new ones behind the last."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from ..model.quotation import Quotation
from ..reading.grid import letters
from .workbook import CellChange

TARGETS = ("price", "amount", "code")


def changes_of(quote: Quotation, headings: Mapping[str, str]) -> list[CellChange]:
    """Cells and values. `headings` name the columns that are added."""
    columns, width = dict(quote.source["columns"]), int(quote.source["width"])
    header_row = int(quote.source["header_row"])
    changes: list[CellChange] = []
    for target in TARGETS:
        if target == "code" and "code" not in columns and "price" in quote.source["columns"]:
            continue  # a sheet with its own columns for prices gets no further ones
        if target not in columns and not (target == "amount" and "price" in quote.source["columns"]):
            columns[target] = letters(width)
            width += 1
            if header_row:
                changes.append(CellChange(header_row, columns[target], headings[target]))
    for line in quote.lines:
        typed = {each["cell"] for each in quote.record if each["line"] == line.line.no}
        if "qty" in typed and "qty" in columns and line.line.qty:
            changes.append(CellChange(line.line.row, columns["qty"], Decimal(line.line.qty), over=True))
        if not line.is_priced:
            continue
        values = {
            "price": Decimal(line.unit_price) if line.unit_price else None, "amount": line.amount,
            "code": line.chosen or None,
        }  # fmt: skip
        for target, value in values.items():
            if value is not None and target in columns and not (target == "code" and line.line.code):
                changes.append(CellChange(line.line.row, columns[target], value))
    return changes
