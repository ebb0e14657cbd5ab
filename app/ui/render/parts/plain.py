"""What is too long to lay out as Markdown: a note, and the text itself in a plain view on demand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.ui.render.markdown.line_sizes import LineSizes
from app.ui.render.markdown.sanitize import plain_lines
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.text_view import copied, see_through

SHOWN_AT_MOST = 2_000_000
"""Characters; Copy still gives the whole source."""

_LINES_HIGH = 20
_NARROW = 400
"""Pixels that are there in every window: a wider line may need the bar."""


class PlainBlock(QPlainTextEdit):
    """Literal text without wrapping in a view of limited height, which scrolls once it has the focus."""

    def __init__(self, parent: QWidget, formats: Formats, text: str) -> None:
        super().__init__(parent)
        see_through(self)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(formats.theme.font("code"))
        self.document().setDefaultFont(formats.theme.font("code"))
        self.document().setDocumentMargin(formats.theme.space(1))
        self.setPlainText(plain_lines(text[:SHOWN_AT_MOST]))
        self.setFixedHeight(self._height_of_lines() + 2 * formats.theme.space(1) + 2)

    def _height_of_lines(self) -> int:
        """Of the first ones; with room for the bar below if one of them is long."""
        sizes = LineSizes(self.font())
        block, lines = self.document().begin(), 0
        while block.isValid() and lines < _LINES_HIGH:
            sizes.add(block.text() if lines == 0 else "\n" + block.text())
            block, lines = block.next(), lines + 1
        bar = self.horizontalScrollBar().sizeHint().height() if sizes.widest > _NARROW else 0
        return int(sizes.height + 1) + bar

    def createMimeDataFromSelection(self) -> QMimeData:
        return copied(self.textCursor())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Rest(QFrame):
    """A button that says what is left out and, when pressed, gives way to it."""

    grew = Signal()

    def __init__(self, parent: QWidget, formats: Formats, label: str, text: Callable[[], str]) -> None:
        super().__init__(parent)
        self.setProperty("card", "plain")
        self._formats = formats
        self._text = text
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(*[formats.theme.space(0.5)] * 4)
        self.button = QPushButton(label, self)
        self.button.setProperty("kind", "quiet")
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.button.clicked.connect(self._open)
        self._box.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    def relabel(self, label: str) -> None:
        self.button.setText(label)

    def wanted(self, width: int) -> int:
        del width
        return self._box.sizeHint().height()

    def _open(self) -> None:
        self.button.hide()
        view = PlainBlock(self, self._formats, self._text())
        view.setAccessibleName(self.button.text())
        self._box.addWidget(view)
        # Qt shows a late child only in the next turn, and what is hidden has no height.
        view.show()
        self._box.activate()
        self.grew.emit()
