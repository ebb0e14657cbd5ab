"""Plain text in whatever encoding it came: UTF-8 and UTF-16 by mark or form, else GB18030, else Latin-1."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path

from app.core.knowledge import Passage

from . import Unreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOK = 65_536
_PIECE = 200_000
"""Characters of one piece."""


def passages(path: Path) -> Iterator[Passage]:
    text = decoded(path.read_bytes())
    for start in range(0, len(text), _PIECE):
        yield Passage(text[start : start + _PIECE])


def decoded(data: bytes) -> str:
    """Raises Unreadable("binary") for what is no text."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data.decode(name, "replace")
    head = data[:_LOOK]
    if (wide := _wide(head)) is not None:
        return data.decode(wide, "replace")
    if b"\x00" in head:
        raise Unreadable("binary")
    for name in ("utf-8", "gb18030"):
        try:
            return data.decode(name)
        except UnicodeDecodeError as error:
            # A file cut in the middle of its last character is still what it is.
            if error.start >= len(data) - 4 and error.start > 0:
                return data.decode(name, "ignore")
    return data.decode("latin-1")


def _wide(head: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of Latin text is zero, and of Chinese text the line breaks are."""
    if len(head) < 4 or (len(head) % 2 and len(head) < _LOOK):
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.3 and even < half * 0.05:
        return "utf-16-le"
    if even > half * 0.3 and odd < half * 0.05:
        return "utf-16-be"
    for name, line_end in (("utf-16-le", b"\n\x00"), ("utf-16-be", b"\x00\n")):
        if line_end in head and b"\x00" in head:
            try:
                text = head[: len(head) // 2 * 2].decode(name)
            except UnicodeDecodeError:
                continue
            if sum("\u4e00" <= char <= "\u9fff" for char in text) > len(text) * 0.3:
                return name
    return None
