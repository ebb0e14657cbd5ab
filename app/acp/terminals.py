"""Programs an agent lets this program run for it: their output, bounded, and their end with everything they started."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.text.os_errors import os_words
from app.mcp.environment import inherited

MOST_OUTPUT: Final = 1_000_000
MOST: Final = 16
"""That run at the same time."""
_SHELL_SIGNS: Final = frozenset(" \t\n|&;<>()$`\"'*?[]~")


class Terminals:
    """Of one connection."""

    def __init__(self) -> None:
        self._known: dict[str, _Terminal] = {}
        self._count = 0

    async def begin(self, command: str, args: Sequence[str], cwd: str, env: Mapping[str, str], limit: int) -> str:
        """A command written for a shell, without arguments, is given to one: agents expect it. Raises ToolError."""
        if len(self._known) >= MOST:
            raise ToolError("UNAVAILABLE", N_("the agent has too many programs open"))
        argv = [command, *args]
        if not args and _SHELL_SIGNS & set(command) and sys.platform != "win32":
            argv = ["/bin/sh", "-c", command]
        try:
            process = await asyncio.create_subprocess_exec(
                *argv, cwd=cwd, env=_environment(env), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT, start_new_session=sys.platform != "win32",
            )  # fmt: skip
        except (OSError, ValueError) as error:
            why = os_words(error) if isinstance(error, OSError) else str(error)
            values = {"program": argv[0][:120], "why": why}
            raise ToolError("FAILED", N_("{program} cannot be started: {why}"), values=values) from error
        self._count += 1
        id = f"terminal {self._count}"
        self._known[id] = _Terminal(process, min(limit or MOST_OUTPUT, MOST_OUTPUT))
        return id

    def get(self, id: object) -> _Terminal | None:
        return self._known.get(id) if isinstance(id, str) else None

    async def release(self, id: str) -> None:
        if (terminal := self._known.pop(id, None)) is not None:
            await terminal.kill()

    async def close(self) -> None:
        for id in list(self._known):
            await self.release(id)


class _Terminal:
    def __init__(self, process: asyncio.subprocess.Process, limit: int) -> None:
        self._process, self._limit = process, limit
        self._output = bytearray()
        self._is_cut = False
        self._reading = asyncio.create_task(self._read(), name="output for an agent")

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while piece := await self._process.stdout.read(8_192):
            self._output += piece
            if (over := len(self._output) - self._limit) > 0:
                del self._output[:over]
                self._is_cut = True
        await self._process.wait()

    def output(self) -> dict[str, Any]:
        body: dict[str, Any] = {"output": self._output.decode("utf-8", "replace"), "truncated": self._is_cut}
        return {**body, "exitStatus": self._status()} if self._process.returncode is not None else body

    async def wait(self) -> dict[str, Any]:
        await asyncio.shield(self._reading)
        return self._status()

    def _status(self) -> dict[str, Any]:
        code = self._process.returncode
        return {"exitCode": code} if code is None or code >= 0 else {"exitCode": None, "signal": str(-code)}

    async def kill(self) -> None:
        """With everything it has started."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        await asyncio.wait([self._reading], timeout=1)


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    """No keys of the person: what a program needs to find others and its language, and what the agent adds."""
    environment = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TZ", "TMPDIR") if name in os.environ}
    return {**inherited(), **environment, **given}
