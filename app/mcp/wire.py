"""Bytes of a server → JSON values, with limits that keep the interpreter responsive whatever is sent.

One C call that parses some megabytes of small values holds every thread of the program for its time, the window's too.
So a line's size, its number of values and its depth are bounded before anything looks at it.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from .texts import scrub_all

LONGEST_LINE: Final = 8 * 1024 * 1024
MOST_VALUES: Final = 200_000
DEEPEST: Final = 64
_ID = re.compile(rb'"id"\s{0,4}:\s{0,4}(\d{1,12})')
"""Searched in a bounded piece of a line only."""


class Damaged(ValueError):
    """A message that cannot be read. `id` is the request it seems to answer."""

    def __init__(self, why: str, id: int | None = None) -> None:
        super().__init__(why)
        self.why, self.id = why, id


class TooLong(Exception):
    """A line beyond the limit: no more is read from this server."""


class Lines:
    """Cuts a stream into lines without copying what has already been looked at."""

    def __init__(self, limit: int = LONGEST_LINE) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that are complete now. Raises TooLong."""
        *done, rest = chunk.split(b"\n")
        lines: list[bytes] = []
        for end in done:
            self._take(end)
            lines.append(b"".join(self._parts))
            self._parts, self._length = [], 0
        self._take(rest)
        return lines

    def _take(self, part: bytes) -> None:
        self._length += len(part)
        if self._length > self._limit:
            raise TooLong(f"a message longer than {self._limit // (1024 * 1024)} MB")
        if part:
            self._parts.append(part)


def values_in(data: bytes) -> int:
    """At most how many JSON values these bytes hold."""
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def read(line: bytes) -> Any:
    """One JSON value, its texts storable. Raises Damaged. NaN and the infinities become null."""
    if values_in(line) > MOST_VALUES:
        raise Damaged(f"a message of more than {MOST_VALUES} values", _id_in(line))
    try:
        value = json.loads(line.decode("utf-8", "replace"), parse_constant=lambda _word: None)
    except RecursionError:
        raise Damaged("a message that is nested too deeply", _id_in(line)) from None
    except ValueError as error:
        raise Damaged(f"a message that is no JSON: {error}"[:200], _id_in(line)) from None
    if depth(value) > DEEPEST:
        raise Damaged("a message that is nested too deeply", _id_in(line))
    return scrub_all(value)


def depth(value: Any) -> int:
    """How many containers stand inside each other; counts no further than one beyond the limit."""
    layer, deep = [value], 0
    while layer:
        layer = [node for node in layer if isinstance(node, dict | list)]
        if not layer:
            break
        deep += 1
        if deep > DEEPEST:
            break
        layer = [inner for node in layer for inner in (node.values() if isinstance(node, dict) else node)]
    return deep


def _id_in(line: bytes) -> int | None:
    found = _ID.search(line[:400]) or _ID.search(line[-400:])
    return int(found[1]) if found else None
