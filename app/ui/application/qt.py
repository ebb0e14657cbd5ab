"""Qt's own start. What it would say before it aborts the process is said in a sentence instead."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

from PySide6 import __version__ as binding_version
from PySide6.QtCore import QLibraryInfo, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app.core.resources import resource_dir
from app.ui.application.guard import check_versions, mend_environment, why_no_window

_log = logging.getLogger(__name__)

APPLICATION_ID = "app.triptych.Triptych"
"""By this desktops find the program's icon and starter: the name of its .desktop file, the app_id of its windows."""


def start_qt() -> QApplication:
    """Once. Raises CannotStart; where no window can be opened the process ends here, with exit code 1."""
    check_versions(binding_version)
    plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath))
    if remark := mend_environment(plugins=plugins / "platforminputcontexts"):
        _log.info(remark)
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else _application(plugins)
    app.setApplicationName("Triptych")
    app.setDesktopFileName(APPLICATION_ID)
    app.setWindowIcon(QIcon(str(resource_dir() / "brand" / "triptych.svg")))
    app.setQuitOnLastWindowClosed(False)
    return app


def _application(plugins: Path) -> QApplication:
    messages: list[str] = []

    def keep(kind: QtMsgType, _place: object, text: str) -> None:
        messages.append(text)
        if kind is QtMsgType.QtFatalMsg:
            _write(f"triptych: {why_no_window(messages, plugins)}")
            os._exit(1)  # as this returns, Qt aborts

    before = qInstallMessageHandler(keep)
    app = QApplication(["triptych", "-style", "fusion"])  # the first is the instance of WM_CLASS
    qInstallMessageHandler(before)
    for text in messages:
        _write(text)
    app.setProperty("isFusion", True)
    return app


def _write(text: str) -> None:
    if sys.stderr is not None:  # a program without a console has none
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
