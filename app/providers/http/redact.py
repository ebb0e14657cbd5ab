"""Removes keys from every sentence that leaves this room.

The exact key is known; other secrets are recognised by their prefix. One pass, no regular expression, since error
texts come from unknown servers.
"""

from __future__ import annotations

import base64
import string
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

MASK: Final = "[key]"
_PREFIXES: Final = ("sk-", "sk_", "gsk_", "xai-", "AIza", "pplx-", "hf_", "eyJ")
_WORDS: Final = ("bearer ", "api_key=", "api-key=", "apikey=", "key=", "token=")
_TOKEN: Final = frozenset(string.ascii_letters + string.digits + "-_.~+/=*")
_LOWER: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_MIN_KEY: Final = 6
_MIN_GUESS: Final = 12


def redact(text: str, keys: Iterable[str] = ()) -> str:
    """`text` without the `keys` and without what looks like one."""
    for key in keys:
        for form in forms_of(key):
            text = text.replace(form, MASK)
    lower = text.translate(_LOWER)
    if not any(mark in text for mark in _PREFIXES) and not any(word in lower for word in _WORDS):
        return text
    return _mask_guesses(text, lower)


def forms_of(key: str) -> tuple[str, ...]:
    """The key as it is, in an address and as base64, longest first; none for what is too short to be one."""
    if len(key) < _MIN_KEY:
        return ()
    encoded = base64.b64encode(key.encode()).decode()
    return tuple(sorted({key, quote(key, safe=""), encoded, encoded.rstrip("=")}, key=len, reverse=True))


def _mask_guesses(text: str, lower: str) -> str:
    out: list[str] = []
    at = 0
    while at < len(text):
        word = next((word for word in _WORDS if lower.startswith(word, at)), "")
        if word:
            out.append(text[at : at + len(word)])
            at += len(word)
            end = _token_end(text, at)
            out.append(MASK if end - at >= _MIN_KEY else text[at:end])
            at = end
        elif (at == 0 or text[at - 1] not in _TOKEN) and text.startswith(_PREFIXES, at):
            end = _token_end(text, at)
            out.append(MASK if end - at >= _MIN_GUESS else text[at:end])
            at = end
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def _token_end(text: str, at: int) -> int:
    while at < len(text) and text[at] in _TOKEN:
        at += 1
    return at
