"""A page of a PDF as a picture, with the place of a text on it. Runs in the reading process: PDF files are hostile."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from typing import Any

from .loaders import LARGEST, Unreadable

LONGEST_SIDE = 1_800
"""Pixels."""
_SCALE = 2.0


def picture(path: Path, page: int, text: str) -> dict[str, Any]:
    """`pixels` (zlib, base64) of `width` × `height` in RGBX, and `boxes` [left, top, right, bottom] in pixels.

    `page` counts from 1. No boxes where the text is not on the page. Raises Unreadable.
    """
    import pypdfium2

    if path.stat().st_size > LARGEST:
        raise Unreadable("large")
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise Unreadable("password" if "password" in str(error).lower() else "damaged") from error
    try:
        if not 1 <= page <= len(document):
            raise Unreadable("gone")
        sheet = document[page - 1]
        width, height = sheet.get_size()
        scale = min(_SCALE, LONGEST_SIDE / max(width, height, 1))
        bitmap = sheet.render(scale=scale, rev_byteorder=True, force_bitmap_format=pypdfium2.raw.FPDFBitmap_BGRx)
        pixels = bytes(bitmap.buffer)
        if bitmap.stride != bitmap.width * 4:
            pixels = b"".join(
                pixels[row * bitmap.stride : row * bitmap.stride + bitmap.width * 4] for row in range(bitmap.height)
            )
        boxes = [
            [left * scale, (height - top) * scale, right * scale, (height - bottom) * scale]
            for left, bottom, right, top in _places(sheet.get_textpage(), text)
        ]
        packed = base64.b64encode(zlib.compress(pixels, 1)).decode("ascii")
        return {"width": bitmap.width, "height": bitmap.height, "pixels": packed, "boxes": boxes}
    except pypdfium2.PdfiumError as error:
        raise Unreadable("damaged") from error
    finally:
        document.close()


def _places(reader: Any, text: str) -> list[tuple[float, float, float, float]]:
    """The rectangles of the lines that hold `text`: spaces, breaks and what was cleaned away do not count."""
    wanted = "".join(char for char in text if not char.isspace())
    whole = reader.get_text_range()
    visible = [place for place, char in enumerate(whole) if not (char.isspace() or char in "\x00\ufffe")]
    start = "".join(whole[place] for place in visible).find(wanted)
    if not wanted or start < 0:
        return []
    first, last = visible[start], visible[start + len(wanted) - 1]
    return [reader.get_rect(n) for n in range(reader.count_rects(first, last - first + 1))]
