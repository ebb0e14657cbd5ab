"""Bytes of a page as text: by what the answer says, by what the page says, else by what they look like."""

from __future__ import annotations

import re

_NAMED = re.compile(
    rb"(?:<meta[^>]{0,200}?charset|<\?xml[^>]{0,100}?encoding)\s{0,5}=\s{0,5}[\"']?\s{0,5}([\w.:-]{2,40})",
    re.IGNORECASE,
)
_HEADER = re.compile(r"charset\s{0,5}=\s{0,5}[\"']?([\w.:-]{2,40})", re.IGNORECASE)


def decoded(data: bytes, content_type: str = "") -> tuple[str, str]:
    """The text and the encoding it was read by. Never raises: what cannot be read is replaced."""
    from app.core.text import encodings  # its patterns are not for a start

    header = _HEADER.search(content_type)
    named = _NAMED.search(data[:4096])
    names = [header.group(1) if header else "", named.group(1).decode("ascii", "ignore") if named else ""]
    try:
        content = encodings.decoded(data, names)
    except encodings.NoText:
        return data.decode("utf-8", "replace"), "utf-8"
    return content.text, content.encoding
