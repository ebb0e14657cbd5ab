"""The way to a field that was found: folds opened, tabs turned, scrolled to, and marked for a moment."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QApplication, QFrame, QListWidget, QScrollArea, QStackedWidget, QWidget

_MARKED_MS = 2_500
_EDGE = 4


@runtime_checkable
class Reveals(Protocol):
    """A part with folds or tabs of its own."""

    def reveal(self, inside: QWidget) -> None: ...


def bring_to_sight(widget: QWidget, row: int = -1) -> QWidget:
    """Returns what is to be marked: the widget itself."""
    walk: QWidget | None = widget
    while walk is not None and not walk.isWindow():
        parent = walk.parentWidget()
        if isinstance(parent, Reveals):
            parent.reveal(widget)
        elif isinstance(parent, QStackedWidget) and parent.currentWidget() is not walk:
            parent.setCurrentWidget(walk)
        walk = parent
    if isinstance(widget, QListWidget) and row >= 0:
        widget.setCurrentRow(row)
        widget.itemActivated.emit(widget.item(row))
    QApplication.sendPostedEvents()  # what came to sight has its place before it is scrolled to
    walk = widget.parentWidget()
    while walk is not None:
        if isinstance(walk, QScrollArea):
            walk.ensureWidgetVisible(widget, 0, _EDGE * 8)
        walk = walk.parentWidget()
    return widget


class FoundMark(QFrame):
    """A frame around what was found."""

    def __init__(self, target: QWidget) -> None:
        ground = _ground_of(target)
        super().__init__(ground)
        self.setObjectName("foundMark")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        place = QRect(target.mapTo(ground, QPoint()), target.size())
        self.setGeometry(place.adjusted(-_EDGE, -_EDGE, _EDGE, _EDGE).intersected(ground.rect()))
        self.show()
        self.raise_()
        QTimer.singleShot(_MARKED_MS, self, self.end)

    def end(self) -> None:
        self.hide()
        self.deleteLater()


def _ground_of(target: QWidget) -> QWidget:
    """What scrolls with it: its own parent would cut off the edges of the frame."""
    walk = target.parentWidget()
    while walk is not None:
        viewport = walk.parentWidget()
        area = viewport.parentWidget() if viewport is not None else None
        if isinstance(area, QScrollArea) and area.widget() is walk:
            return walk
        walk = viewport
    return target.parentWidget() or target
