"""JSON objects, one on each line, over a pair of streams: what a program says that others wrote, with limits.

A line that is no JSON object is answered as JSON-RPC asks and skipped; after many of them, or one that is too long,
nothing more is read.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final, Protocol

from ..text.i18n import _

LONGEST_LINE: Final = 32 * 1024 * 1024
"""Pictures come inside a message."""
DEEPEST: Final = 64
MOST_DAMAGED: Final = 50
_PARSE_ERROR, _INVALID = -32700, -32600


class ByteReader(Protocol):
    async def read(self, n: int, /) -> bytes:
        """Empty at the end of the stream."""


class ByteWriter(Protocol):
    def write(self, data: bytes, /) -> None: ...

    async def drain(self) -> None:
        """Raises ConnectionError once the other side has gone."""

    def close(self) -> None: ...


class JsonLines:
    """A transport of the SDKs that speak JSON-RPC over standard streams: `send`, `receive`, `close`."""

    def __init__(self, reader: ByteReader, writer: ByteWriter, *, longest: int = 0) -> None:
        """`longest` bytes of one line; 0: LONGEST_LINE."""
        self._reader, self._writer, self._longest = reader, writer, longest or LONGEST_LINE
        self._parts: list[bytes] = []
        self._length = self._damaged = 0
        self._lines: list[bytes] = []
        self._sending = asyncio.Lock()
        self.why = ""
        """A sentence, where it is us who stopped reading."""

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None at the end of the stream, or behind a limit (`why`)."""
        while (line := await self._line()) is not None:
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                await self._refuse(_PARSE_ERROR, "Parse error")
            else:
                if isinstance(value, dict) and is_shallow(value):
                    return value
                await self._refuse(_INVALID, "Invalid request")
            if self._damaged >= MOST_DAMAGED:
                self.why = _("more than {n} lines were no messages of the protocol").format(n=MOST_DAMAGED - 1)
                break
        return None

    async def _line(self) -> bytes | None:
        while not self._lines:
            chunk = await self._reader.read(65_536)
            if not chunk:
                return None
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                if not self._take(end):
                    return None
                self._lines.append(b"".join(self._parts))
                self._parts, self._length = [], 0
            if not self._take(rest):
                return None
            self._lines.reverse()
        return self._lines.pop()

    def _take(self, part: bytes) -> bool:
        self._length += len(part)
        if self._length > self._longest:
            self.why = _("a message was longer than {n} MB").format(n=self._longest // (1024 * 1024))
            self._parts = []
            return False
        if part:
            self._parts.append(part)
        return True

    async def _refuse(self, code: int, message: str) -> None:
        self._damaged += 1
        await self.send({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}})

    async def send(self, message: dict[str, Any]) -> None:
        """Returns when the other side has room for more. Raises ConnectionError once it has gone."""
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        async with self._sending:
            self._writer.write(line + b"\n")
            await self._writer.drain()

    async def close(self) -> None:
        self._writer.close()


def is_shallow(value: Any) -> bool:
    """Whether nothing in it lies deeper than DEEPEST, so that whatever reads it by recursion can."""
    level = [value]
    for _depth in range(DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return True
    return False
