"""Compatible forms as one (NFKC): full-width letters, ligatures and the like. As the standard library, only sooner."""

from __future__ import annotations

import unicodedata

_SIGNS = tuple((sign, unicodedata.normalize("NFKC", sign)) for sign in "，！？：；（）")
"""What Chinese text is full of, and nothing composes with."""


def nfkc(text: str) -> str:
    """The signs of Chinese sentences apart, most texts are of this form already, which is told twenty times sooner."""
    if text.isascii():
        return text
    for sign, plain in _SIGNS:
        text = text.replace(sign, plain)
    return unicodedata.normalize("NFKC", text)
