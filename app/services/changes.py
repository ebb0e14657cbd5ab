"""Who wants to know that something changed: callbacks in the loop's thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Changes(Generic[T]):
    """A list of listeners; each change is told as a small value, such as an id."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[T], None]] = []

    def listen(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Returns the call that stops it."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    def notify(self, value: T) -> None:
        for listener in tuple(self._listeners):
            listener(value)
