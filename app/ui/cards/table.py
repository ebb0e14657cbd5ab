"""A table, drawn by the one renderer of tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.card_markdown import as_text, mappings, table_columns
from app.ui.render.blocks import Table
from app.ui.render.formats import Formats
from app.ui.render.inline import Run
from app.ui.render.table import TableCard
from app.ui.theme import Theme
from app.ui.widgets.safe_text import visible


def table(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    columns = table_columns(payload)
    head = tuple(_cell(column["label"]) for column in columns)
    aligns = tuple(column["align"] if column["align"] in ("right", "center") else "left" for column in columns)
    rows = tuple(tuple(_cell(as_text(row.get(c["key"]))) for c in columns) for row in mappings(payload, "rows"))
    return _TableBody(Table(head, aligns, rows), theme)


def _cell(text: str) -> tuple[Run, ...]:
    return (Run(visible(text)),)


class _TableBody(QWidget):
    """Lets a layout ask the table for its height."""

    def __init__(self, data: Table, theme: Theme) -> None:
        super().__init__()
        self._table = TableCard(self, Formats(theme), data)
        self._table.grew.connect(self.updateGeometry)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._table.wanted(width)

    def sizeHint(self) -> QSize:
        width = max(self.width(), 400)
        return QSize(width, self._table.wanted(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._table.setGeometry(0, 0, self.width(), self.height())
