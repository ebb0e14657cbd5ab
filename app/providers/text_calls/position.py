"""Tracks the position in a text: start of a line, code fence, backticks. Fed piece by piece.

A call quoted in code is not a call; the reader asks here before it accepts a delimiter.
"""

from __future__ import annotations

from typing import Final

_HEAD: Final = 40
"""Characters of a line that can make it a fence."""
_SHORTEST_FENCE: Final = 3


class LinePosition:
    def __init__(self) -> None:
        self._head = ""
        self._ticks = 0
        self._fence = ""
        """The run of marks that opened the fence one is in; "" = in none."""

    @property
    def at_start(self) -> bool:
        return not self._head

    @property
    def in_code(self) -> bool:
        return bool(self._fence) or self._ticks % 2 == 1

    @property
    def in_fence(self) -> bool:
        return bool(self._fence)

    def feed(self, text: str) -> None:
        start = 0
        while (end := text.find("\n", start)) >= 0:
            self._add(text[start:end])
            self._end_line()
            start = end + 1
        if start < len(text):
            self._add(text[start:])

    def _add(self, text: str) -> None:
        self._ticks += text.count("`")
        if len(self._head) < _HEAD:
            self._head = (self._head + (text if self._head else text.lstrip(" \t\r")))[:_HEAD]

    def _end_line(self) -> None:
        head = self._head.rstrip()
        mark = head[:1]
        if mark in ("`", "~"):
            run = head[: len(head) - len(head.lstrip(mark))]
            if not self._fence:
                # Backticks behind the run make it code within a line, as in ```x```.
                if len(run) >= _SHORTEST_FENCE and (mark == "~" or self._ticks == len(run)):
                    self._fence = run
            elif run.startswith(self._fence) and run == head:
                self._fence = ""
        self._head, self._ticks = "", 0
