"""Prose: paragraphs, headings, list items and quotes in one document.

The end of the document may still change while a message streams. It is compared with what it
should be and only the difference is written, so a growing paragraph costs an append.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QTextBlock, QTextBlockFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QWidget

from app.ui.render.markdown.blocks import TASKS, TextLine
from app.ui.render.markdown.inline import FORMULA, TextRun
from app.ui.render.parts.formats import Formats, has_han
from app.ui.render.parts.rich_text import RichText, units
from app.ui.widgets.guarded import guarded

FULL = 8_000
"""Characters after which a message continues in a new segment, so that documents stay small."""


class Prose(RichText):
    def __init__(self, parent: QWidget, formats: Formats) -> None:
        super().__init__(parent, formats)
        self._settled_at = 0
        """Position where the changing lines begin; the break before them included."""
        self._lines: list[TextLine] = []
        self._starts: list[int] = []
        self._empty = True
        self._has_quotes = self._has_tasks = False
        self.document().setDefaultFont(formats.theme.font("body"))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)

    @property
    def is_full(self) -> bool:
        return self._settled_at > FULL

    @property
    def has_settled(self) -> bool:
        return self._settled_at > 0 or (not self._empty and not self._lines)

    def put(self, lines: Sequence[TextLine], *, settled: bool) -> None:
        """Make the changing end of the text these lines; settled: they will not change any more."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        common = self._keep_common(cursor, lines)
        for line in lines[common:]:
            self._append(cursor, line)
        cursor.endEditBlock()
        if settled:
            cursor.movePosition(QTextCursor.MoveOperation.End)
            self._settled_at = cursor.position()
            self._lines, self._starts = [], []

    def wanted(self, width: int) -> int:
        return self.text_height(width)

    def _keep_common(self, cursor: QTextCursor, lines: Sequence[TextLine]) -> int:
        """Remove what differs; returns how many of the lines stand complete."""
        old = self._lines
        same = 0
        while same < len(old) and same < len(lines) and old[same] == lines[same]:
            same += 1
        if same < len(old) and same < len(lines) and _same_block(old[same], lines[same]):
            self._rewrite(cursor, same, lines[same])
            same += 1
            self._cut(cursor, same)
        else:
            self._cut(cursor, same)
        return same

    def _cut(self, cursor: QTextCursor, count: int) -> None:
        """Drop all changing lines from `count` on."""
        if count >= len(self._lines):
            return
        start = self._starts[count]
        cursor.setPosition(max(0, start - 1))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        if start == 0:
            self._empty = True
        del self._lines[count:], self._starts[count:]

    def _rewrite(self, cursor: QTextCursor, at: int, line: TextLine) -> None:
        """Change the end of one line, and with it drop all lines below."""
        old = self._lines[at]
        same = 0
        while same < len(old.runs) and same < len(line.runs) and old.runs[same] == line.runs[same]:
            same += 1
        offset = units(_marker_text(line)) + sum(units(run.text) for run in old.runs[:same])
        rest = list(line.runs[same:])
        if same < len(old.runs) and rest and _continues(old.runs[same], rest[0]):
            offset += units(old.runs[same].text)
            rest[0] = rest[0]._replace(text=rest[0].text[len(old.runs[same].text) :])
        cursor.setPosition(self._starts[at] + offset)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        if cursor.hasSelection():
            cursor.removeSelectedText()
        self._insert_runs(cursor, line, rest)
        del self._lines[at:], self._starts[at + 1 :]
        self._lines.append(line)

    def _append(self, cursor: QTextCursor, line: TextLine) -> None:
        block = self._block_format(line)
        plain = self.formats.plain(line.kind, quoted=line.quoted)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if self._empty:
            # Space above belongs between blocks, not above the first one.
            first = QTextBlockFormat(block)
            first.setTopMargin(0)
            cursor.setBlockFormat(first)
            cursor.setBlockCharFormat(plain)
            self._empty = False
        else:
            cursor.insertBlock(block, plain)
        self._lines.append(line)
        self._starts.append(cursor.position())
        if line.marker:
            cursor.insertText(_marker_text(line), self.formats.unseen(plain) if line.marker in TASKS else plain)
        self._insert_runs(cursor, line, line.runs)

    def _insert_runs(self, cursor: QTextCursor, line: TextLine, runs: Sequence[TextRun]) -> None:
        for run in runs:
            self.insert_run(cursor, run, line.kind, quoted=line.quoted)

    def moved(self, start: int, by: int) -> None:
        if start < self._settled_at:
            self._settled_at += by
        self._starts = [place + by if place > start else place for place in self._starts]

    def _block_format(self, line: TextLine) -> QTextBlockFormat:
        block_format = self.formats.block(line)
        if line.quoted:
            self._has_quotes = True
            block_format = QTextBlockFormat(block_format)
            block_format.setProperty(_QUOTE, True)
        if line.marker in TASKS:
            self._has_tasks = True
            block_format = QTextBlockFormat(block_format)
            block_format.setProperty(_TASK, 1 + TASKS.index(line.marker))
        from_the_right = line.depth > 0 and _from_the_right(line)
        if from_the_right:
            block_format = QTextBlockFormat(block_format)
            # Qt turns the first line's indent over, but not the margin it hangs into.
            block_format.setRightMargin(block_format.leftMargin())
            block_format.setLeftMargin(0)
            block_format.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        if not line.marker:
            return block_format
        block_format = QTextBlockFormat(block_format)
        indent = self.formats.marker_width()
        block_format.setTextIndent(-indent)
        # Counted from where the first line begins, not from the margin.
        kind = QTextOption.TabType.RightTab if from_the_right else QTextOption.TabType.LeftTab
        block_format.setTabPositions([QTextOption.Tab(indent, kind)])
        return block_format

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._has_quotes or self._has_tasks:
            painter = QPainter(self.viewport())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            exposed, block = event.rect().toRectF(), self.document().begin()
            while block.isValid():
                form = block.blockFormat()
                if form.boolProperty(_QUOTE):
                    self._paint_quote_bar(painter, block, exposed)
                if task := form.intProperty(_TASK):
                    self._paint_task(painter, block, is_done=task > 1)
                block = block.next()
            painter.end()
        super().paintEvent(event)

    def _paint_quote_bar(self, painter: QPainter, block: QTextBlock, exposed: QRectF) -> None:
        layout = self.document().documentLayout()
        area = layout.blockBoundingRect(block)
        following = block.next()
        joined = following.isValid() and following.blockFormat().boolProperty(_QUOTE)
        end = layout.blockBoundingRect(following).top() if joined else area.top() + _text_height(block)
        left, width = self.formats.theme.space(0.5), self.formats.theme.space(0.375)
        if block.blockFormat().layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = self.viewport().width() - left - width
        bar = QRectF(left, area.top(), width, end - area.top())
        if bar.intersects(exposed):
            painter.fillRect(bar, self.formats.theme.color("outline"))

    def _paint_task(self, painter: QPainter, block: QTextBlock, *, is_done: bool) -> None:
        """A box as those of the settings, in the place of its sign, which only readers aloud and copies meet."""
        lines = block.layout()
        if not lines.lineCount():
            return
        line, theme = lines.lineAt(0), self.formats.theme
        side = theme.space(1.75)
        x, _cursor = cast("tuple[float, int]", line.cursorToX(0))
        if block.blockFormat().layoutDirection() == Qt.LayoutDirection.RightToLeft:
            x -= side
        middle = lines.position().y() + line.y() + line.height() / 2
        box = QRectF(round(lines.position().x() + x) + 0.5, round(middle - side / 2) + 0.5, side, side)
        painter.setPen(QPen(theme.color("accent" if is_done else "outline"), 1))
        painter.setBrush(theme.color("accent") if is_done else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, side / 4, side / 4)
        if is_done:
            pen = QPen(theme.color("on_accent"), side / 8)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            tick = [QPointF(box.left() + side * dx, box.top() + side * dy) for dx, dy in _TICK]
            painter.drawPolyline(tick)


