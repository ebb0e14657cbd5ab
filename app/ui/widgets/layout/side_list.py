"""The list on the left of a dialog, with its buttons below: what is shown on the right is chosen here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.layout.side_rows import ROW, SideRowDelegate
from app.ui.widgets.safe_text import visible


@dataclass(frozen=True, slots=True)
class SideRow:
    id: str
    title: str
    icon: str
    token: str = "text"
    """Of the theme: the colour of the icon."""
    detail: str = ""
    """A second line: what it is, or how it is doing."""
    dot: str = ""
    """The colour of a dot at the end of the row; the second line says the same in words."""
    mark: str = ""
    """A word at the end of the row."""


class SideList(QWidget):
    chosen = Signal(str)
    """A person wants to see this one; the list shows it only after `select`: unsaved changes may stand against it."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        object_name: str,
        buttons: Iterable[QWidget],
        parent: QWidget | None = None,
        *,
        head: QWidget | None = None,
    ) -> None:
        """`buttons` are below the list, `head` above it."""
        super().__init__(parent)
        self.setProperty("pane", "side")
        self.setProperty("edge", "right")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._selected = ""
        self.list = QListWidget()
        self.list.setObjectName(object_name)
        self.list.setAccessibleName(name)
        self.list.setIconSize(QSize(theme.space(2), theme.space(2)))
        self.list.setSpacing(theme.space(0.25))
        self.list.setItemDelegate(SideRowDelegate(theme, self.list))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # behind the name stands how it is
        self.list.currentItemChanged.connect(self._choose)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space(0.5))
        for button in buttons:
            row.addWidget(button)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1), theme.space(1.5), theme.space(1), theme.space(1))
        layout.setSpacing(theme.space(1))
        if head is not None:
            layout.addWidget(head)
        layout.addWidget(self.list, 1)
        layout.addLayout(row)

    def show_rows(self, rows: Sequence[SideRow]) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for row in rows:
            item = QListWidgetItem(self._theme.icon(row.icon, row.token), visible(row.title))
            item.setData(Qt.ItemDataRole.UserRole, row.id)
            item.setData(ROW, row)
            words = (item.text(), visible(row.detail), row.mark)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, words)))
            item.setSizeHint(QSize(0, self._theme.space(6 if row.detail else 4)))
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.select(self._selected)

    def select(self, id: str) -> None:
        self._selected = id
        self.list.blockSignals(True)
        self.list.setCurrentRow(-1)
        for row in range(self.list.count()):
            if self.list.item(row).data(Qt.ItemDataRole.UserRole) == id:
                self.list.setCurrentRow(row)
        self.list.blockSignals(False)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        id = str(item.data(Qt.ItemDataRole.UserRole))
        self.select(self._selected)
        if id != self._selected:
            self.chosen.emit(id)
