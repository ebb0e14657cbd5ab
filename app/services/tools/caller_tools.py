"""Tools of a program that uses the local API: offered to the model, run by that program.

A call waits until the program has brought the result, and at most half an hour.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any, Final

from app.core.arguments.judge import ArgumentFault
from app.core.errors import BadInput
from app.core.tools.tool import Tool, ToolContext, ToolResult
from app.mcp.schemas import Unfit, cleaned, faults

WAIT_SECONDS: Final = 1_800.0
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class CallerTools:
    """Those of one run, and the results they wait for."""

    def __init__(self) -> None:
        self.tools: tuple[Tool, ...] = ()
        self._results: dict[str, asyncio.Future[str]] = {}

    @property
    def names(self) -> frozenset[str]:
        return frozenset(tool.name for tool in self.tools)

    def add(self, name: str, description: str, schema: Any) -> None:
        """Raises BadInput for a name or schema that cannot be used."""
        if not _NAME.fullmatch(name) or name in self.names:
            words = f"{name[:64]!r} cannot be the name of a tool, or is there twice"
            raise BadInput(words, reason="CALLER_TOOL", tool=name[:64])
        try:
            parameters = cleaned(schema)
        except Unfit as error:
            raise BadInput(f"{name}: {error}", reason="CALLER_SCHEMA", tool=name, why=str(error)) from error
        self.tools += (self._tool(name, description, parameters),)

    def _tool(self, name: str, description: str, parameters: Mapping[str, Any]) -> Tool:
        async def body(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
            return ToolResult.success(await asyncio.shield(self._result(ctx.call)))

        def check(args: Mapping[str, Any]) -> list[ArgumentFault]:
            return faults(parameters, args)

        # It asks nobody: the program that offers it decides what it does with a call.
        return Tool(
            name, description, "pure", body, lambda: parameters, check, read_only=False, timeout=WAIT_SECONDS,
            outside=True,
        )  # fmt: skip

    def _result(self, call: str) -> asyncio.Future[str]:
        if call not in self._results:
            self._results[call] = asyncio.get_running_loop().create_future()
        return self._results[call]

    def give(self, results: Mapping[str, str]) -> None:
        """What the program has found, by call id; may come before the call begins to wait."""
        for call, text in results.items():
            future = self._result(call)
            if not future.done():
                future.set_result(text)
