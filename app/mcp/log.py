"""What a server says on stderr: the last lines, in memory, without the secrets it was given."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from threading import Lock
from typing import Final

from .texts import scrub

MOST_LINES: Final = 500
LONGEST_LINE: Final = 2_000
SHORTEST_SECRET: Final = 6
"""A shorter value is in too many words to be masked."""


class ServerLog:
    """Written on the I/O thread, read on any."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._secrets: tuple[str, ...] = ()
        self._rest = b""
        self._told: deque[str] = deque(maxlen=MOST_LINES)
        """What the server wrote itself."""
        self._lock = Lock()

    def mask(self, secrets: Iterable[str]) -> None:
        """Values that must not be seen again, nor a token behind a word such as Bearer."""
        parts = {part for secret in secrets for part in (secret, secret.partition(" ")[2])}
        self._secrets = tuple(sorted((part for part in parts if len(part) >= SHORTEST_SECRET), key=len, reverse=True))

    def masked(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "••••")
        return text

    def say(self, text: str) -> None:
        """A line of ours about the server."""
        self._add(f"{time.strftime('%H:%M:%S')} {text}")

    def feed(self, data: bytes) -> None:
        """Bytes as they came; a line without an end is cut."""
        *lines, rest = (self._rest + data).split(b"\n")
        for line in lines[-MOST_LINES:]:
            text = line[: LONGEST_LINE * 4].decode("utf-8", "replace").rstrip()
            self._told.append(self.masked(scrub(text))[:LONGEST_LINE])
            self._add(text)
        self._rest = rest[: LONGEST_LINE * 4]

    def lines(self) -> list[str]:
        with self._lock:
            return list(self._lines)

    def reason(self, *, only_errors: bool = False) -> str:
        """Of what the server wrote since `begin`: the line that says most about its end."""
        from .reasons import reason_in

        rest = self.masked(scrub(self._rest.decode("utf-8", "replace")))
        return reason_in([*self._told, rest], only_errors=only_errors)

    def begin(self) -> None:
        """A new start: what an earlier one wrote does not explain its end."""
        self._told.clear()
        self._rest = b""

    def _add(self, line: str) -> None:
        with self._lock:
            self._lines.append(self.masked(scrub(line))[:LONGEST_LINE])