def _text_height(block: QTextBlock) -> float:
    return block.layout().boundingRect().bottom()


_LOOKED_AT = 100
"""So many runs, and characters of each, are looked at for a direction."""

_QUOTE, _TASK = 0x100001, 0x100002
"""Above QTextFormat.UserProperty: this block belongs to a quote; it is a task, open (1) or done (2)."""

_TICK = ((0.26, 0.52), (0.43, 0.69), (0.75, 0.33))


def _same_block(old: TextLine, new: TextLine) -> bool:
    """Whether the new line can be written over the old one; with formulas the places in it are not known."""
    if any(run.style & FORMULA for run in (*old.runs, *new.runs)) or has_han(old) != has_han(new):
        return False
    return old[0] == new[0] and old[2:] == new[2:] and (not new.depth or _from_the_right(old) == _from_the_right(new))


def _from_the_right(line: TextLine) -> bool:
    """Whether the line reads from right to left: its first letter with a direction decides, as Unicode says."""
    for run in line.runs[:_LOOKED_AT]:
        for char in run.text[:_LOOKED_AT]:
            if (found := unicodedata.bidirectional(char)) in ("L", "R", "AL"):
                return found != "L"
    return False


def _continues(old: TextRun, new: TextRun) -> bool:
    return old.style == new.style and old.href == new.href and new.text.startswith(old.text)


def _marker_text(line: TextLine) -> str:
    return f"{line.marker}\t" if line.marker else ""
