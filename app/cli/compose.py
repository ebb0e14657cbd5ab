"""The composition of one sub-command: services are built, the command gets those it names, and all are closed."""

from __future__ import annotations

import argparse
import asyncio
import inspect
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from app.services.container import Services

from .console.ending import stopped_by_signals
from .console.output import notice_line, tell

Handler = Callable[..., Coroutine[Any, Any, int]]


async def run_command(args: argparse.Namespace, build: Callable[[str | None], Services]) -> int:
    """`build` makes the services of a data folder. Returns the exit code of `args.handler`."""
    me = asyncio.current_task()
    assert me is not None, "a coroutine runs in a task"
    services: Services | None = None
    try:
        with stopped_by_signals(me.cancel):
            services = build(args.data_dir)
            for notice in services.settings.notices():
                tell(f"triptych: {notice_line(notice)}")
            handler: Handler = args.handler
            return await handler(args, **{name: getattr(services, name) for name in named_services(handler)})
    finally:
        if services is not None:
            await _whole(asyncio.ensure_future(services.close()))


def named_services(handler: Handler) -> list[str]:
    """A command names the services it uses: its keyword-only parameters are fields of `Services`."""
    parameters = inspect.signature(handler).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]


async def _whole(closing: asyncio.Future[None]) -> None:
    """A signal that came as the command ended does not keep its data from being closed."""
    while not closing.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(closing)
    closing.result()
