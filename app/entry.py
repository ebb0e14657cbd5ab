"""The program's beginning, whatever starts it: the window, or a sub-command that never imports Qt."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from app.services.container import Services

_DUMPABLE = 4
"""PR_SET_DUMPABLE of prctl(2)."""


def program() -> NoReturn:
    """`main`, and the end of the process. Python would wait for threads that hang; where there are any, it is left."""
    code, me = main(), threading.current_thread()
    until = time.monotonic() + 1
    threads = [thread for thread in threading.enumerate() if not thread.daemon and thread is not me]
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    if not any(thread.is_alive() for thread in threads):
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    forbid_core_dumps()
    try:
        return _main(argv)
    except KeyboardInterrupt:  # while everything is loaded
        return 4


def forbid_core_dumps() -> None:
    """A crash leaves no image of the memory on the disk: keys are in it. Child processes inherit the limit."""
    try:
        import resource
    except ImportError:  # Windows writes none unless it is told to
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        # A program that collects dumps is called whatever the limit says; this holds for it too.
        import ctypes

        ctypes.CDLL(None).prctl(_DUMPABLE, 0, 0, 0, 0)


def _main(argv: Sequence[str] | None) -> int:
    from app.cli.parser import arguments, parse, utf8_streams

    utf8_streams()
    words = arguments() if argv is None else list(argv)
    if words == ["--read-documents"]:  # the reading process of knowledge bases: no window, no services
        from app.knowledge.worker import main as read_documents

        return read_documents()
    args = parse(words)
    if args.command is not None:
        from app.cli.compose import run_command
        from app.cli.start import execute

        return execute(run_command(args, partial(_services, safe_mode=args.safe_mode)))
    from app.main import open_window

    return open_window(args)


def _services(data_dir: str | None, *, safe_mode: bool = False) -> Services:
    from app.compose import build

    return build(data_dir, safe_mode=safe_mode)
