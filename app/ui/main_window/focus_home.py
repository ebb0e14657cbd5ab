"""Where the focus goes when the control that has it vanishes.

Qt hands it to the next control in the tab order, which may stand anywhere: the next Space would press it.
"""

from __future__ import annotations

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget


class FocusHome(QObject):
    def __init__(self, window: QWidget, home_of: Callable[[QWidget | None], QWidget]) -> None:
        """`home_of` is given what vanished; None if that is gone already."""
        super().__init__(window)
        self._window, self._home_of = window, home_of
        QApplication.instance().focusChanged.connect(self._changed)  # type: ignore[union-attr]

    def _changed(self, old: QWidget | None, new: QWidget | None) -> None:
        known = old if old is not None and shiboken6.isValid(old) else None
        if known is not None and known.window() is not self._window:
            return
        if new is None:
            # Deleted, or the window is left; that is known only when both have happened.
            QTimer.singleShot(0, self, self._catch)
        elif known is not None and new.window() is self._window and not (known.isVisible() and known.isEnabled()):
            self._home_of(known).setFocus()

    def _catch(self) -> None:
        if self._window.isActiveWindow() and QApplication.focusWidget() is None:
            self._home_of(None).setFocus()
