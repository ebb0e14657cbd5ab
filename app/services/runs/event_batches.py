"""Joins successive texts of a run into one line of its log.

A model sends one word at a time, and a row for each would cost more than the model. The log counts its own lines:
`seq` is 0, 1, 2 … without a gap, as in the live stream, where the same text is more lines. A joined line has the time
of its first piece. Both streams fold into the same message.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.core.run.event_line import Stamped
from app.core.run.events import Delta, RunEvent, ToolText


class Gathering:
    """`most`: characters at which a line is long enough, so that a replay still streams."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lines: list[Stamped] = []
        self._next = 0
        self._first: Stamped | None = None
        """The first of the pieces that are one line so far."""
        self._pieces: list[str] = []
        self._size = 0
        self.chars = 0
        """Of text taken since the last `give`."""

    def take(self, line: Stamped) -> None:
        event = line.event
        if not isinstance(event, Delta | ToolText):
            self._close()
            self._add(line)
            return
        self.chars += len(event.text)
        first = self._first.event if self._first is not None else None
        if first is not None and _is_one_text(first, event) and self._size < self._most:
            self._pieces.append(event.text)
            self._size += len(event.text)
            return
        self._close()
        self._first, self._pieces, self._size = line, [event.text], len(event.text)

    def give(self) -> list[Stamped]:
        """What was taken since the last time; a line that was given does not grow any more."""
        self._close()
        lines, self._lines, self.chars = self._lines, [], 0
        return lines

    def give_back(self, lines: Iterable[Stamped]) -> None:
        """They were not written: they come again, before what was taken since."""
        self._lines[:0] = lines

    def _close(self) -> None:
        if (first := self._first) is None:
            return
        event = first.event
        assert isinstance(event, Delta | ToolText), "only text is kept open"
        text = "".join(self._pieces)
        self._first = None
        self._add(first if len(self._pieces) == 1 else _with(first, replace(event, text=text)))

    def _add(self, line: Stamped) -> None:
        if line.seq != self._next:
            line = Stamped(self._next, line.t, line.run, line.session, line.event, line.parent)
        self._next += 1
        self._lines.append(line)


def _is_one_text(first: RunEvent, next: Delta | ToolText) -> bool:
    if isinstance(first, ToolText) and isinstance(next, ToolText):
        return first.id == next.id
    return type(first) is type(next) and isinstance(first, Delta) and first.step == next.step


def _with(line: Stamped, event: RunEvent) -> Stamped:
    return Stamped(line.seq, line.t, line.run, line.session, event, line.parent)
