"""The trip as a table (CSV, UTF-8 with the mark that spreadsheets look for)."""

from __future__ import annotations

import csv
import io
from typing import Any

from ..itinerary_card import texts
from ..wording import say_in
from .journey import Journey, name_of, printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_file(journey: Journey) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    heads = say_in(journey.language, "day,date,start,end,kind,name,mode,minutes,km,cost,notes")
    writer.writerow(heads.split(","))
    for day, stop in journey.stops():
        way = stop.get("transfer") or {}
        notes = "; ".join([*texts(stop, "notes"), *texts(stop, "warnings")])
        row = (
            day.get("day"), day.get("date"), stop.get("start"), stop.get("end"), stop.get("kind") or "sight",
            name_of(stop), way.get("mode"), way.get("min"), way.get("km"), stop.get("cost"), notes,
        )  # fmt: skip
        writer.writerow([_cell(value) for value in row])
    return ("\ufeff" + out.getvalue()).encode()


def _cell(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    if not isinstance(value, str):
        return "" if value is None else value
    text = printable(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
