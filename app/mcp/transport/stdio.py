"""The way to a server that is a program: one JSON message per line over its pipes.

Written here and not taken from the SDK, whose reader gathers without limit, takes quadratic time on long lines and
lets invalid bytes escape. Damaged lines become errors of the call they answer; a line that is too long or a flood
of notifications ends the server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from app.core.text.i18n import _

from ..config import ServerConfig
from ..environment import search_path
from ..log import ServerLog
from . import wire
from .processes import MARK, end, gone, new_mark, spawn

if TYPE_CHECKING:
    from anyio.abc import Process
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared.message import SessionMessage

CHUNK: Final = 64 * 1024
FLOOD: Final = 5_000
"""Notifications within FLOOD_SECONDS that end a server."""
FLOOD_SECONDS: Final = 5.0
LAST_WORDS: Final = 0.5
LOG_RATE: Final = 512 * 1024
"""Bytes of stderr read per second; a server that writes more waits."""
_HEARD: Final = frozenset({"notifications/tools/list_changed", "notifications/cancelled"})
"""Notifications that mean something here; all others are dropped unread."""


class StdioLink:
    """One process and its pipes. `why` says what ended it, if we did."""

    def __init__(self, config: ServerConfig, program: str, env: Mapping[str, str], log: ServerLog) -> None:
        self._config, self._program, self._env, self._log = config, program, env, log
        self._process: Process | None = None
        self._flood = _Flood()
        self._left_with: int | None = None
        self._is_leaving = False
        self.why = ""

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def exit_code(self) -> int | None:
        """With which it left by itself; None while it runs, and when it was ended."""
        return self._left_with

    @asynccontextmanager
    async def open(self) -> AsyncIterator[tuple[Any, Any]]:
        """The streams the SDK's session reads and writes."""
        import anyio
        from mcp.client.stdio import get_default_environment
        from mcp.shared.message import SessionMessage

        mark = new_mark()
        env = {**get_default_environment(), "PATH": search_path(), **self._env, MARK: mark}
        process = self._process = await spawn(self._program, self._config.args, env=env, cwd=self._config.cwd or None)
        to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        to_server, from_session = anyio.create_memory_object_stream[SessionMessage](0)
        tasks = [
            asyncio.create_task(self._read(process, to_session), name=f"mcp {self._config.id} stdout"),
            asyncio.create_task(self._write(process, from_session), name=f"mcp {self._config.id} stdin"),
            asyncio.create_task(self._read_log(process), name=f"mcp {self._config.id} stderr"),
        ]
        try:
            yield from_server, to_server
        finally:
            ending = asyncio.create_task(self._end(process, mark, tasks), name=f"mcp {self._config.id} end")
            await _whole(ending)
            for stream in (to_session, from_server, to_server, from_session):
                stream.close()

    async def _end(self, process: Process, mark: str, tasks: list[asyncio.Task[None]]) -> None:
        if self._is_leaving:
            # Its output ended before we said anything: its last words are on their way.
            await asyncio.wait([tasks[2]], timeout=LAST_WORDS)
            await gone(process, LAST_WORDS)
            self._left_with = process.returncode
        if process.stdin is not None:
            await _quietly(process.stdin.aclose())
        await end(process, mark)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=1)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                await _quietly(stream.aclose())

    # ------------------------------------------------------------ out of the server

    async def _read(self, process: Process, session: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        import anyio

        assert process.stdout is not None
        lines = wire.LineReader()
        try:
            while True:
                for line in lines.feed(await process.stdout.receive(CHUNK)):
                    await self._hear(line, session)
        except wire.TooLong as error:
            self._give_up(str(error))
        except _Flooded:
            self._give_up(_("a flood of notifications"))
        except anyio.EndOfStream:
            self._is_leaving = True
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            pass  # we ended it
        finally:
            session.close()  # the session wakes who still waits
        await self._drain(process)

    async def _hear(self, line: bytes, session: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        from mcp.shared.message import SessionMessage

        if not line.strip():
            return
        try:
            message = _message(wire.read(line))
        except wire.Damaged as damaged:
            if damaged.id is None:
                self._log.feed(line + b"\n")  # an error told on the wrong pipe may be why the server ends
                return
            words = _("damaged message: {why}").format(why=damaged.why)
            self._log.say(f"[{words}]")
            message = _damaged_answer(damaged)
        if message is None:
            self._flood.count()
            return
        await session.send(SessionMessage(message))

    def _give_up(self, why: str) -> None:
        self.why = why
        words = _("ended: it sent {what}").format(what=why)
        self._log.say(f"[{words}]")

    async def _drain(self, process: Process) -> None:
        """A server that is being ended must not wait for us to read."""
        import anyio

        assert process.stdout is not None
        try:
            while True:
                await process.stdout.receive(CHUNK)
                await asyncio.sleep(0.01)
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            return

    async def _read_log(self, process: Process) -> None:
        import anyio

        assert process.stderr is not None
        try:
            while True:
                data = await process.stderr.receive(CHUNK)
                self._log.feed(data)
                await asyncio.sleep(len(data) / LOG_RATE if len(data) > 8_192 else 0)
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            return

    # ------------------------------------------------------------ into the server

    async def _write(self, process: Process, session: MemoryObjectReceiveStream[SessionMessage]) -> None:
        import anyio

        assert process.stdin is not None
        try:
            async for item in session:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send(text.encode() + b"\n")
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            return  # the reader sees its end too


class _Flooded(Exception):
    pass


class _Flood:
    """Counts messages that nobody asked for."""

    def __init__(self) -> None:
        self._since, self._count = time.monotonic(), 0

    def count(self) -> None:
        now = time.monotonic()
        if now - self._since > FLOOD_SECONDS:
            self._since, self._count = now, 0
        self._count += 1
        if self._count > FLOOD:
            raise _Flooded


def _message(value: Any) -> Any:
    """A message of the protocol, None for one that means nothing here. Raises Damaged."""
    import mcp_types as types
    from pydantic import ValidationError

    if isinstance(value, dict) and "id" not in value and value.get("method") not in _HEARD:
        return None
    if not isinstance(value, dict):
        return None  # a number or text in between: a banner
    try:
        return types.jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        id_ = value.get("id")
        raise wire.Damaged(
            _("a message that is no JSON-RPC"), id_ if isinstance(id_, int) and not isinstance(id_, bool) else None
        ) from None


def _damaged_answer(damaged: wire.Damaged) -> Any:
    import mcp_types as types

    assert damaged.id is not None
    error = types.ErrorData(code=types.PARSE_ERROR, message=f"the server answered with {damaged.why}")
    return types.JSONRPCError(jsonrpc="2.0", id=damaged.id, error=error)


async def _quietly(work: Any) -> None:
    import anyio

    try:
        await work
    except (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.BusyResourceError):
        return


async def _whole(task: asyncio.Task[None]) -> None:
    """Waits for the task to its end, whoever cancels us meanwhile; the cancelling continues afterwards."""
    cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            cancelled = True
    task.result()
    if cancelled:
        raise asyncio.CancelledError
