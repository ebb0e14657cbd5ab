"""The tables of this page: rows of text, with buttons at the end of each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from app.ui.theme import Theme
from app.ui.widgets.safe_text import safe_tooltip, visible


class RowTable(QTableWidget):
    delete_asked = Signal(int)
    """Number of the row on which Delete was pressed."""

    def __init__(self, theme: Theme, name: str, columns: Sequence[str], stretched: int) -> None:
        super().__init__(0, len(columns))
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(columns))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(theme.space(4.5))
        self.setProperty("padded", True)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        for column, title in enumerate(columns):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
            if not title:  # a column of buttons, which are not counted as contents
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
                header.resizeSection(column, theme.space(12))
        header.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)

    def put(self, row: int, column: int, text: str, *, editable: bool = False) -> None:
        item = QTableWidgetItem(text if editable else visible(" ".join(text.split())))
        item.setFlags(item.flags() if editable else item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        item.setData(Qt.ItemDataRole.ToolTipRole, safe_tooltip(text))
        self.setItem(row, column, item)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.currentRow() >= 0:
            self.delete_asked.emit(self.currentRow())
            return
        super().keyPressEvent(event)
