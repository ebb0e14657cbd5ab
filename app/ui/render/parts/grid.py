"""A long or wide table as an item view: it paints only what is seen, and a row costs next to nothing."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView, QWidget

from app.core.text.i18n import _
from app.ui.render.markdown.blocks import TableBlock, row_texts
from app.ui.render.markdown.inline import TextRun
from app.ui.render.parts.formats import Formats
from app.ui.widgets.guarded import guarded

MAX_ROWS, MAX_COLUMNS = 200, 20
Row = Sequence[Sequence[TextRun]]

ALIGNED = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class _Rows(QAbstractTableModel):
    def __init__(self, parent: QWidget, head: Sequence[str], aligns: Sequence[str]) -> None:
        super().__init__(parent)
        self._head = list(head)
        self._aligns = list(aligns)
        self.rows: list[tuple[str, ...]] = []

    def extend(self, rows: Sequence[Row]) -> None:
        fresh = rows[len(self.rows) :]
        if fresh:
            self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(fresh) - 1)
            self.rows += [row_texts(row) for row in fresh]
            self.endInsertRows()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._head)

    @guarded
    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        text = row[index.column()] if index.column() < len(row) else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return text.replace("\n", " ")[:500]
        if role == Qt.ItemDataRole.ToolTipRole and len(text) > 20:
            return f"<p>{html.escape(text[:1000])}</p>"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            aligned = self._aligns[index.column()] if index.column() < len(self._aligns) else "left"
            return ALIGNED.get(aligned, ALIGNED["left"]) | Qt.AlignmentFlag.AlignVCenter
        return None

    @guarded
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._head[section][:200]
        return None


class TableGrid(QTableView):
    """As high as its rows: the chat scrolls, the grid only sideways."""

    def __init__(self, parent: QWidget, formats: Formats, table: TableBlock) -> None:
        super().__init__(parent)
        self.setProperty("flat", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Table"))
        self.setFont(formats.theme.font("ui"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalHeader().hide()
        self._row_height = formats.theme.space(3.5)
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(self._row_height)
        self.horizontalHeader().setFixedHeight(self._row_height)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setAccessibleName(_("Columns"))
        self._model = _Rows(self, row_texts(table.head)[:MAX_COLUMNS], table.aligns)
        self.setModel(self._model)

    def show_rows(self, rows: Sequence[Row]) -> None:
        sized = bool(self._model.rows)
        self._model.extend(rows)
        if not sized:
            self._size_columns()

    def wanted(self) -> int:
        bar = self.horizontalScrollBar()
        sideways = bar.sizeHint().height() if self.horizontalHeader().length() > self.width() else 0
        return self._row_height * (1 + len(self._model.rows)) + sideways + 2

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._selected_text())
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
        else:
            event.ignore()

    def _selected_text(self) -> str:
        lines: dict[int, list[str]] = {}
        for index in sorted(self.selectedIndexes()):
            row = self._model.rows[index.row()]
            lines.setdefault(index.row(), []).append(row[index.column()] if index.column() < len(row) else "")
        return "\n".join("\t".join(cells) for cells in lines.values())

    def _size_columns(self) -> None:
        bold = QFont(self.font())
        bold.setBold(True)
        metrics = QFontMetrics(bold)
        for column in range(self._model.columnCount()):
            texts = [str(self._model.headerData(column, Qt.Orientation.Horizontal))]
            texts += [row[column] for row in self._model.rows[:40] if column < len(row)]
            widest = max(metrics.horizontalAdvance(text[:60]) for text in texts)
            self.setColumnWidth(column, max(56, min(320, widest + 28)))
