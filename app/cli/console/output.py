"""How commands print: JSON lines, plain tables, errors with what to do."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.core.errors import ForThePerson, TriptychError
from app.core.run.events import Notice
from app.core.text.hidden import harmless
from app.core.text.i18n import current_language
from app.core.wording.errors import detail_text, error_text
from app.core.wording.notices import notice_text
from app.core.wording.reasons import reason_text


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


def error_lines(code: str, message: str, hint: str, params: Mapping[str, Any]) -> list[str]:
    """What happened, and what to do. Errors are worded in English; in another language by their code."""
    if current_language() == "en":
        return [line for line in (message, hint) if line]
    text, detail = error_text(code, message, params), detail_text(code, message, params)
    what = f"{text.what} ({detail})" if detail and detail not in text.what else text.what
    if (reason := reason_text(params)) and reason not in what:
        what = reason
    return [line for line in (what, text.do) if line]


def notice_line(notice: Notice) -> str:
    """As `error_lines`."""
    text = notice.text if current_language() == "en" else ""
    return text or notice_text(notice.code, notice.text, notice.params)


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, numbers_from: int | None = None) -> None:
    """Columns as wide as what stands in them; Chinese characters count as two. Those from `numbers_from` on are set
    right."""
    lines = [tuple(head), *(tuple(str(cell) for cell in row) for row in rows)]
    widths = [max(_width(line[n]) for line in lines) for n in range(len(head))]
    for line in lines:
        cells = []
        for place, (cell, width) in enumerate(zip(line, widths, strict=True)):
            gap = " " * (width - _width(cell))
            cells.append(gap + cell if numbers_from is not None and place >= numbers_from else cell + gap)
        say("  ".join(cells).rstrip())


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def report(error: TriptychError) -> int:
    """The error in one line, what to do in another; returns the exit code."""
    for number, line in enumerate(error_lines(error.code, error.message, error.hint, error.params)):
        tell(f"  {line}" if number else f"triptych: {line}")
    return error.exit_code if isinstance(error, ForThePerson) else 1
