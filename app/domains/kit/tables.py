"""A table once: as a card, and as a file for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.tools.card import Card

from .files import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What programs take for the beginning of a formula in a csv; some of them in full width too."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    key: str
    label: str
    is_number: bool = False
    """Set right."""

    def to_json(self) -> dict[str, str]:
        return {"key": self.key, "label": self.label, **({"align": "right"} if self.is_number else {})}


def table_card(
    title: str,
    columns: Sequence[Column],
    rows: Iterable[Row],
    *,
    chart: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
) -> Card:
    """Of each row what the columns name; what it does not have is empty."""
    cells = [{column.key: _shown(row.get(column.key)) for column in columns} for row in rows]
    payload: dict[str, Any] = {"title": title, "columns": [column.to_json() for column in columns], "rows": cells}
    if isinstance(chart, Mapping):
        payload["chart"] = dict(chart)
    elif chart:
        payload["chart"] = [dict(one) for one in chart]
    return Card("table", payload)


def csv_file(columns: Sequence[Column], rows: Iterable[Row]) -> bytes:
    """UTF-8 with the mark that spreadsheets look for; a text they would take for a formula stays a text."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([column.label for column in columns])
    for row in rows:
        writer.writerow([_cell(row.get(column.key)) for column in columns])
    return ("\ufeff" + out.getvalue()).encode()


def _shown(value: Any) -> Any:
    return "" if value is None else value


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return "" if value is None else value
    return no_formula(printable(value))


def no_formula(text: str) -> str:
    """A text that no program takes for a formula when it opens a csv."""
    return f"'{text}" if text.startswith(_FORMULA) else text
