"""A table where its columns have no room: each row is a block, its first cell the head of the others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QWidget

from app.core.text.i18n import _
from app.ui.render.markdown.blocks import TableBlock
from app.ui.render.markdown.inline import MUTED, STRONG, TextRun
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.rich_text import RichText

LEAST_COLUMN = 88
"""Pixels before zoom; narrower, and a column is a row of syllables."""
Row = Sequence[Sequence[TextRun]]


class StackedTable(RichText):
    """Line 1 the first cell and, at its side, the first number; line 2 the rest, each behind the name of its column."""

    def __init__(self, parent: QWidget, formats: Formats, table: TableBlock) -> None:
        super().__init__(parent, formats)
        self.document().setDefaultFont(formats.theme.font("body"))
        self.setAccessibleName(_("Table"))
        self._head, self._aligns = table.head, table.aligns

    def add(self, rows: Sequence[Row]) -> None:
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for row in rows:
            cursor.movePosition(QTextCursor.MoveOperation.End)
            self._add_row(cursor, row)
        cursor.endEditBlock()

    def _add_row(self, cursor: QTextCursor, row: Row) -> None:
        if not row:
            return
        first, *rest = list(enumerate(row))
        number = next((n for n, _cell in rest if n < len(self._aligns) and self._aligns[n] == "right"), None)
        self._begin_line(cursor, above=1.25)
        self._insert(cursor, first[1], STRONG)
        if number is not None:
            self._insert(cursor, (TextRun("  "), *row[number]))
        others = [(n, cell) for n, cell in rest if n != number and any(run.text.strip() for run in cell)]
        if others:
            self._begin_line(cursor, above=0)
        for place, (n, cell) in enumerate(others):
            name = self._head[n] if n < len(self._head) else ()
            between = (TextRun(" · "),) if place else ()
            self._insert(cursor, (*between, *name, *((TextRun(" "),) if name else ()), *cell), MUTED)

    def _begin_line(self, cursor: QTextCursor, *, above: float) -> None:
        form = QTextBlockFormat()
        form.setLineHeight(*self.formats.least_line_height())
        form.setTopMargin(self.formats.theme.space(above) if not self.document().isEmpty() else 0)
        if self.document().isEmpty():
            cursor.setBlockFormat(form)
        else:
            cursor.insertBlock(form)

    def _insert(self, cursor: QTextCursor, runs: Sequence[TextRun], style: int = 0) -> None:
        for run in runs:
            self.insert_run(cursor, run._replace(style=run.style | style))
