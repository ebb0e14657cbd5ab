"""Selecting over the borders of segments and messages, also of such that are not in sight.

Each text view selects within itself; when the pointer leaves the one it began in, all between the two
ends is selected as well. The ends are remembered as places in rows, not as widgets: a row that comes
into sight shows its share, and one that is not made gives its source to the clipboard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from app.ui.chat.virtual_list import VirtualList
from app.ui.render.parts.code import CodeView
from app.ui.render.parts.text_view import TextView, selected_text

View = QTextEdit | QPlainTextEdit
Rows = Callable[[], Mapping[str, QWidget]]

_OF_INTEREST = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseMove,
        QEvent.Type.KeyPress,
        QEvent.Type.ShortcutOverride,
    }
)
_SCROLL_MS = 30
_LAST = 1 << 30
"""Stands for the end of a row, whatever is in it."""


class TextPosition(NamedTuple):
    """A place in the conversation; compared as it is read once the row is a number."""

    row: str
    view: int
    position: int


class Selection(QObject):
    """`rows` are those in sight by name, top to bottom; `source` is what a whole row gives to the clipboard."""

    def __init__(
        self, chat: VirtualList, rows: Rows, keys: Callable[[], Sequence[str]], source: Callable[[str], str]
    ) -> None:
        super().__init__(chat)
        self._list, self._rows, self._keys, self._source = chat, rows, keys, source
        self._began: TextPosition | None = None
        self._ended: TextPosition | None = None
        """Set once the selection spans more than the view it began in."""
        self._is_all = False
        self._pointer = QPoint()
        self._again = _timer(self, 0, self._apply)
        self._scroll = _timer(self, _SCROLL_MS, self._scroll_on)
        chat.verticalScrollBar().valueChanged.connect(self._scrolled)

    def watch(self, row: QWidget) -> None:
        """Follow the text views in a row or in a part of it; asking again is harmless."""
        if isinstance(row, TextView | CodeView):
            self._follow(row)
        for view in _views_of(row):
            self._follow(view)
        if self._ended is not None:
            self._again.start()

    def clear(self) -> None:
        self._forget()
        for row in self._list.built().values():
            for view in _views_of(row):
                if view.textCursor().hasSelection():
                    _select(view, 0, 0)

    def select_all(self) -> None:
        """Every message, whether it is in sight or not."""
        keys = self._keys()
        if keys:
            self._began, self._ended = TextPosition(keys[0], 0, 0), TextPosition(keys[-1], _LAST, _LAST)
            self._is_all = True
            self._apply()

    def copy(self) -> bool:
        """Copy what is selected; False if nothing is."""
        text = self.text()
        if text:
            QGuiApplication.clipboard().setText(text)
        return bool(text)

    def text(self) -> str:
        rows = self._rows()
        if self._ended is None:
            parts = [selected_text(view.textCursor()) for row in rows.values() for view in self._views(row)]
            return "\n".join(part for part in parts if part)
        first, last, keys = self._ends()
        texts: list[str] = []
        for key in keys:
            # The ends keep their share while they are out of sight; what lies between is whole.
            row = rows.get(key) or (self._list.widget(key) if key in (first.row, last.row) else None)
            if row is None or self._is_all:
                texts.append(self._source(key))
            else:
                texts += [selected_text(view.textCursor()) for view in self._views(row)]
        return "\n".join(text for text in texts if text)

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
            elif kind == QEvent.Type.MouseButtonRelease:
                self._scroll.stop()
        elif isinstance(event, QKeyEvent):
            return self._key(event)
        return False

    def _scrolled(self, _value: int) -> None:
        """Other rows are in sight."""
        if self._ended is not None:
            self._again.start()

    def _key(self, event: QKeyEvent) -> bool:
        copies = event.matches(QKeySequence.StandardKey.Copy) and self._ended is not None
        if not copies and not event.matches(QKeySequence.StandardKey.SelectAll):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif copies:
            self.copy()
        else:
            self.select_all()
        return True

    # -- with the mouse

    def _follow(self, view: View) -> None:
        if view.property("followed"):
            return
        view.setProperty("followed", True)
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)

    def _begin(self, view: View, at: QPoint) -> None:
        # Also in the view itself: a press on selected text would begin a drag, which is a nested loop.
        self.clear()
        self._began = self._spot(view, view.cursorForPosition(at).position())
        self._list.pinned = self._began.row if self._began is not None else ""

    def _drag(self, at: QPoint) -> bool:
        self._pointer = at
        if self._began is None:
            return False
        inside = self._list.viewport().mapFromGlobal(at).y()
        if 0 <= inside < self._list.viewport().height():
            self._scroll.stop()
        elif not self._scroll.isActive():
            self._scroll.start()
        end = _nearest([view for row in self._rows().values() for view in self._views(row)], at)
        if end is None:
            return False
        spot = self._spot(end, end.cursorForPosition(end.viewport().mapFromGlobal(at)).position())
        if spot is None or (self._ended is None and spot[:2] == self._began[:2]):
            return False
        self._ended = spot
        self._apply()
        return True

    def _scroll_on(self) -> None:
        """The pointer is held above or below what is in sight."""
        area = self._list.viewport()
        inside = area.mapFromGlobal(self._pointer).y()
        beyond = inside if inside < 0 else max(0, inside - area.height())
        if beyond and QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            bar = self._list.verticalScrollBar()
            bar.setValue(bar.value() + max(-120, min(120, beyond)))
            self._drag(self._pointer)
            self._scroll.start()

    # -- what is selected

    def _forget(self) -> None:
        self._began = self._ended = None
        self._is_all = False
        self._list.pinned = ""
        self._scroll.stop()

    def _spot(self, view: View, position: int) -> TextPosition | None:
        for key, row in self._rows().items():
            views = self._views(row)
            if view in views:
                return TextPosition(key, views.index(view), position)
        return None

    def _ends(self) -> tuple[TextPosition, TextPosition, list[str]]:
        """The two ends as they are read, and the rows from one to the other."""
        assert self._began is not None
        assert self._ended is not None
        keys = list(self._keys())
        places = {key: place for place, key in enumerate(keys)}
        ends = [end for end in (self._began, self._ended) if end.row in places]
        if len(ends) < 2:
            return self._began, self._ended, []
        first, last = sorted(ends, key=lambda end: (places[end.row], end.view, end.position))
        return first, last, keys[places[first.row] : places[last.row] + 1]

    def _apply(self) -> None:
        """Show in every row in sight what of it is selected."""
        if self._ended is None or self._began is None:
            return
        first, last, keys = self._ends()
        between = set(keys)
        rows = dict(self._rows())
        rows |= {end.row: row for end in (first, last) if (row := self._list.widget(end.row)) is not None}
        for key, row in rows.items():
            for number, view in enumerate(self._views(row)):
                if key not in between:
                    start = end = 0
                else:
                    start = 0 if key != first.row or number > first.view else _end(view)
                    end = _end(view) if key != last.row or number < last.view else 0
                    if key == first.row and number == first.view:
                        start = first.position
                    if key == last.row and number == last.view:
                        end = last.position
                if start < end or view.textCursor().hasSelection():
                    _select(view, min(start, end), end)

    def _views(self, row: QWidget) -> list[View]:
        if not shiboken6.isValid(row):
            return []
        views = _views_of(row)
        for view in views:
            self._follow(view)
        return sorted(views, key=lambda view: view.mapTo(row, QPoint(0, 0)).y())


def _timer(parent: Selection, interval: int, slot: Callable[[], None]) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(interval)
    timer.timeout.connect(slot)
    return timer


def _views_of(row: QWidget) -> list[View]:
    found: list[View] = [*row.findChildren(TextView), *row.findChildren(CodeView)]
    return [view for view in found if not view.isHidden()]


def _view_behind(watched: QObject) -> View | None:
    if isinstance(watched, TextView | CodeView):
        return watched
    parent = watched.parent()
    return parent if isinstance(parent, TextView | CodeView) else None


def _nearest(views: Sequence[View], at: QPoint) -> View | None:
    """The view at that height, else the last one above it."""
    above = views[0] if views else None
    for view in views:
        area = QRect(view.mapToGlobal(QPoint(0, 0)), view.size())
        if area.top() <= at.y() <= area.bottom():
            return view
        if area.bottom() < at.y():
            above = view
    return above


def _end(view: View) -> int:
    return max(0, view.document().characterCount() - 1)


def _select(view: View, start: int, end: int) -> None:
    cursor = QTextCursor(view.document())
    last = _end(view)
    cursor.setPosition(min(start, last))
    cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
