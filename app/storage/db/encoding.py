"""Values to the text that is stored, and its checksum.

Text that is no text – half a surrogate pair, a NUL – would be refused or cut by the disk or by a
later reader; it is replaced on the way in, so that the rest of the message is never lost with it.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

CHECKSUM_SIZE = 8
NUL = "\N{SYMBOL FOR NULL}"


def to_text(body: Any) -> str:
    """JSON in one line. What JSON does not know (a date) is stored as its `str`."""
    text = _dump(body)
    if "\\u0000" in text or not _is_whole(text):
        text = _dump(clean_all(body))
    return text


def from_text(text: str) -> Any:
    return json.loads(text)


def readable(text: Any) -> Any:
    """`from_text`, but None where there is no JSON in it, as where a disk has failed."""
    try:
        return from_text(text)
    except (ValueError, TypeError, RecursionError):
        return None


def object_in(text: Any) -> dict[str, Any]:
    """The object that `text` holds; an empty one if there is none."""
    body = readable(text)
    return body if isinstance(body, dict) else {}


def names_in(body: Any) -> list[str]:
    """The texts of a list of them; none if `body` is no list."""
    return [one for one in body if isinstance(one, str)] if isinstance(body, list) else []


def clean(text: str) -> str:
    """`text` with every lone surrogate and NUL replaced by a sign for it; pairs become their character."""
    if not _is_whole(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\0", NUL)


def checksum(text: Any) -> bytes:
    """b"" for what is no text, which is the checksum of nothing."""
    if not isinstance(text, str):
        return b""
    return blake2b(text.encode(), digest_size=CHECKSUM_SIZE).digest()


def one_line(text: str, limit: int) -> str:
    """The beginning of `text` with every run of white space as one space."""
    # Four times the limit is looked at, so that a book pasted in is not split whole.
    return " ".join(text[: 4 * limit].split())[:limit].rstrip()


# Made once: `json.dumps` with separators builds an encoder at every call.
_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode


def _is_whole(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def clean_all(body: Any) -> Any:
    """`clean` for every text in a value of JSON, its keys too."""
    if isinstance(body, str):
        return clean(body)
    if isinstance(body, dict):
        return {clean(key) if isinstance(key, str) else key: clean_all(value) for key, value in body.items()}
    if isinstance(body, list | tuple):
        return [clean_all(item) for item in body]
    return body
