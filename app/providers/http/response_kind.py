"""What a 200 really is, by its first bytes: a stream, one JSON answer, a web page, or nothing.

Servers mislabel streams, and networks answer for servers, so the content type is not asked.
"""

from __future__ import annotations

import html
import json
from typing import Any, Final, Literal

from app.providers.http.sse import BOM

BodyKind = Literal["unknown", "stream", "json", "page", "text"]

MAX_PAGE_BYTES: Final = 64 * 1024
_SPACE: Final = b" \t\r\n"
_MAX_SPACE: Final = 4096


def kind_of(head: bytes) -> BodyKind:
    """ "unknown" as long as nothing but white space has come."""
    first = head[:_MAX_SPACE].removeprefix(BOM).lstrip(_SPACE)
    if not first or (len(head) < len(BOM) and BOM.startswith(head)):
        return "unknown" if len(head) < _MAX_SPACE else "stream"
    if first[:1] == b"{" or first[:1] == b"[":
        return "json"
    if first[:1] == b"<":
        return "page"
    if len(first) < 6 and not any(c in first for c in b":\r\n") and any(w.startswith(first) for w in _FIELDS):
        return "unknown"
    return "stream" if first.startswith(_FIELDS) else "text"


_FIELDS: Final = (b":", b"data", b"event", b"id", b"retry", b"error")


def read_json(body: bytes) -> Any:
    """The value, or None if this is not one JSON document."""
    try:
        return decode_json(body.removeprefix(BOM).decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def read_lines(body: bytes) -> tuple[list[Any] | None, bool]:
    """The values of a body with one document a line, or None; and whether a last line that was cut is left out."""
    values = [read_json(line) for line in body.splitlines() if line.strip()]
    cut = bool(values) and values[-1] is None
    while values and values[-1] is None:
        values.pop()
    return (values if len(values) > 1 and None not in values else None), cut


# Infinity and NaN are no JSON, but they are in fields nobody reads (logprobs) of streams that are fine.
decode_json: Final = json.JSONDecoder(parse_constant=lambda _: None).decode


def page_title(body: bytes) -> str:
    """The title of a web page as plain text, "" if it has none. Nothing else of a page is ever shown."""
    text = body[:MAX_PAGE_BYTES].decode("utf-8", "replace")
    start = text.lower().find("<title")
    inner = text.find(">", start) + 1 if start >= 0 else 0
    if not inner:
        return ""
    end = text.find("<", inner)
    title = html.unescape(text[inner : end if end >= 0 else inner + 200])
    return " ".join(title.replace("<", " ").split())[:120]
