"""A list a person edits row by row: add, change, move, delete – by mouse and by keyboard."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import Editor
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.tab_order import anchor, tab_through


class EditRow(QFrame):
    """The base of a row: subclasses hold a value and put `buttons` where they fit."""

    changed = Signal()
    moved = Signal(int)
    removed = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        """`name` says in the names of the buttons what is moved and deleted."""
        super().__init__()
        self.up = IconButton(theme, "chevron-up", _("Move {what} up (Alt+↑)").format(what=name))
        self.up.clicked.connect(partial(self.moved.emit, -1))
        self.down = IconButton(theme, "chevron-down", _("Move {what} down (Alt+↓)").format(what=name))
        self.down.clicked.connect(partial(self.moved.emit, 1))
        self.remove = IconButton(theme, "trash", _("Delete {what} (Alt+Del)").format(what=name))
        self.remove.clicked.connect(self.removed)
        self.buttons = (self.up, self.down, self.remove)

    def value(self) -> Any:
        raise NotImplementedError

    def error(self) -> str:
        return ""

    def begin(self) -> None:
        """It has just been added: the focus goes where one would type first."""
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() == Qt.KeyboardModifier.AltModifier:
            match event.key():
                case Qt.Key.Key_Up:
                    self.moved.emit(-1)
                    return
                case Qt.Key.Key_Down:
                    self.moved.emit(1)
                    return
                case Qt.Key.Key_Delete:
                    self.removed.emit()
                    return
        super().keyPressEvent(event)


class RowsEditor(Editor):
    """The value is a tuple of what the rows hold, from top to bottom. A subclass makes the rows."""

    is_wide = True

    def __init__(self, theme: Theme, *, add: str, empty: str, fresh: Any) -> None:
        """`add` is the button's text, `empty` is told where there are no rows, `fresh` is the value of a new one."""
        self.add_button = QPushButton(add)
        super().__init__(self.add_button)
        self._fresh = fresh
        self.rows: list[EditRow] = []
        self._before = anchor(self)
        self.setFocusProxy(None)  # type: ignore[arg-type]  # Tab enters at a proxy, and would pass the rows by
        self.row.removeWidget(self.add_button)
        self.add_button.setProperty("kind", "link")
        self.add_button.setAutoDefault(False)
        self.add_button.clicked.connect(partial(self.add, fresh))
        self._empty = SafeLabel(empty, role="meta")
        self._empty.setWordWrap(True)
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.space(1))
        outer = QVBoxLayout()
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(theme.space(1))
        outer.addWidget(self._empty)
        outer.addLayout(self._column)
        outer.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.row.addLayout(outer)

    def make_row(self, value: Any) -> EditRow:
        raise NotImplementedError

    def value(self) -> tuple[Any, ...]:
        return tuple(row.value() for row in self.rows)

    def set_value(self, value: Any) -> None:
        for row in self.rows:
            self._drop(row)
        self.rows = []
        for one in value or ():
            self._append(one)
        self._arrange()

    def error(self) -> str:
        return next((error for row in self.rows if (error := row.error())), "")

    def add(self, value: Any) -> EditRow:
        """One more row, at the end, ready to be filled in."""
        row = self._append(value)
        self._arrange()
        self.changed.emit()
        row.begin()
        return row

    def _append(self, value: Any) -> EditRow:
        row = self.make_row(value)
        row.changed.connect(self.changed)
        row.moved.connect(partial(self._move, row))
        row.removed.connect(partial(self._remove, row))
        self.rows.append(row)
        self._column.addWidget(row)
        return row

    def _move(self, row: EditRow, by: int) -> None:
        place = self.rows.index(row)
        to = place + by
        if not 0 <= to < len(self.rows):
            return
        focused = self.focus_in(row)
        self.rows.insert(to, self.rows.pop(place))
        self._column.removeWidget(row)
        self._column.insertWidget(to, row)
        self._arrange()
        if focused is not None:
            focused.setFocus()
        self.changed.emit()

    def _remove(self, row: EditRow) -> None:
        place = self.rows.index(row)
        had_focus = self.focus_in(row) is not None
        self.rows.remove(row)
        self._drop(row)
        self._arrange()
        if had_focus:
            after = self.rows[min(place, len(self.rows) - 1)].remove if self.rows else self.add_button
            after.setFocus(Qt.FocusReason.TabFocusReason)
        self.changed.emit()

    def _drop(self, row: EditRow) -> None:
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _arrange(self) -> None:
        self._empty.setVisible(bool(self._empty.text()) and not self.rows)
        for place, row in enumerate(self.rows):
            row.up.setEnabled(place > 0)
            row.down.setEnabled(place < len(self.rows) - 1)
        tab_through(self._before, [*self.rows, self.add_button])

    @staticmethod
    def focus_in(row: EditRow) -> QWidget | None:
        """What of the row has the focus."""
        focused: QWidget | None = row.window().focusWidget()
        return focused if focused is not None and (focused is row or row.isAncestorOf(focused)) else None
