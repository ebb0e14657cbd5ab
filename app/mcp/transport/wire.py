"""Bytes of a server → JSON values, with limits that keep the interpreter responsive whatever is sent.

One C call that parses some megabytes of small values holds every thread of the program for its time, the window's too.
So a line's size, its number of values and its depth are bounded before anything looks at it.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

from app.core.text.i18n import _

from ..texts import scrub_all

LONGEST_LINE: Final = 8 * 1024 * 1024
MOST_VALUES: Final = 200_000
DEEPEST: Final = 64
MOST_DIGITS: Final = 4_000
"""Of a whole number; beyond, it counts as one that is not finite."""
MOST_SIGNS: Final = 300_000
"""Quotes and brackets of a message that is made flat: going from one to the next takes a second for a million, in
which no other server is heard."""
_SIGN = re.compile(rb'["\[\]{}]')
_IN_TEXT = re.compile(rb'["\\]')
_ID = re.compile(rb'"id"\s{0,4}:\s{0,4}(\d{1,12})')
"""Searched in a bounded piece of a line only."""


class Damaged(ValueError):
    """A message that cannot be read. `id` is the request it seems to answer."""

    def __init__(self, why: str, id: int | None = None) -> None:
        super().__init__(why)
        self.why, self.id = why, id


class TooLong(Exception):
    """A line beyond the limit: no more is read from this server."""


class LineReader:
    """Cuts a stream into lines without copying bytes it has already searched."""

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
            raise TooLong(_("a message longer than {n} MB").format(n=self._limit // (1024 * 1024)))
        if part:
            self._parts.append(part)


def values_in(data: bytes) -> int:
    """At most how many JSON values these bytes hold."""
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def read(line: bytes) -> Any:
    """One JSON value, its texts storable. Raises Damaged.

    Numbers that are not finite stay: whoever reads a result or a schema refuses them there, and the others continue.
    """
    if values_in(line) > MOST_VALUES:
        raise Damaged(_("a message of more than {n} values").format(n=MOST_VALUES), _id_in(line))
    try:
        try:
            value = _parsed(line)
        except RecursionError:
            value = _parsed(_shallow(line))
        if depth(value) > DEEPEST:
            value = _parsed(_shallow(line))
    except Damaged:
        raise
    except ValueError as error:
        raise Damaged(_("a message that is no JSON: {error}").format(error=error)[:200], _id_in(line)) from None
    return scrub_all(value)


def _shallow(line: bytes) -> bytes:
    if line.count(b'"') + values_in(line) > MOST_SIGNS:
        raise Damaged(_("a message that is nested too deeply"), _id_in(line))
    return flattened(line)


def _parsed(line: bytes) -> Any:
    text = line.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python makes no number of so many digits; it is one number, not the whole message
        return json.loads(text, parse_int=_whole_number)


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= MOST_DIGITS else math.copysign(math.inf, -1 if digits[0] == "-" else 1)


def flattened(line: bytes) -> bytes:
    """The same JSON with null for whatever stands deeper than DEEPEST: one deep tool must not cost the others.

    Goes from sign to sign, so it takes as long as the line is, whatever is in it.
    """
    kept: list[bytes] = []
    place = deep = start = 0
    while (sign := _SIGN.search(line, place)) is not None:
        place = sign.end()
        if sign[0] == b'"':
            place = _end_of_text(line, place)
        elif sign[0] in b"[{":
            deep += 1
            if deep == DEEPEST + 1:
                kept += [line[start : sign.start()], b"null"]
        else:
            deep -= 1
            if deep == DEEPEST:
                start = place
    return b"".join([*kept, line[start:]]) if deep <= DEEPEST else b"".join(kept)


def _end_of_text(line: bytes, place: int) -> int:
    while (sign := _IN_TEXT.search(line, place)) is not None:
        if sign[0] == b'"':
            return sign.end()
        place = sign.end() + 1
    return len(line)


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
    match = _ID.search(line[:400]) or _ID.search(line[-400:])
    return int(match[1]) if match else None
