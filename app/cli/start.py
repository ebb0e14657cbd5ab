"""Runs one sub-command: services built, handed over, closed; every error an exit code."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress

from app.core.errors import TriptychError
from app.services.container import Services

from .console.ending import run_to_the_end, stopped_by_signals
from .console.output import notice_line, report, tell


def execute(args: argparse.Namespace, build: Callable[[str | None], Services]) -> int:
    """`build` makes the services of a data folder."""
    try:
        return run_to_the_end(_execute(args, build))
    except TriptychError as error:
        return report(error)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 4
    except BrokenPipeError:
        sys.stderr.close()  # whoever read us has gone: no second complaint at exit
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        tell(f"triptych: {where}{error.strerror or error}")
        _drop_what_cannot_be_said()
        return 1


def _drop_what_cannot_be_said() -> None:
    """What a full disk did not take would be tried once more at exit, with a complaint and an exit code of its own."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


async def _execute(args: argparse.Namespace, build: Callable[[str | None], Services]) -> int:
    me = asyncio.current_task()
    assert me is not None, "a coroutine runs in a task"
    services: Services | None = None
    try:
        with stopped_by_signals(me.cancel):
            services = build(args.data_dir)
            for notice in services.settings.notices():
                tell(f"triptych: {notice_line(notice)}")
            code: int = await args.handler(args, services)
            return code
    finally:
        if services is not None:
            await _whole(asyncio.ensure_future(services.close()))


async def _whole(closing: asyncio.Future[None]) -> None:
    """A signal that came as the command ended does not keep its data from being closed."""
    while not closing.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(closing)
    closing.result()
