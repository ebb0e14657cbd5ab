"""A plug-in that misbehaves in every way code of others can: copied into a package by `test_hanging`."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.core.tools.tool import ToolContext, ToolResult, tool

HOURS = 10_000.0
MARK = Path(__file__).with_name("reached")


def reached() -> None:
    """The test waits for this before it sends signals."""
    MARK.touch()


@tool("pure", blocking=True, timeout=HOURS)
def block_in_a_thread(ctx: ToolContext) -> ToolResult:
    """Never come back."""
    reached()
    time.sleep(HOURS)
    return ToolResult.success("late")


@tool("pure", timeout=HOURS)
def block_plainly(ctx: ToolContext) -> ToolResult:
    """Never come back."""
    reached()
    time.sleep(HOURS)
    return ToolResult.success("late")


@tool("pure", timeout=HOURS)
async def block_in_a_coroutine(ctx: ToolContext) -> ToolResult:
    """Hold the loop it runs on."""
    reached()
    time.sleep(HOURS)  # noqa: ASYNC251
    return ToolResult.success("late")


@tool("pure", timeout=HOURS)
async def heed_nothing(ctx: ToolContext) -> ToolResult:
    """Swallow every cancelling."""
    reached()
    return await _deaf()


@tool("pure", timeout=0.2)
async def heed_no_limit(ctx: ToolContext) -> ToolResult:
    """Swallow the cancelling of its own time limit."""
    return await _deaf()


async def _deaf() -> ToolResult:
    until = time.monotonic() + HOURS
    while time.monotonic() < until:
        try:
            await asyncio.sleep(HOURS)
        except asyncio.CancelledError:
            continue
    return ToolResult.success("late")


@tool("pure", blocking=True, timeout=HOURS)
def hold_the_interpreter(ctx: ToolContext) -> ToolResult:
    """A pattern that never ends and never lets go of the interpreter's lock."""
    reached()
    re.match(r"(a+)+$", "a" * 60 + "b")
    return ToolResult.success("late")


@tool("pure")
def leave(ctx: ToolContext) -> ToolResult:
    """End the program."""
    sys.exit(7)


@tool("pure")
async def leave_later(ctx: ToolContext) -> ToolResult:
    """End the program from a task of its own, and by itself."""
    beside = asyncio.get_running_loop().create_task(_leave())
    await asyncio.sleep(0)
    sys.exit(8 if beside.done() else 0)


async def _leave() -> None:
    sys.exit(9)


@tool("pure")
async def kind(ctx: ToolContext, text: str) -> ToolResult:
    """Behave, and use what a tool is given."""
    assert ctx.documents is not None
    await ctx.documents.put("rude", "one", {"text": text})
    kept = await ctx.documents.get("rude", "one")
    return ToolResult.success({"kept": kept.body if kept else None})


def before_tool_call(name: str, args: dict[str, Any]) -> dict[str, Any] | None:
    if args.get("text") == "hook, hang":
        reached()
        time.sleep(HOURS)
    if args.get("text") == "hook, leave":
        sys.exit(5)
    return args


def after_tool_call(name: str, args: Mapping[str, Any], observation: str) -> str:
    if args.get("text") == "leave behind it":
        sys.exit(6)
    return observation


TOOLS = (
    block_in_a_thread, block_plainly, block_in_a_coroutine, heed_nothing, heed_no_limit, hold_the_interpreter,
    leave, leave_later, kind,
)  # fmt: skip
