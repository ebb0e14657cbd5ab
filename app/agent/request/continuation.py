"""Joins an answer that was interrupted with its continuation, without the words the model repeats.

Many models repeat the last words when they continue. The start of the new text is held back until it is long enough
to compare, and what the old text already ends with is cut from it.
"""

from __future__ import annotations

LOOKED_BACK = 200
"""Characters of the old end that may come again."""
SHORTEST = 10
"""Fewer in common are an accident."""


class Continuation:
    """Call `feed` with new text, then `finish`; both return the text to show."""

    def __init__(self, before: str) -> None:
        self._end = before[-LOOKED_BACK:]
        self._held = ""
        self._open = bool(before)

    def feed(self, text: str) -> str:
        if not self._open:
            return text
        self._held += text
        return self.finish() if len(self._held) >= LOOKED_BACK else ""

    def finish(self) -> str:
        held, self._held = self._held, ""
        if not self._open:
            return held
        self._open = False
        return held[repeated(self._end, held) :]


def repeated(end: str, beginning: str) -> int:
    """How many characters of `beginning` are at the end of `end` already; leading white space aside."""
    blank = len(beginning) - len(beginning.lstrip())
    text = beginning[blank:]
    for size in range(min(len(end), len(text)), SHORTEST - 1, -1):
        if end.endswith(text[:size]):
            return blank + size
    return 0
