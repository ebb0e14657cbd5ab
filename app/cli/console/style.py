"""Colour and width of a terminal; a pipe, NO_COLOR and a dumb terminal get neither colour nor rewritten lines."""

from __future__ import annotations

import os
import shutil
import unicodedata
from typing import IO

WIDEST = 80
_CODES = {"bold": "1", "dim": "2", "italic": "3", "ok": "32", "warn": "33", "error": "31", "accent": "34"}
_ASCII = {"✓": "+", "↻": "~", "!": "!", "✗": "x", "–": "-", "…": "...", "·": "-", "•": "*", "│": "|", "─": "-"}


class Style:
    """Of one stream."""

    def __init__(self, stream: IO[str]) -> None:
        is_terminal = stream.isatty()
        term = os.environ.get("TERM", "" if os.name != "nt" else "windows")
        self.is_terminal = is_terminal
        self.is_live = is_terminal and term not in ("", "dumb") and not os.environ.get("NO_COLOR")
        self.columns = min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns) if is_terminal else WIDEST
        self._encoding = getattr(stream, "encoding", None) or "utf-8"

    def paint(self, text: str, *looks: str) -> str:
        """`text` has been made harmless before."""
        if not self.is_live or not text:
            return text
        return f"\x1b[{';'.join(_CODES[look] for look in looks)}m{text}\x1b[0m"

    def mark(self, sign: str) -> str:
        """The sign, or what stands for it where the encoding has none."""
        try:
            sign.encode(self._encoding)
        except (UnicodeEncodeError, LookupError):
            return _ASCII.get(sign, "*")
        return sign


def width(text: str) -> int:
    """In columns; a sign that may be either is taken for the wide one."""
    return sum(2 if unicodedata.east_asian_width(char) in "WFA" else 1 for char in text)


def cut(text: str, columns: int) -> str:
    """At most so many columns, with … for what is missing."""
    if width(text) <= columns:
        return text
    kept, used = [], 2
    for char in text:
        used += width(char)
        if used > columns:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


def padded(text: str, columns: int) -> str:
    return text + " " * max(0, columns - width(text))
