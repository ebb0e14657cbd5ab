"""What a check may cost, as a count of steps: the same on every machine, and over before anybody waits."""

from __future__ import annotations

from typing import Final

MOST_WORK: Final = 100_000
"""Steps of one check; a tenth of a second or so."""


class TooMuchWork(Exception):
    """The check would take too long or never end."""


class WorkLimit:
    def __init__(self, most: int = MOST_WORK) -> None:
        self._left = most

    def spend(self, steps: int = 1) -> None:
        """Raises TooMuchWork."""
        self._left -= steps
        if self._left < 0:
            raise TooMuchWork
