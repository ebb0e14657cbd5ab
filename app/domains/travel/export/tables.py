"""The trip as a table for a spreadsheet: one row for each stop."""

from __future__ import annotations

from ...kit.tables import Column, csv_file
from ..itinerary_card import texts
from ..wording import say_in
from .journey import Journey, name_of

_KEYS = ("day", "date", "start", "end", "kind", "name", "mode", "minutes", "km", "cost", "notes")


def stops_csv(journey: Journey) -> bytes:
    heads = say_in(journey.language, "day,date,start,end,kind,name,mode,minutes,km,cost,notes").split(",")
    rows = []
    for day, stop in journey.stops():
        way = stop.get("transfer") or {}
        notes = "; ".join([*texts(stop, "notes"), *texts(stop, "warnings")])
        rows.append({
            "day": day.get("day"), "date": day.get("date"), "start": stop.get("start"), "end": stop.get("end"),
            "kind": stop.get("kind") or "sight", "name": name_of(stop), "mode": way.get("mode"),
            "minutes": way.get("min"), "km": way.get("km"), "cost": stop.get("cost"), "notes": notes,
        })  # fmt: skip
    return csv_file([Column(key, head) for key, head in zip(_KEYS, heads, strict=True)], rows)
