"""A table: small ones as rich text one can select, long and wide ones as a grid that only paints what is seen.

Qt lays a text table out again for every row that comes, so past a size the rows go to an item view.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTable,
    QTextTableCell,
    QTextTableCellFormat,
    QTextTableFormat,
)
from PySide6.QtWidgets import QToolButton, QWidget

from app.core.text.i18n import _
from app.ui.render.markdown.blocks import TableBlock, row_texts
from app.ui.render.markdown.inline import FORMULA, STRONG, TextRun
from app.ui.render.markdown.sanitize import without_breaks
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.grid import ALIGNED, MAX_COLUMNS, MAX_ROWS, TableGrid
from app.ui.render.parts.plain import Rest
from app.ui.render.parts.rich_text import RichText
from app.ui.render.parts.stacked import LEAST_COLUMN, StackedTable
from app.ui.render.parts.text_view import TextView
from app.ui.widgets.clipboard import copy_current
from app.ui.widgets.safe_text import set_safe_tooltip

RICH_ROWS, RICH_COLUMNS = 60, 8
Row = Sequence[Sequence[TextRun]]


class TableCard(QWidget):
    link_activated = Signal(str)
    grew = Signal()

    def __init__(self, parent: QWidget, formats: Formats, table: TableBlock) -> None:
        super().__init__(parent)
        self.nesting = table.depth
        self._formats = formats
        self._table = table
        self._rows: list[Row] = []
        self._rich: RichTable | None = None
        self._stack: StackedTable | None = None
        """The same rows as blocks, from the first time the columns have no room; filled while they are looked at."""
        self._stacked = 0
        self._grid: TableGrid | None = None
        self._rest: Rest | None = None
        self._copy = QToolButton(self)
        self._copy.setIcon(formats.theme.icon("copy", "muted", 14))
        self._copy.setIconSize(QSize(formats.theme.space(1.75), formats.theme.space(1.75)))
        self._copy.setAccessibleName(_("Copy table as CSV"))
        set_safe_tooltip(self._copy, _("Copy table as CSV"))
        self._copy.clicked.connect(partial(copy_current, self.as_csv))
        self._copy.hide()
        if len(table.head) > RICH_COLUMNS:
            self._become_grid()
        else:
            self._rich = RichTable(self, formats, table)
            self._rich.link_activated.connect(self.link_activated)
            self._rich.grew.connect(self.grew)
        self.add(table.rows)

    def add(self, rows: Sequence[Row]) -> None:
        self._rows += rows
        if self._rich is not None and len(self._rows) > RICH_ROWS:
            for part in (self._rich, self._stack):
                if part is not None:
                    part.hide()
                    part.deleteLater()
            self._rich = self._stack = None
            self._become_grid()
        elif self._rich is not None:
            self._rich.add(rows)
        elif self._grid is not None:
            self._grid.show_rows(self._rows[:MAX_ROWS])
        self._note_what_is_left_out()

    def text_views(self) -> list[TextView]:
        if self._stack is not None and not self._stack.isHidden():
            return [self._stack]
        return [self._rich] if self._rich is not None else []

    def as_csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        for row in (self._table.head, *self._rows):
            writer.writerow([without_breaks(cell) for cell in row_texts(row)])
        return out.getvalue()

    def wanted(self, width: int) -> int:
        rest = self._rest.wanted(width) + self._formats.theme.space(0.5) if self._rest is not None else 0
        return self._main_height(width) + rest

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        main = self._main_height(self.width())
        is_stacked = self._has_no_room(self.width())
        for part in (self._rich, self._grid, self._stack):
            if part is not None:
                part.setGeometry(0, 0, self.width(), main)
        if self._rich is not None:
            self._rich.setVisible(not is_stacked)
        if self._stack is not None:
            self._stack.setVisible(is_stacked)
        if self._rest is not None:
            below = self._formats.theme.space(0.5)
            self._rest.setGeometry(0, main + below, self.width(), max(0, self.height() - main - below))
        size = self._copy.sizeHint()
        self._copy.setGeometry(self.width() - size.width(), 0, size.width(), size.height())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._copy.show()
        self._copy.raise_()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._copy.hide()

    def _main_height(self, width: int) -> int:
        if self._has_no_room(width):
            return self._filled_stack().text_height(width)
        if self._rich is not None:
            return self._rich.text_height(width)
        return self._grid.wanted() if self._grid is not None else 0

    def _has_no_room(self, width: int) -> bool:
        least = LEAST_COLUMN * self._formats.theme.zoom * len(self._table.head)
        return self._rich is not None and len(self._table.head) > 2 and width < least

    def _filled_stack(self) -> StackedTable:
        if self._stack is None:
            self._stack = StackedTable(self, self._formats, self._table)
            self._stack.link_activated.connect(self.link_activated)
            self._stack.grew.connect(self.grew)
            self._stack.hide()
        self._stack.add(self._rows[self._stacked :])
        self._stacked = len(self._rows)
        return self._stack

    def _become_grid(self) -> None:
        self._grid = TableGrid(self, self._formats, self._table)
        self._grid.show_rows(self._rows[:MAX_ROWS])
        self._grid.setGeometry(0, 0, self.width(), self._grid.wanted())
        self._grid.show()

    def _note_what_is_left_out(self) -> None:
        if len(self._rows) <= MAX_ROWS and len(self._table.head) <= MAX_COLUMNS:
            return
        label = _("Show all {rows} rows × {columns} columns as plain text").format(
            rows=f"{len(self._rows):,}", columns=len(self._table.head)
        )
        if self._rest is None:
            self._rest = Rest(self, self._formats, label, self.as_csv)
            self._rest.grew.connect(self.grew)
            self._rest.show()
        else:
            self._rest.relabel(label)


class RichTable(RichText):
    def __init__(self, parent: QWidget, formats: Formats, table: TableBlock) -> None:
        super().__init__(parent, formats)
        self._aligns = table.aligns
        self._columns = max(1, len(table.head))
        self.document().setDefaultFont(formats.theme.font("body"))
        self.setAccessibleName(_("Table"))
        self._whole_from = 0
        """The width from which on every word, time and number has room in one line, in pixels as far as known."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._table = self._insert(cursor)
        for column, cell in enumerate(table.head):
            self._fill(self._table.cellAt(0, column), cell, column, head=True)
        cursor.endEditBlock()
        # The empty block Qt keeps below a table would show as a blank line.
        below = QTextCursor(self.document().lastBlock())
        tiny = QTextBlockFormat()
        tiny.setLineHeight(0, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        below.setBlockFormat(tiny)

    def add(self, rows: Sequence[Row]) -> None:
        if not rows:
            return
        edit = QTextCursor(self.document())
        edit.beginEditBlock()
        first = self._table.rows()
        self._table.appendRows(len(rows))
        for offset, row in enumerate(rows):
            for column in range(self._columns):
                cell = row[column] if column < len(row) else ()
                self._fill(self._table.cellAt(first + offset, column), cell, column)
        edit.endEditBlock()

    def text_height(self, width: int) -> int:
        """Columns are as wide as their words want; where that is too wide for the table, words are broken."""
        self._break_words(width < self._whole_from)
        height = super().text_height(width)
        # Qt rounds each column; less than their padding is no overflow.
        wanted = math.ceil(self.document().size().width()) - self._columns
        if wanted > width >= self._whole_from:
            self._whole_from = wanted
            self._break_words(True)
            height = super().text_height(width)
        return height

    def _break_words(self, may_break: bool) -> None:
        modes, option = QTextOption.WrapMode, self.document().defaultTextOption()
        mode = modes.WrapAtWordBoundaryOrAnywhere if may_break else modes.WordWrap
        if option.wrapMode() != mode:
            # The view writes its own mode into the document whenever its width is set.
            self.setWordWrapMode(mode)

    def _insert(self, cursor: QTextCursor) -> QTextTable:
        form = QTextTableFormat()
        form.setBorder(0)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
        form.setBorderCollapse(True)
        form.setCellSpacing(0)
        form.setCellPadding(0)
        form.setHeaderRowCount(1)
        form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        return cursor.insertTable(1, self._columns, form)

    def _fill(self, cell: QTextTableCell, runs: Sequence[TextRun], column: int, *, head: bool = False) -> None:
        theme, line = self.formats.theme, QTextTableCellFormat()
        line.setBottomBorder(1)
        line.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        line.setBottomBorderBrush(theme.color("outline" if head else "border"))
        line.setTopPadding(theme.space(0.625))
        line.setBottomPadding(theme.space(0.625))
        line.setLeftPadding(theme.space(1))
        line.setRightPadding(theme.space(1))
        cell.setFormat(line)
        cursor = cell.firstCursorPosition()
        block = QTextBlockFormat()
        aligned = self._aligns[column] if column < len(self._aligns) else "left"
        block.setAlignment(ALIGNED.get(aligned, ALIGNED["left"]))
        height = QTextBlockFormat.LineHeightTypes.FixedHeight
        if any(run.style & FORMULA for run in runs):
            height = QTextBlockFormat.LineHeightTypes.MinimumHeight
        block.setLineHeight(round(theme.size("body") * 1.45), height.value)
        cursor.setBlockFormat(block)
        for run in runs:
            self.insert_run(cursor, run._replace(style=run.style | STRONG) if head else run)
