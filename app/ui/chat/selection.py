"""Selecting with the mouse over the borders of segments and messages.

Each text view selects within itself; when the pointer leaves the one it began in, the views
between the two ends are selected as well. Copying joins them in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from app.ui.render.code import CodeView
from app.ui.render.text_view import TextView, selected_text

View = QTextEdit | QPlainTextEdit

_OF_INTEREST = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.KeyPress,
        QEvent.Type.ShortcutOverride,
    }
)


class Selection(QObject):
    def __init__(self, parent: QObject, rows: Callable[[], Sequence[QWidget]]) -> None:
        super().__init__(parent)
        self._rows = rows
        self._began: tuple[View, int] | None = None
        self._spans = False

    def watch(self, row: QWidget) -> None:
        """Follow the text views in a row or in a part of it; asking again is harmless."""
        if isinstance(row, TextView | CodeView):
            self._follow(row)
        views: list[View] = [*row.findChildren(TextView), *row.findChildren(CodeView)]
        for view in views:
            self._follow(view)

    def clear(self) -> None:
        for view in self._views():
            _select(view, 0, 0)
        self._began, self._spans = None, False

    def copy(self) -> bool:
        """Copy what is selected; False if nothing is."""
        text = self.text()
        if text:
            QGuiApplication.clipboard().setText(text)
        return bool(text)

    def text(self) -> str:
        parts = [selected_text(view.textCursor()) for view in self._views()]
        return "\n".join(part for part in parts if part)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind not in _OF_INTEREST:
            return False
        view = _view_behind(watched)
        if view is None:
            return False
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
                self._begin(view, event.position().toPoint())
            elif kind == QEvent.Type.MouseMove and event.buttons() & Qt.MouseButton.LeftButton:
                return self._drag(event.globalPosition().toPoint())
        elif isinstance(event, QKeyEvent) and self._spans and event.matches(QKeySequence.StandardKey.Copy):
            if kind == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if kind == QEvent.Type.KeyPress:
                return self.copy()
        return False

    def _follow(self, view: View) -> None:
        if view.property("followed"):
            return
        view.setProperty("followed", True)
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)

    def _begin(self, view: View, at: QPoint) -> None:
        # Also in the view itself: a press on selected text would begin a drag, which is a nested loop.
        for other in self._views():
            if other.textCursor().hasSelection():
                _select(other, 0, 0)
        self._spans = False
        self._began = (view, view.cursorForPosition(at).position())

    def _drag(self, at: QPoint) -> bool:
        if self._began is None:
            return False
        views = self._views()
        anchor, position = self._began
        if anchor not in views:
            return False
        first, last = views.index(anchor), _nearest(views, at)
        if first == last and not self._spans:
            return False
        self._spans = True
        end = views[last]
        to = end.cursorForPosition(end.viewport().mapFromGlobal(at)).position()
        for index, view in enumerate(views):
            if index == first == last:
                _select(view, position, to)
            elif index == first:
                _select(view, position, _end(view) if last > first else 0)
            elif index == last:
                _select(view, 0 if last > first else _end(view), to)
            elif min(first, last) < index < max(first, last):
                _select(view, 0, _end(view))
            elif view.textCursor().hasSelection():
                _select(view, 0, 0)
        return True

    def _views(self) -> list[View]:
        found: list[View] = []
        for row in self._rows():
            views = _views_of(row)
            for view in views:
                self._follow(view)
            found += sorted(views, key=lambda view: view.mapTo(row, QPoint(0, 0)).y())
        return found


def _views_of(row: QWidget) -> list[View]:
    found: list[View] = [*row.findChildren(TextView), *row.findChildren(CodeView)]
    return [view for view in found if not view.isHidden()]


def _view_behind(watched: QObject) -> View | None:
    if isinstance(watched, TextView | CodeView):
        return watched
    parent = watched.parent()
    return parent if isinstance(parent, TextView | CodeView) else None


def _nearest(views: Sequence[View], at: QPoint) -> int:
    """The view at that height, else the last one above it."""
    above = 0
    for index, view in enumerate(views):
        area = QRect(view.mapToGlobal(QPoint(0, 0)), view.size())
        if area.top() <= at.y() <= area.bottom():
            return index
        if area.bottom() < at.y():
            above = index
    return above


def _end(view: View) -> int:
    return max(0, view.document().characterCount() - 1)


def _select(view: View, start: int, end: int) -> None:
    cursor = QTextCursor(view.document())
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
