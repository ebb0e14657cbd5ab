"""A trip as a file others read: calendar, text, page, Word document, table, map.

`FORMATS` names a writer for each; a writer takes a `Journey` and returns the bytes. Where the file may lie is decided
in `kit/files`. A picture and a PDF are none of these: the window paints them (`tools/export`). To add a format: a
writer, a line here, its name in the schema of export_trip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from . import geo, ics, pages, tables, word
from .journey import Journey

FORMATS: Mapping[str, Callable[[Journey], bytes]] = {
    "ics": ics.write,
    "md": pages.markdown,
    "html": pages.html,
    "docx": word.docx,
    "csv": tables.stops_csv,
    "geojson": geo.geojson,
    "gpx": geo.gpx,
}

__all__ = ["FORMATS", "Journey"]
