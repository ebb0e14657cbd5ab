"""PowerPoint: the text of each slide and of its notes.

Read from the XML: python-pptx brings 20 MB of code for pictures with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from app.core.knowledge import Passage

from .packed import opened, part, xml

_TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")


def passages(path: Path) -> Iterator[Passage]:
    with opened(path) as archive:
        names = set(archive.namelist())
        numbers = sorted(int(match[1]) for name in names if (match := _SLIDE.fullmatch(name)))
        for number in numbers:
            lines = _lines(part(archive, f"ppt/slides/slide{number}.xml"))
            notes = f"ppt/notesSlides/notesSlide{number}.xml"
            if notes in names:
                lines += _lines(part(archive, notes))
            yield Passage("\n".join(lines), page=number, heading=lines[0][:120] if lines else "")


def _lines(data: bytes) -> list[str]:
    paragraphs = xml(data).iter(f"{_TEXT}p")
    lines = ("".join(run.text or "" for run in paragraph.iter(f"{_TEXT}t")) for paragraph in paragraphs)
    return [line.strip() for line in lines if line.strip() and not line.strip().isdigit()]
