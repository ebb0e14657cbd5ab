"""What must hold before Qt may start, and what the environment gets wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path

from app.core.text.i18n import _

BROKEN_BINDING = "6.12.0"
"""Loses a reference to None at every void call before Python 3.12 and aborts within seconds (PYSIDE-3474)."""


class CannotStart(Exception):
    """Says in one sentence what to install or to change."""


def check_versions(binding: str, python: tuple[int, ...] = sys.version_info[:2]) -> None:
    if binding == BROKEN_BINDING and python < (3, 12):
        raise CannotStart(
            f"PySide6 {binding} crashes on Python {python[0]}.{python[1]}. "
            "Install PySide6-Essentials 6.11.3, or use Python 3.12 or newer."
        )


def mend_environment(environ: MutableMapping[str, str] = os.environ, plugins: Path | None = None) -> str:
    """Sets what Qt reads at its start. Returns a remark for the log, "" if there is none.

    `plugins` is Qt's folder of input methods; the wheels ship ibus, and none for fcitx, which
    however answers as ibus does.
    """
    environ["QT_API"] = "pyside6"
    wanted = environ.get("QT_IM_MODULE", "").lower()
    if not wanted.startswith("fcitx") or sys.platform in ("win32", "darwin"):
        return ""
    if plugins is not None and any(plugins.glob("*fcitx*")):
        return ""
    environ["QT_IM_MODULE"] = "ibus"
    return f"QT_IM_MODULE was {wanted}, which this Qt has no plug-in for; using ibus, which fcitx answers as well"


def why_no_window(messages: Sequence[str], plugins: Path, environ: Mapping[str, str] = os.environ) -> str:
    """The sentence for what Qt said before it would have aborted the process; `plugins` is the folder of its parts."""
    message = " ".join(" ".join(messages).split())
    wanted = environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if wanted not in ("", "xcb", "wayland"):
        return _("Qt cannot open a window here: {message}").format(message=message)
    displays = {"xcb": environ.get("DISPLAY", ""), "wayland": environ.get("WAYLAND_DISPLAY", "")}
    tried = {name: display for name, display in displays.items() if display and wanted in ("", name)}
    if not tried:
        return _(
            "There is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); start it in a "
            "desktop session, over `ssh -X`, or with `xvfb-run`. The commands need none, see: triptych --help"
        )
    missing = [why for name in tried if (why := _cannot_load(plugins / "platforms" / f"libq{name}.so"))]
    if len(missing) == len(tried):
        return missing_library("; ".join(missing))
    return _("The display {display} does not answer; is its server running, and may you use it?").format(
        display=", ".join(tried.values())
    )


def is_missing_library(error: ImportError) -> bool:
    """Qt itself is not there, or a compiled module is and the system lacks what it links.

    The name of the module does not tell: Qt's packages import their parts as `QtGui`, without the package.
    """
    if isinstance(error, ModuleNotFoundError):
        return (error.name or "").partition(".")[0] in ("PySide6", "shiboken6")
    return Path(error.path or "").suffix in (".so", ".pyd", ".dylib") or ".so" in str(error)


def missing_library(message: str) -> str:
    return _(
        "A library that windows need is missing: {message}. Install it with the packages of your system; in a "
        "checkout `make run` does so."
    ).format(message=message)


def _cannot_load(library: Path) -> str:
    """Why; "" if it can be loaded. Qt says only that it could not."""
    import ctypes

    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        return str(error)
    return ""
