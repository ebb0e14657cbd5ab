"""An agent as a process: its own process group, its errors kept for the person, ended with everything it started."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from app.core.system.json_lines import JsonLines
from app.mcp.environment import inherited, search_path
from app.mcp.facts import CannotRun
from app.mcp.log import ServerLog
from app.mcp.transport.pipes import PipeReader, PipeWriter, close_pipe
from app.mcp.transport.processes import MARK, end, gone, new_mark, spawn

from .launch import LaunchPlan, failed

LAST_WORDS: Final = 0.5
LOG_RATE: Final = 512 * 1024
"""Bytes of its errors read per second; one that writes more waits."""


class AgentProgram:
    def __init__(self, plan: LaunchPlan, cwd: str) -> None:
        self._plan, self._cwd = plan, cwd
        self._process: Any = None
        self._mark = new_mark()
        self._reading: asyncio.Task[None] | None = None
        self._lines: JsonLines | None = None
        self.log = ServerLog()
        self.log.mask(plan.env.values())

    async def start(self) -> JsonLines:
        """Its streams. Raises ForeignAgentFailed."""
        path = await asyncio.to_thread(search_path)
        env = {**inherited(), "PATH": path, **self._plan.env, MARK: self._mark}
        try:
            process = self._process = await spawn(self._plan.program, self._plan.args, env=env, cwd=self._cwd)
        except (OSError, CannotRun) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            program = self._plan.program
            raise failed(reason="ACP_START", message=f"{program}: {why}", program=program, why=why) from error
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._reading = asyncio.create_task(self._read_log(PipeReader(process.stderr)), name="errors of an agent")
        self._lines = JsonLines(PipeReader(process.stdout), PipeWriter(process.stdin))
        return self._lines

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def last_words(self) -> str:
        """Why it is not heard any more, as far as it can be told: a clause."""
        if self._lines is not None and self._lines.why:
            return self._lines.why
        if self._process is not None:
            await gone(self._process, LAST_WORDS)
        if self._reading is not None:
            await asyncio.wait([self._reading], timeout=LAST_WORDS)
        code = self._process.returncode if self._process is not None else None
        words = self.log.reason()
        return ", ".join(filter(None, (f"exit {code}" if code is not None else "", words)))

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            await close_pipe(process.stdin)
        await end(process, self._mark)
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading], timeout=1)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                await close_pipe(stream)

    async def _read_log(self, errors: PipeReader) -> None:
        while data := await errors.read(65_536):
            self.log.feed(data)
            await asyncio.sleep(len(data) / LOG_RATE if len(data) > 8_192 else 0)
