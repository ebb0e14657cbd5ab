"""What must hold before Qt may start, and what the environment gets wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path

BROKEN_BINDING = "6.12.0"
"""Loses a reference to None at every void call before Python 3.12 and aborts within seconds (PYSIDE-3474)."""


class CannotStart(Exception):
    """Says in one sentence what to install."""


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
