"""Text of any origin, shown as it is: plain, selectable, as tall as it needs up to a limit."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from app.core.text.hidden import spelled_out
from app.ui.theme import Theme
from app.ui.widgets.safe_text import visible

_LONGEST_BLOCK = 2_000
"""Qt lays out a paragraph whole; a stream without line breaks is shown in pieces of this length."""


class PlainView(QPlainTextEdit):
    """Read-only. `append` costs the same at any length of text."""

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        parent: QWidget | None = None,
        *,
        code: bool = False,
        lines: int = 12,
        follow: bool = False,
        exact: bool = False,
    ) -> None:
        """`exact` never breaks a long line, whatever it costs to lay out, and writes out whatever could be taken for
        something else."""
        super().__init__(parent)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("flat", True)
        self.setFont(theme.font("code" if code else "ui"))
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(theme.space(0.25))
        self.scrolls_by_wheel = False
        """Also without the focus; for a view that stands alone."""
        self._lines = lines
        self._follow = follow
        self._exact = exact
        self._pieces: list[str] = []
        self._in_block = 0
        self._height = 0
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        if text:
            self.append(text)
        self._fit()

    def append(self, text: str) -> None:
        """Add at the end. With `follow` the end stays in view, unless the person has scrolled up."""
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        text_shown = spelled_out(text) if self._exact else visible(text)
        self._pieces.append(text_shown)
        cursor.insertText(text_shown if self._exact else self._in_pieces(text_shown))
        if at_end and self._follow:
            bar.setValue(bar.maximum())

    def text(self) -> str:
        """What is shown, without the breaks put into long lines: what copying gives."""
        return "".join(self._pieces)

    def set_text(self, text: str) -> None:
        self._in_block = 0
        self._pieces.clear()
        self.clear()
        self.append(text)
        self.verticalScrollBar().setValue(0)

    def _in_pieces(self, text: str) -> str:
        pieces: list[str] = []
        for number, line in enumerate(text.split("\n")):
            if number:
                pieces.append("\n")
                self._in_block = 0
            while self._in_block + len(line) > _LONGEST_BLOCK:
                cut = _LONGEST_BLOCK - self._in_block
                pieces += [line[:cut], "\n"]
                line = line[cut:]  # noqa: PLW2901 - what is left of it
                self._in_block = 0
            pieces.append(line)
            self._in_block += len(line)
        return "".join(pieces)

    def _fit(self) -> None:
        height = round(self._wanted() + 2 * self.document().documentMargin()) + 2
        if height != self._height:
            self._height = height
            self.setFixedHeight(height)
            if self._follow:
                self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        inside = self.viewport().size()
        if inside.width() != event.size().width():
            # A scroll bar came or went meanwhile; the lines are still those of the other width, and end below it.
            super().resizeEvent(QResizeEvent(inside, event.size()))

    def _wanted(self) -> float:
        """Pixels of the text, up to the limit. Measured: a line with Han characters may be taller."""
        limit = self._lines * self.fontMetrics().lineSpacing()
        height, block = 0.0, self.document().begin()
        while block.isValid() and height < limit:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        return min(max(height, self.fontMetrics().lineSpacing()), limit)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolls itself where it can; else the pane around it scrolls."""
        if self.verticalScrollBar().maximum() > 0 and (self.scrolls_by_wheel or self.hasFocus()):
            super().wheelEvent(event)
        else:
            event.ignore()
