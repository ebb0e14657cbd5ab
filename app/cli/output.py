"""How commands print: JSON lines, plain tables, errors with what to do."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from app.core.errors import ForThePerson, TriptychError
from app.core.text.hidden import harmless


def write(text: str) -> None:
    """To stdout at once: as it is for a file or a program, harmless for a terminal."""
    sys.stdout.write(harmless(text) if sys.stdout.isatty() else text)
    sys.stdout.flush()


def say(text: str = "") -> None:
    sys.stdout.write((harmless(text) if sys.stdout.isatty() else text) + "\n")


def tell(text: str, end: str = "\n") -> None:
    """About what is going on: stderr, which is for people."""
    sys.stderr.write(harmless(text) + end)
    sys.stderr.flush()


def json_line(value: Any) -> None:
    write(json.dumps(value, ensure_ascii=False, default=str) + "\n")


def json_page(value: Any) -> None:
    say(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Columns as wide as what stands in them; Chinese characters count as two."""
    lines = [tuple(head), *(tuple(str(cell) for cell in row) for row in rows)]
    widths = [max(_width(line[n]) for line in lines) for n in range(len(head))]
    for line in lines:
        say("  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)).rstrip())


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def report(error: TriptychError) -> int:
    """The error in one line, the hint in another; returns the exit code."""
    tell(f"triptych: {error.message}")
    if error.hint:
        tell(f"  {error.hint}")
    return error.exit_code if isinstance(error, ForThePerson) else 1
