"""The trip as a table (CSV, UTF-8 with the mark that spreadsheets look for)."""

from __future__ import annotations

import csv
import io
from typing import Any

from ..itinerary_card import texts
from ..wording import said
from .journey import Journey, name_of, printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_file(journey: Journey) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    heads = (
        "天,日期,开始,结束,类型,名称,交通,分钟,公里,费用,备注",
        "day,date,start,end,kind,name,mode,minutes,km,cost,notes",
    )
    writer.writerow(said(journey.language, *heads).split(","))
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
