"""Which choice of a stream is the answer: number 0, even if others come first.

One answer is requested, yet some servers send several, in any order. A choice with another number waits until the
first one comes (then it is dropped) or until the end marker (then it is the answer).
"""

from __future__ import annotations

from typing import Any


class FirstChoice:
    """`waited` counts the chunks that were held back: the provider is alive."""

    def __init__(self) -> None:
        self._came = False
        self._held: list[dict[str, Any]] = []
        self.waited = 0

    def ours(self, choices: list[Any]) -> list[dict[str, Any]]:
        """Those of the first choice."""
        if self._came and len(choices) == 1 and isinstance(one := choices[0], dict) and one.get("index") == 0:
            return choices
        objects = [choice for choice in choices if isinstance(choice, dict)]
        first = [choice for choice in objects if _number(choice) == "0"]
        self._came = self._came or bool(first)
        if self._came:
            self._held.clear()
        else:
            self._held += objects
            self.waited += len(objects)
        return first

    def otherwise(self) -> list[dict[str, Any]]:
        """After the end mark: the choice that came first, if there was no number 0."""
        held, self._held = self._held, []
        return [choice for choice in held if _number(choice) == _number(held[0])]


def _number(choice: dict[str, Any]) -> str:
    return str(choice.get("index") or 0)
