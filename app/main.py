"""The window: builds every object once and passes it on by name.

In two steps, so that the window appears early: what the first paint needs is read directly from the data folder;
services, and the heavy libraries they import, are built after it.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.text.i18n import _, set_language
from app.services.data.first_look import FirstLook

if TYPE_CHECKING:
    from app.core.system.start_trace import StartTrace
    from app.storage.folder.instance_lock import InstanceLock
    from app.ui.application import Application
    from app.ui.application.compose import Composition

_PATIENCE = 6.0
"""Seconds; longer than the shutdown may take."""
_AGAIN = 0.03


def build(argv: list[str]) -> Application:
    """The application with its window, without starting the loop. `argv` is what follows `triptych`."""
    from app.cli.parser import parse

    return _application(parse(argv))


def open_window(args: argparse.Namespace) -> int:
    """Returns the exit code once the window is closed."""
    from app.ui.application.guard import CannotStart, is_missing_library, missing_library

    try:
        return _open_window(args)
    except CannotStart as error:
        message = str(error)
    except ImportError as error:
        if not is_missing_library(error):
            raise
        message = missing_library(str(error))
    _say(message)
    return 1


def _say(message: str) -> None:
    """Where it is seen: a program without a console has no standard error, and Windows a box for that."""
    if sys.stderr is not None:
        sys.stderr.write(f"triptych: {message}\n")
    elif sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, message, "Triptych", 0x10)


def _open_window(args: argparse.Namespace) -> int:
    if args.smoke:
        from app.ui.smoke import smoke

        return smoke(_application(args))
    if args.trace_start:
        return _trace(args)
    from app.storage.folder.instance_lock import InstanceLock
    from app.storage.folder.paths import DataFolder
    from app.storage.folder.start_log import StartLog

    folder = DataFolder.find(args.data_dir).root
    claim = InstanceLock(folder)
    files = [str(Path(file).absolute()) for file in args.files]
    if is_open_already(claim, args.session or "", args.agent or "", ask=args.ask, files=files):
        return 0
    first = _look(args)
    _start_qt()  # what stops it is no fault of ours that would count as a failed start
    log = StartLog(folder)
    application = _application(args, first, failed=log.begin())
    application.lasted.connect(log.went_well)
    if claim.take() == "us":
        application.hear_at(claim.address, deaf=claim.release)
    if args.ask:
        application.quick_ask()
    if files:
        application.open_files(files)
    code = application.run()
    claim.release()
    if application.wants_restart:
        start_again(str(application.other_folder or args.data_dir or ""))
    return code


def _trace(args: argparse.Namespace) -> int:
    from app.core.system.start_trace import StartTrace

    trace = StartTrace()
    trace.begin()
    first = _look(args)
    trace.mark(_("settings and list of sessions read"))
    _start_qt()
    trace.mark(_("Qt started"))
    from app.ui.start_trace import traced

    return traced(trace, partial(_application, args, first, trace=trace))


def is_open_already(
    claim: InstanceLock, session: str, agent: str, *, ask: bool = False, files: Sequence[str] = ()
) -> bool:
    """Whether another process has the window of this folder, which has come forward and shows what was asked for.

    One that has just begun, or is just shutting down, is waited for; one that does not answer is left alone.
    """
    end = time.monotonic() + _PATIENCE
    while claim.take() == "another" and time.monotonic() < end:
        from app.ui.application.single import ring

        if ring(claim.address, session=session, agent=agent, ask=ask, files=files, seconds=end - time.monotonic()):
            return True
        time.sleep(_AGAIN)
    return False


def start_again(data_dir: str = "") -> None:
    """Another process of the program in the place of this one, which has let go of everything."""
    command = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "app"]
    import subprocess

    subprocess.Popen(command + (["--data-dir", data_dir] if data_dir else []))


def _look(args: argparse.Namespace) -> FirstLook:
    return look(args.data_dir, session=args.session, agent=args.agent or "")


def _start_qt() -> None:
    gc.disable()  # until the window collects in its own thread; what a start loads stays anyway
    from app.ui.application import Application

    Application.start_qt()


def _application(
    args: argparse.Namespace, first: FirstLook | None = None, *, failed: bool = False, trace: StartTrace | None = None
) -> Application:
    """`failed`: the last starts did, so this one leaves out what may be at fault."""
    gc.disable()
    first = first or _look(args)
    if args.safe_mode or failed:
        first = replace(first, safe_mode="asked" if args.safe_mode else "failed", theme="system", zoom=100)
        first = replace(first, text_font="", code_font="")
    from app.ui.application import Application

    def compose() -> Composition:
        from app.compose import build as build_services
        from app.ui.application.compose import Composition

        services = build_services(args.data_dir, safe_mode=bool(first.safe_mode))
        newest = first.agent or (first.sessions[0].agent if first.sessions else "")
        services.tools.load_for(newest)  # in this thread, not when the window shows the session
        if trace is not None:
            trace.mark(_("services built, in a thread"))
        return Composition(services)

    return Application(first, compose)


def look(data_dir: str | None = None, *, session: str | None = None, agent: str = "") -> FirstLook:
    """What the first paint needs. Nothing is made here; a damaged file is the services' matter."""
    from app.storage.config.settings import SettingsFiles
    from app.storage.folder.paths import DataFolder
    from app.storage.stores.session_preview import rows_for_start

    folder = DataFolder.find(data_dir)
    values, _problem = SettingsFiles(folder.root).load("preferences") if folder.root.is_dir() else ({}, None)
    language = set_language(os.environ.get("TRIPTYCH_LANG", "") or _text(values.get("language")))
    zoom = values.get("zoom")
    return FirstLook(
        data_dir=Path(folder.root),
        language=language,
        theme=_text(values.get("theme")) or "system",
        text_font=_text(values.get("text_font")),
        code_font=_text(values.get("code_font")),
        reduced_motion=values.get("reduced_motion") is True,
        zoom=zoom if isinstance(zoom, int) and 60 <= zoom <= 250 else 100,
        sessions=rows_for_start(folder.database),
        session=session,
        agent=agent,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
