"""Words that mix alphabets, as `pаypal` does with its Cyrillic а: shown to the person before something runs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
"""Alphabets whose letters look alike. Han, kana and hangul stand beside Latin letters in honest words."""
_LOOKED_AT = 300_000
_WORD = re.compile(r"[^\W\d_]+")
_HOST = re.compile(r"://([^/\s\"'\\]{1,255})")


def mixed_words(text: str, most: int = 5) -> list[str]:
    """Words with letters of more than one such alphabet, and hosts of addresses with letters beyond ASCII."""
    if text.isascii():
        return []
    return list(dict.fromkeys(_found(text[:_LOOKED_AT])))[:most]


def told(word: str) -> str:
    """The word with the letters that are not what they look like named: `p⟦а U+0430⟧ypal`."""
    if not any(char.isascii() and char.isalpha() for char in word):
        return word
    return "".join(char if char.isascii() else f"⟦{char} U+{ord(char):04X}⟧" for char in word)


def _found(text: str) -> Iterator[str]:
    for host in _HOST.findall(text):
        if not host.isascii():
            yield host
    for word in _WORD.findall(text):
        if not word.isascii() and len({script for char in word if (script := _script(char))}) > 1:
            yield word


def _script(char: str) -> str:
    name = unicodedata.name(char, "").partition(" ")[0]
    return name if name in _SCRIPTS else ""
