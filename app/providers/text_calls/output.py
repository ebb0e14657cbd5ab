"""What the reader of calls gives out: text, reasoning and calls in their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from app.providers.text_calls.parse import FoundCall
from app.providers.text_calls.position import LinePosition

Piece = tuple[Literal["text", "reasoning"], str] | FoundCall


class ParsedOutput:
    """Text given here has been decided. White space behind a call is shown only if more text follows."""

    def __init__(self) -> None:
        self.lines = LinePosition()
        self.begun = False
        """Whether the message has said anything yet."""
        self.found = 0
        self._out: list[Piece] = []
        self._given: list[str] = []
        self._gap: list[str] = []
        self._in_gap = False

    def give(self, text: str) -> None:
        if not text:
            return
        self.lines.feed(text)
        if self._in_gap and text.isspace():
            self._gap.append(text)
            return
        self.begun = self.begun or not text.isspace()
        self._in_gap = False
        self._given += (*self._gap, text)
        self._gap.clear()

    def think(self, text: str) -> None:
        if text:
            self._flush()
            self._out.append(("reasoning", text))

    def add(self, calls: Sequence[FoundCall]) -> None:
        self._flush()
        self._gap.clear()
        self._in_gap = self.begun = True
        self.found += len(calls)
        self._out += calls

    def drain(self) -> list[Piece]:
        self._flush()
        out, self._out = self._out, []
        return out

    def _flush(self) -> None:
        if self._given:
            self._out.append(("text", "".join(self._given)))
            self._given.clear()
