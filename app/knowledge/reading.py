"""The passages of a file, read by a process of its own that is killed when it takes too long or dies of the file."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

from app.core.knowledge import Passage

from .loaders import Unreadable

SECONDS = 120.0
"""For one file."""
_LONGEST_LINE = 64 * 1024**2
OPTION = "--read-documents"
"""The program started with it is the reading process (`app/entry.py`)."""


class DocumentReader:
    """One process, started at the first file and again after it was killed. Files are read one after the other."""

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def read(self, path: Path) -> list[Passage]:
        """Raises Unreadable."""
        async with self._turn:
            try:
                async with asyncio.timeout(self._seconds):
                    return [passage async for passage in self._passages(path)]
            except TimeoutError:
                await self._kill()
                raise Unreadable("time") from None
            except (OSError, ValueError, asyncio.IncompleteReadError) as error:
                # It died of the file: of its memory, or of a fault in a library.
                await self._kill()
                raise Unreadable("memory") from error
            except BaseException:
                await self._kill()
                raise

    async def close(self) -> None:
        async with self._turn:
            await self._kill()

    async def _passages(self, path: Path) -> AsyncIterator[Passage]:
        process = await self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"path": str(path)}).encode() + b"\n")
        await process.stdin.drain()
        while True:
            line = await process.stdout.readline()
            if not line:
                raise asyncio.IncompleteReadError(b"", None)
            answer = json.loads(line)
            if "end" in answer:
                if answer["end"]:
                    raise Unreadable(answer["end"])
                return
            yield Passage(**answer["passage"])

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            command = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "app"]
            self._process = await asyncio.create_subprocess_exec(
                *command,
                OPTION,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LONGEST_LINE,
            )
        return self._process

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
