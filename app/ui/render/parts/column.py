"""The segments of a message one below another; those in a closed fold have no place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.ui.render.parts.folds import Around, FoldEndMark, after


class Placed(Protocol):
    def wanted(self, width: int, /) -> int: ...
    def setGeometry(self, x: int, y: int, width: int, height: int, /) -> None: ...
    def isHidden(self) -> bool: ...
    def show(self) -> None: ...
    def hide(self) -> None: ...


class BlockColumn:
    """Looks after the list it is given: who changes it says from where on (`touch`)."""

    def __init__(self, segments: Sequence[Placed]) -> None:
        self._segments = segments
        self._below: list[int] = []
        """Of each placed segment: where the next one begins."""
        self._around: list[Around] = []
        self._dirty_from = 0

    def touch(self, index: int) -> None:
        self._dirty_from = min(self._dirty_from, index)

    def is_folded(self, index: int) -> bool:
        return index < len(self._around) and any(self._around[index])

    def place(self, width: int, gap: int, step: int) -> int:
        """Lay out what is not yet, and return the height of all; `step` is how far one list moves a segment in."""
        first = min(self._dirty_from, len(self._below))
        del self._below[first:], self._around[first:]
        y = self._below[-1] if self._below else 0
        around = after(self._around[-1], self._segments[first - 1]) if first else ()
        for segment in self._segments[first:]:
            self._around.append(around)
            if not any(around) and not isinstance(segment, FoldEndMark):
                indent = min(width // 3, getattr(segment, "nesting", 0) * step)
                height = segment.wanted(width - indent)
                segment.setGeometry(indent, y, width - indent, height)
                if segment.isHidden():
                    # Not before: shown at its default place it would dirty the top of the message.
                    segment.show()
                y += height + gap
            elif not segment.isHidden():
                segment.hide()
            self._below.append(y)
            around = after(around, segment)
        self._dirty_from = len(self._segments)
        return max(0, y - gap) if self._segments else 0
