"""Runs one sub-command: services built, handed over, closed; every error an exit code."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable

from app.core.errors import TriptychError
from app.services.all import Services

from .output import report


def execute(args: argparse.Namespace, build: Callable[[str | None], Services]) -> int:
    """`build` makes the services of a data folder."""
    try:
        return asyncio.run(_execute(args, build))
    except TriptychError as error:
        return report(error)
    except KeyboardInterrupt:
        return 4
    except BrokenPipeError:
        sys.stderr.close()  # whoever read us has gone: no second complaint at exit
        return 0


async def _execute(args: argparse.Namespace, build: Callable[[str | None], Services]) -> int:
    services = build(args.data_dir)
    try:
        code: int = await args.handler(args, services)
        return code
    finally:
        await services.close()
