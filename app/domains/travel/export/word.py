"""The plan as a Word document to change and to send: days as tables with their maps, then bookings, budget and food."""

from __future__ import annotations

import io
from typing import Any

from ...kit.files import printable
from ..itinerary_card import day_label, texts
from ..wording import say_in, speaks_chinese
from .journey import Journey, name_of
from .pages import day_sum, details, remarks, span

FONT = "宋体"


def docx(journey: Journey) -> bytes:
    import docx as word
    from docx.oxml.ns import qn
    from docx.shared import Cm, Pt

    document = word.Document()
    document.core_properties.title = _line(journey.title)[:255]
    normal = document.styles["Normal"]
    normal.font.size = Pt(10.5)
    if speaks_chinese(journey.language):
        normal.element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), FONT)
    document.add_heading(_line(journey.title), 0)
    for day in journey.days:
        document.add_heading(_line(day_label(day, journey.language)), 1)
        table = document.add_table(rows=0, cols=2)
        table.style = "Light List Accent 1"
        for stop in day.get("stops") or ():
            cells = table.add_row().cells
            cells[0].width, cells[1].width = Cm(3), Cm(13)
            cells[0].text = span(stop)
            cells[1].text = _line(name_of(stop) + details(journey, day, stop))
            for note in [*texts(stop, "notes"), *texts(stop, "warnings")]:
                cells[1].add_paragraph(_line(note))
        document.add_paragraph(_line(day_sum(journey, day)))
        if picture := journey.sheet.maps.get(int(day.get("day") or 0)):
            document.add_picture(io.BytesIO(picture), width=Cm(14))
    _sections(document, journey)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _sections(document: Any, journey: Journey) -> None:
    sheet, language = journey.sheet, journey.language
    if sheet.bookings:
        document.add_heading(say_in(language, "To book"), 1)
        for booking in sheet.bookings:
            document.add_paragraph(_line(f"☐ {booking.text} {booking.url}"))
    if sheet.budget:
        document.add_heading(say_in(language, "Budget"), 1)
        table = document.add_table(rows=0, cols=2)
        for label, amount in sheet.budget:
            cells = table.add_row().cells
            cells[0].text, cells[1].text = _line(label), _line(amount)
    if sheet.foods:
        document.add_heading(say_in(language, "Local food"), 1)
        document.add_paragraph(_line(say_in(language, ", ").join(sheet.foods)))
    document.add_heading(say_in(language, "Notes"), 1)
    for text in remarks(journey):
        document.add_paragraph(_line(text), style="List Bullet")


def _line(text: str) -> str:
    """One line of what a Word file may hold."""
    return " ".join(printable(text).split())
