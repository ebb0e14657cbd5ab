"""The tools of plug-ins, isolated: their code never runs on the loop of the program and can be abandoned.

A body runs on its own thread; what it awaits, on an event loop that all tools of one plug-in share. The seams of its
context lead back to the loop they belong to. A tool's schema and check are answered within a second or fail.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import wraps
from typing import Any, Final

from app.core import detached
from app.core.tools.tool import Tool, ToolContext

ANSWER_SECONDS: Final = 1.0
"""For a tool's schema, check and subject; whoever asks waits meanwhile."""


def beside_the_loop(tool: Tool, loop: detached.DetachedLoop) -> Tool:
    """The same tool; `loop` is its plug-in's."""

    async def body(ctx: ToolContext, args: dict[str, Any]) -> Any:
        result = await detached.in_thread(tool.body, _led_back(ctx, asyncio.get_running_loop()), args)
        return await loop.run(result) if inspect.isawaitable(result) else result

    return replace(
        tool,
        body=body,
        blocking=False,
        schema=detached.bounded(tool.schema, ANSWER_SECONDS),
        check=detached.bounded(tool.check, ANSWER_SECONDS),
        subject=detached.bounded(tool.subject, ANSWER_SECONDS) if tool.subject is not None else None,
    )


def _led_back(ctx: ToolContext, home: asyncio.AbstractEventLoop) -> ToolContext:
    """What is called of the context on another thread happens on the loop it belongs to."""
    ask, tell = ctx.ask, ctx.tell

    def tell_there(event: Any) -> None:
        if tell is not None:
            home.call_soon_threadsafe(lambda: tell(event))

    return replace(
        ctx,
        documents=_Back(ctx.documents, home) if ctx.documents is not None else None,
        http=_Back(ctx.http, home) if ctx.http is not None else None,
        ask=_back(ask, home) if ask is not None else None,
        tell=tell_there if tell is not None else None,
    )


class _Back:
    """Stands for an object; its coroutine functions run on the loop `home`."""

    def __init__(self, whole: Any, home: asyncio.AbstractEventLoop) -> None:
        self._whole, self._home = whole, home

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._whole, name)
        return _back(value, self._home) if inspect.iscoroutinefunction(value) else value


def _back(function: Callable[..., Any], home: asyncio.AbstractEventLoop) -> Callable[..., Coroutine[Any, Any, Any]]:
    @wraps(function)
    async def call(*args: Any, **named: Any) -> Any:
        async def work() -> Any:
            result = function(*args, **named)
            return await result if inspect.isawaitable(result) else result

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), home))

    return call
