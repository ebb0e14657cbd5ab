"""Runs one sub-command on a loop of its own; every error becomes an exit code."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.core.text.os_errors import os_words

from .console.ending import run_to_the_end
from .console.output import report, tell


def execute(command: Coroutine[Any, Any, int]) -> int:
    try:
        return run_to_the_end(command)
    except TriptychError as error:
        return report(error)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 4
    except BrokenPipeError:
        sys.stderr.close()  # whoever read us has gone: no second complaint at exit
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        tell(f"triptych: {where}{_(os_words(error))}")
        _drop_what_cannot_be_said()
        return 1


def _drop_what_cannot_be_said() -> None:
    """What a full disk did not take would be tried once more at exit, with a complaint and an exit code of its own."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
