"""Plain text in whatever encoding it came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from app.core.knowledge import Passage
from app.core.text import encodings

from . import Unreadable

_PIECE = 200_000
"""Characters of one piece."""


def passages(path: Path) -> Iterator[Passage]:
    text = decoded(path.read_bytes())
    for start in range(0, len(text), _PIECE):
        yield Passage(text[start : start + _PIECE])


def decoded(data: bytes, names: Sequence[str] = ()) -> str:
    """Raises Unreadable("binary") for what is no text."""
    try:
        return encodings.decoded(data, names).text
    except encodings.NoText as error:
        raise Unreadable("binary") from error
