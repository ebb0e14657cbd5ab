"""Files of one JSON object a line: the messages of a thread of Jan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..document import Body, SessionDocument
from ..foreign_parts import ImportContext, body_of, text_of
from ..strict_json import ImportRefused, read_json
from .jan import is_jan, read_jan

_MARK = b'"thread.message"'
_BEGINNING = 100_000


def are_lines(data: bytes) -> bool:
    return data.lstrip()[:1] == b"{" and _MARK in data[:_BEGINNING]


def read_lines(data: bytes, thread: Any, reading: ImportContext) -> Iterator[SessionDocument]:
    """A document for each thread; a line that was cut off is left out and counted. Raises ImportRefused."""
    threads: dict[str, list[Body]] = {}
    for line in data.splitlines():
        if not line.strip():
            continue
        try:
            message = body_of(read_json(line))
        except ImportRefused:
            reading.remarks.add("lines")
            continue
        threads.setdefault(text_of(message.get("thread_id")), []).append(message)
    for id, messages in threads.items():
        body = {"thread": thread or {"id": id}, "messages": messages}
        document = read_jan(body, reading) if is_jan(body) else None
        if document is not None and document.messages:
            yield replace(document, program="Jan")
        else:
            reading.remarks.add("empty")
