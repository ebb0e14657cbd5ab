"""Text a server wrote: made storable, stripped for the model, cut. For a person's eye the window marks it instead."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

NUL_PICTURE: Final = "\u2400"
_KEPT: Final = frozenset("\n\t")
_JOINERS: Final = frozenset("\u200c\u200d")  # Persian, Indic scripts and emoji families need them
_HIDDEN: Final = ("Cc", "Cf", "Zl", "Zp", "Cs", "Co")


def scrub(text: str) -> str:
    """Lone surrogates become U+FFFD, NUL its picture: every store and widget can hold what is left."""
    if "\0" in text:
        text = text.replace("\0", NUL_PICTURE)
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def has_hidden(text: str) -> bool:
    """Characters that cannot be seen or that reorder what can."""
    return not (text.isascii() and text.isprintable()) and any(_is_hidden(char) for char in text)


def for_model(text: str, limit: int) -> str:
    """Without hidden characters, and at most `limit` characters."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(char for char in text[: limit * 4] if not _is_hidden(char))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _is_hidden(char: str) -> bool:
    if char in _KEPT or char in _JOINERS:
        return False
    if "\ufe00" <= char <= "\ufe0e" or "\U000e0100" <= char <= "\U000e01ef":
        return True  # variation selectors can carry bytes; U+FE0F makes an emoji one
    return unicodedata.category(char) in _HIDDEN


def scrub_all(value: Any) -> Any:
    """Every text of a JSON value scrubbed in place; the value itself if it is a text."""
    if isinstance(value, str):
        return scrub(value)
    open_: list[Any] = [value]
    while open_:
        node = open_.pop()
        if isinstance(node, dict):
            for key in [key for key in node if not key.isascii() or "\0" in key]:
                node[scrub(key)] = node.pop(key)
            for key, inner in node.items():
                if isinstance(inner, str):
                    if not inner.isascii() or "\0" in inner:
                        node[key] = scrub(inner)
                elif isinstance(inner, dict | list):
                    open_.append(inner)
        elif isinstance(node, list):
            for place, inner in enumerate(node):
                if isinstance(inner, str):
                    node[place] = scrub(inner)
                elif isinstance(inner, dict | list):
                    open_.append(inner)
    return value
