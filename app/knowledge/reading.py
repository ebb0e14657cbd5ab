"""The passages of files, read by a process of its own that is killed when it takes too long or dies of a file."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
import zlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.knowledge import IndexedPassage, PagePicture, Passage

from .loaders import Unreadable

SECONDS = 120.0
"""For one file."""
_AHEAD = 32
"""Files that are requested ahead of the one being read: neither side waits for the other."""
_LONGEST_LINE = 64 * 1024**2
OPTION = "--read-documents"
"""The program started with it is the reading process (`app/entry.py`)."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """`error` is a code of `wording/knowledge.py`; "" = it was read, "same" = its hash has not changed."""

    path: str
    hash: str
    error: str
    passages: Sequence[IndexedPassage]


class DocumentReader:
    """One process, started at the first file and again after it was killed. Files are read one after the other."""

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def read(self, path: Path) -> list[Passage]:
        """Raises Unreadable."""
        async with aclosing(self.read_all([(str(path), "")])) as files:
            async for file in files:
                if file.error:
                    raise Unreadable(file.error)
                return [indexed.passage for indexed in file.passages]
        raise Unreadable("gone")

    async def picture(self, path: Path, page: int, text: str) -> PagePicture:
        """A page of a PDF, with the boxes of a text on it. Raises Unreadable."""
        async with self._turn:
            try:
                process = await self._running()
                assert process.stdin is not None
                process.stdin.write(json.dumps({"path": str(path), "page": page, "text": text}).encode() + b"\n")
                await process.stdin.drain()
                async with asyncio.timeout(self._seconds):
                    return await _picture(process)
            except (OSError, ValueError, KeyError, asyncio.IncompleteReadError) as error:  # TimeoutError is an OSError
                await self._kill()
                raise Unreadable("memory") from error
            except asyncio.CancelledError:
                await self._kill()
                raise

    async def read_all(self, wanted: Sequence[tuple[str, str]]) -> AsyncGenerator[ReadFile, None]:
        """Each path with the hash that is known of it, in their order. To be closed (`aclosing`)."""
        async with self._turn:
            sent_up_to = 0
            try:
                for n, (path, _known) in enumerate(wanted):
                    try:
                        process = await self._running()
                        if sent_up_to < n + _AHEAD // 2:  # several in one piece
                            sent_up_to = await self._ask(process, wanted, max(sent_up_to, n), n + _AHEAD)
                        async with asyncio.timeout(self._seconds):
                            file = await _answer(process, path)
                    except TimeoutError:
                        file = ReadFile(path, "", "time", ())
                    except (OSError, ValueError, asyncio.IncompleteReadError):
                        # It died of the file: of its memory, or of a fault in a library.
                        file = ReadFile(path, "", "memory", ())
                    if file.error in ("time", "memory"):
                        await self._kill()
                        sent_up_to = n + 1
                    yield file
            except BaseException:
                await self._kill()  # what it would still answer is for nobody
                raise

    async def close(self) -> None:
        async with self._turn:
            await self._kill()

    async def _ask(
        self, process: asyncio.subprocess.Process, wanted: Sequence[tuple[str, str]], start: int, end: int
    ) -> int:
        assert process.stdin is not None
        requests = [json.dumps({"path": path, "known": known}) + "\n" for path, known in wanted[start:end]]
        if requests:
            process.stdin.write("".join(requests).encode())
            await process.stdin.drain()
        return max(start, min(end, len(wanted)))

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


async def _picture(process: asyncio.subprocess.Process) -> PagePicture:
    assert process.stdout is not None
    answer: dict[str, Any] = {}
    while "end" not in (line := json.loads(await process.stdout.readline() or b"null") or {"end": "memory"}):
        answer = line
    if not answer:
        raise Unreadable(line["end"] or "gone")
    page_picture = answer["picture"]
    pixels = await asyncio.to_thread(lambda: zlib.decompress(base64.b64decode(page_picture["pixels"])))
    boxes = tuple((left, top, right, bottom) for left, top, right, bottom in page_picture["boxes"])
    return PagePicture(page_picture["width"], page_picture["height"], pixels, boxes)


async def _answer(process: asyncio.subprocess.Process, path: str) -> ReadFile:
    assert process.stdout is not None
    passages: list[IndexedPassage] = []
    while True:
        line = await process.stdout.readline()
        if not line:
            raise asyncio.IncompleteReadError(b"", None)
        answer = json.loads(line)
        passages += [IndexedPassage(Passage(*facts), words) for *facts, words in answer["passages"]]
        if "end" in answer:
            return ReadFile(path, answer["hash"], answer["end"], () if answer["end"] else passages)
