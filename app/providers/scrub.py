"""Text from outside → text that every store, file and widget can hold."""

from __future__ import annotations

from typing import Final

_NUL_PICTURE: Final = "\u2400"


def scrub(text: str) -> str:
    """Lone surrogates become U+FFFD (they cannot be stored), NUL becomes its picture (SQLite stops at it)."""
    if "\0" in text:
        text = text.replace("\0", _NUL_PICTURE)
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        # JSON pairs escaped surrogates itself, so what is left here is alone – or a pair split over two deltas.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
