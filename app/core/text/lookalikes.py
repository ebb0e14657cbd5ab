"""Words that mix alphabets, as `pаypal` does with its Cyrillic а: shown to the person before something runs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from .folding import folded

_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
"""Alphabets whose letters look alike. Han, kana and hangul are beside Latin letters in honest words."""
_LOOKED_AT = 300_000
_WORD = re.compile(r"[^\W\d_]+")
_HOST = re.compile(r"://([^/\s\"'\\]{1,255})")


def mixed_words(text: str, most: int = 5) -> list[str]:
    """Words with letters of more than one such alphabet, words that are not ours and look it, and hosts of addresses
    with letters beyond ASCII."""
    if text.isascii():
        return []
    return list(dict.fromkeys(_found(text[:_LOOKED_AT])))[:most]


def told(word: str) -> str:
    """The word with the letters that are not what they look like named: `p⟦а U+0430⟧ypal`."""
    if not any(char.isascii() and char.isalpha() for char in word) and not _all_alike(word):
        return word
    return "".join(char if char.isascii() else f"⟦{char} U+{ord(char):04X}⟧" for char in word)


def _found(text: str) -> Iterator[str]:
    for host in _HOST.findall(text):
        if not host.isascii():
            yield host
    alike: dict[str, list[str]] = {}
    honest: set[str] = set()
    for word in _WORD.findall(_HOST.sub(" ", text)):
        if word.isascii():
            continue
        scripts = {script for char in word if (script := _script(char))}
        if len(scripts) > 1:
            yield word
        elif scripts and scripts != {"LATIN"}:
            if _all_alike(word):
                alike.setdefault(scripts.pop(), []).append(word)
            else:
                honest |= scripts
    # A text in Russian holds words that look Latin, too; one in which every Russian word does is none.
    for script, words in alike.items():
        if script not in honest:
            yield from (word for word in words if len(word) > 1)


def _all_alike(word: str) -> bool:
    """Not one letter of ours, and not one that does not look like ours."""
    return not word.isascii() and all(not char.isascii() and folded(char).isascii() for char in word)


def _script(char: str) -> str:
    name = unicodedata.name(char, "").partition(" ")[0]
    return name if name in _SCRIPTS else ""
