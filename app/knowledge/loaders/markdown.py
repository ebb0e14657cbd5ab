"""Markdown: sections under their headings; code fences hide what looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from app.core.knowledge import Passage

from .sections import Sections
from .text import decoded

_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*$")


def passages(path: Path) -> Iterator[Passage]:
    yield from sections(decoded(path.read_bytes()))


def sections(text: str) -> Iterator[Passage]:
    under = Sections()
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        stripped = line.lstrip()
        if stripped.startswith(("```", "~~~")):
            fence = "" if fence and stripped.startswith(fence) else fence or stripped[:3]
        match = None if fence else _HEADING.match(line)
        if match is None:
            lines.append(line)
            continue
        yield from under.passage("\n".join(lines))
        under.open(len(match[1]), match[2])
        lines = [line]
    yield from under.passage("\n".join(lines))
