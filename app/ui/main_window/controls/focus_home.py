"""Where the focus goes when the control that has it vanishes.

Qt hands it to the next control in the tab order, which may stand anywhere: the next Space would press it.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.chat.view import ChatView
from app.ui.main_window.controls.focus import is_in


class FocusHome(QObject):
    """Who had read in the chat stays there; who had answered a plan, or was elsewhere, goes on at the composer."""

    def __init__(self, window: QWidget, chat: ChatView, plan: QWidget, field: QWidget) -> None:
        super().__init__(window)
        self._window, self._chat, self._plan, self._field = window, chat, plan, field
        QApplication.instance().focusChanged.connect(self._changed)  # type: ignore[union-attr]

    def _changed(self, old: QWidget | None, new: QWidget | None) -> None:
        widget = old if old is not None and shiboken6.isValid(old) else None
        if widget is not None and widget.window() is not self._window:
            return
        if new is None:
            # Deleted, or the window is left; that is known only when both have happened.
            QTimer.singleShot(0, self, self._catch)
        elif widget is not None and new.window() is self._window and not (widget.isVisible() and widget.isEnabled()):
            self._home_of(widget).setFocus()

    def _catch(self) -> None:
        if self._window.isActiveWindow() and QApplication.focusWidget() is None:
            self._field.setFocus()

    def _home_of(self, lost: QWidget) -> QWidget:
        return self._chat.list if is_in(lost, self._chat) and not is_in(lost, self._plan) else self._field
