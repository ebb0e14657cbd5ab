"""Passages under the headings above them: what every kind of document with headings shares."""

from __future__ import annotations

from app.core.knowledge import Passage


class Sections:
    """`level` counts from 1; a heading closes the ones of its own and deeper levels before it."""

    def __init__(self) -> None:
        self._trail: list[tuple[int, str]] = []

    def open(self, level: int, title: str) -> None:
        self._trail = [(n, one) for n, one in self._trail if n < level] + ([(level, title)] if title else [])

    def passage(self, text: str) -> list[Passage]:
        """The text under the headings that are open; none where it is blank."""
        text = text.strip()
        return [Passage(text, heading=" › ".join(title for _, title in self._trail))] if text else []
