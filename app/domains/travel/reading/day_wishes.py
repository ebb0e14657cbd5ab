"""What is to be on which day: "第一天故宫和景山，第二天长城", "Colosseum on day 1, the Vatican on day 2"."""

from __future__ import annotations

from app.core.reading.text import is_chinese, spans
from app.core.slots import Slots, Surroundings, Table

from .places import days_said, gazetteer


def read_day_wishes(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A list of {day, stops}. Days stand before the places they are for, or behind them, throughout a sentence."""
    sights = [m for m in gazetteer(around).mentions(text, around.known) if m.place.kind == "sight"]
    total = days_said(text, table) or int(str(around.known.get("days") or 0))
    marks = sorted(
        (at, end, total if day < 0 else day)
        for word, day in table["words"].items()
        for at, end in spans(text, word)
        if day > 0 or total
    )
    if not sights or not marks:
        return {}
    behind = sights[0].at < marks[0][0]
    wishes: dict[int, list[str]] = {}
    for m in sights:
        if behind:
            day = next((day for at, _, day in marks if at >= m.end), 0)
        else:
            day = next((day for _, end, day in reversed(marks) if end <= m.at), 0)
        if day:
            wishes.setdefault(day, []).append(m.place.name(is_chinese(text)))
    return {name: [{"day": day, "stops": stops} for day, stops in sorted(wishes.items())]} if wishes else {}
