"""Deletes widgets a few at a time: a message of hundreds of cards takes as long to delete as to build."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

AT_ONCE = 10
"""Widgets, with what is in them, in one turn of the loop."""

_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Disposal(QObject):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[QWidget] = deque()
        self._timer: QTimer | None = None

    def take(self, widgets: Iterable[QWidget]) -> None:
        """Hide them now, delete them soon; nothing in them works any more."""
        for widget in widgets:
            widget.hide()
            for timer in widget.findChildren(QTimer):
                timer.stop()
            self._waiting += _crowd(widget)
            self._waiting.append(widget)
        self._some()

    def _some(self) -> None:
        for _ in range(min(AT_ONCE, len(self._waiting))):
            widget = self._waiting.popleft()
            if shiboken6.isValid(widget):
                widget.deleteLater()
        if self._waiting:
            if self._timer is None:
                self._timer = QTimer(self)
                self._timer.setInterval(1)
                self._timer.timeout.connect(self._some)
            self._timer.start()
        elif self._timer is not None:
            self._timer.stop()


def _crowd(widget: QWidget) -> Iterator[QWidget]:
    """The many children of one parent somewhere below; where there are few, they go with it."""
    children = widget.findChildren(QWidget, options=_DIRECT)
    if len(children) > AT_ONCE:
        yield from children
    else:
        for child in children:
            yield from _crowd(child)
