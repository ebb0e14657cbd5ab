"""Who speaks to the local API: the last requests, and how many each client has open. Paths only, no contents."""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass
from typing import Final

from ..changes import Changes

MOST_REQUESTS: Final = 50
LONGEST_PATH: Final = 200
REFUSED: Final = ""
"""In the place of a client's name: the guard has let nobody in."""


@dataclass(frozen=True, slots=True)
class ApiRequest:
    client: str
    method: str
    path: str
    began: float
    """Seconds since 1970."""
    status: int = 0
    """0 while nothing is answered yet."""
    seconds: float = 0.0


class ApiActivity:
    """Written by a running server, read by whoever shows it. Listeners are called for every request."""

    def __init__(self) -> None:
        self._last: deque[ApiRequest] = deque(maxlen=MOST_REQUESTS)
        self._open: Counter[str] = Counter()
        self.changes: Changes[None] = Changes()

    @property
    def last(self) -> list[ApiRequest]:
        """Newest first."""
        return list(reversed(self._last))

    def open_requests(self, client: str) -> int:
        return self._open[client]

    def last_of(self, client: str) -> ApiRequest | None:
        return next((one for one in reversed(self._last) if one.client == client), None)

    def began(self, client: str) -> None:
        """A client was let in."""
        self._open[client] += 1
        self.changes.notify(None)

    def ended(self, client: str) -> None:
        self._open[client] -= 1
        if self._open[client] <= 0:
            del self._open[client]
        self.changes.notify(None)

    def answered(self, client: str, method: str, path: str, status: int, began: float) -> None:
        """The head of an answer has gone out; a stream goes on after it."""
        seconds = round(max(0.0, time.time() - began), 3)
        self._last.append(ApiRequest(client, method, path[:LONGEST_PATH], began, status, seconds))
        self.changes.notify(None)
