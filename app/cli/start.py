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

from .output import report, tell
from .typed import endings


def execute(args: argparse.Namespace, build: Callable[[str | None], Services]) -> int:
    """`build` makes the services of a data folder."""
    try:
        return asyncio.run(_execute(args, build))
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
    if (me := asyncio.current_task()) is not None:
        for number in endings():
            with suppress(NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(number, me.cancel)
    services = build(args.data_dir)
    for notice in services.settings.notices():
        tell(f"triptych: {notice.text}")
    try:
        code: int = await args.handler(args, services)
        return code
    finally:
        await services.close()
