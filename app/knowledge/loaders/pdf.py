"""PDF by pypdfium2: a passage per page, with its number. From pages that are pictures nothing is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.core.knowledge import Passage

from . import Unreadable

MOST_PAGES = 5_000


def passages(path: Path) -> Iterator[Passage]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise Unreadable("password" if "password" in str(error).lower() else "damaged") from error
    has_text = False
    try:
        for number in range(min(len(document), MOST_PAGES)):
            page = document[number]
            reader = page.get_textpage()
            text = reader.get_text_range().replace("\r\n", "\n").replace("\x00", "").replace("\ufffe", "").strip()
            reader.close()
            page.close()
            if text:
                has_text = True
                yield Passage(text, page=number + 1)
    except pypdfium2.PdfiumError as error:
        raise Unreadable("damaged") from error
    finally:
        document.close()
    if not has_text:
        raise Unreadable("scan")
