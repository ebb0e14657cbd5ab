"""One reader per kind of file, each a generator of passages. They run in the reading process, never in the window.

To add one: a file with `passages(path)`, its suffixes in LOADERS. A reader raises `Unreadable` with a code of
`app/core/wording/knowledge.py` for what it can name; whatever else it raises counts as `damaged`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from app.core.knowledge import Passage

LARGEST = 200_000_000
"""Bytes of one file."""
MOST_TEXT = 20_000_000
"""Characters that are kept of one file; what is longer is cut and said."""
MOST_UNPACKED = 400_000_000
"""Bytes of all parts of one packed file: more is an attack or no document."""


class Unreadable(Exception):
    """`code`: large, empty, password, damaged, scan, bomb, binary, time, memory, gone, kind."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


LOADERS: Mapping[str, str] = {
    **dict.fromkeys((".txt", ".rst", ".log", ".json", ".toml", ".yaml", ".yml", ".tex"), "text"),
    **dict.fromkeys((".md", ".markdown"), "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".csv", ".tsv"), "table"),
    **dict.fromkeys((".xlsx", ".xls", ".ods"), "sheets"),
    ".pdf": "pdf",
    ".docx": "docx",
    ".pptx": "slides",
    ".epub": "epub",
    ".eml": "mail",
}


def load(path: Path) -> Iterator[Passage]:
    """The text of a file in its own pieces: pages, rows, sections. Raises Unreadable."""
    name = LOADERS.get(path.suffix.lower())
    if name is None:
        raise Unreadable("kind")
    try:
        size = path.stat().st_size
    except OSError as error:
        raise Unreadable("gone") from error
    if size > LARGEST:
        raise Unreadable("large")
    read: Callable[[Path], Iterator[Passage]] = import_module(f"{__name__}.{name}").passages
    return _kept(read(path))


def _kept(pieces: Iterator[Passage]) -> Iterator[Passage]:
    length = 0
    for piece in pieces:
        text = piece.text[: MOST_TEXT - length]
        length += len(text)
        if text.strip():
            yield piece if text == piece.text else replace(piece, text=text)
        if length >= MOST_TEXT:
            return
