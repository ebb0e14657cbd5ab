"""Where the pictures of a conversation are named: files a person added, and pictures of results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.core.run.messages import Attachment, Call, Message, Text

STORED_PICTURE = re.compile(r"att:([0-9a-f]{64})")
INLINE_PICTURE = re.compile(r"data:image/(png|jpeg);base64,([A-Za-z0-9+/=]+)")
_DEEPEST = 8


def pictures_of_result(display: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Title and reference of each picture that a result's card shows."""
    if isinstance(display, Mapping):
        title = display.get("title") if isinstance(display.get("title"), str) else name
        entries: Iterable[Any] = display.values()
    elif isinstance(display, list | tuple):
        title, entries = name, display
    else:
        return
    for entry in entries:
        if isinstance(entry, str) and (found := STORED_PICTURE.fullmatch(entry)):
            yield str(title), found.group(1)
        elif depth < _DEEPEST:
            yield from pictures_of_result(entry, str(title), depth + 1)


def picture_refs(messages: Iterable[Message]) -> list[str]:
    """References of all pictures these messages show, each once."""
    refs: dict[str, None] = {}
    for part in (part for message in messages for part in message.parts):
        if isinstance(part, Attachment) and part.is_image:
            refs[part.ref] = None
        elif isinstance(part, Call) and part.result is not None:
            refs |= dict.fromkeys(ref for _title, ref in pictures_of_result(part.result.card))
        elif isinstance(part, Text):
            refs |= dict.fromkeys(STORED_PICTURE.findall(part.text))
    return list(refs)
