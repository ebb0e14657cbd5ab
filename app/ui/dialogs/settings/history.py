"""What was stored before each change of what a page shows, for its Undo."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class History(Generic[T]):
    def __init__(self) -> None:
        self._before: list[T] = []

    @property
    def last(self) -> T | None:
        """What was there before the last change that was not taken back."""
        return self._before[-1] if self._before else None

    def store(self, before: T, now: T) -> None:
        """`now` has taken the place of `before`; if that takes the last change back, there is one less."""
        if self._before and self._before[-1] == now:
            self._before.pop()
        else:
            self._before.append(before)

    def drop_last(self) -> None:
        """It was taken back elsewhere."""
        self._before.pop()

    def clear(self) -> None:
        self._before.clear()
