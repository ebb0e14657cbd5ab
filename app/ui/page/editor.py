"""The text of the page: plain text in a book face, in a column that is as wide as one reads."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QTextEdit, QToolTip, QWidget

from app.core.text.i18n import _
from app.ui.cards.manuscript import book_font
from app.ui.page.marks import TermMarks
from app.ui.theme import Theme
from app.ui.widgets.safe_text import safe_tooltip

_LINE, _COLUMN = 26, 680
"""Pixels before zoom: of a line, and of the column at most."""
_PARAGRAPH = "\u2029"
MOST_EDITED = 100_000
"""Characters of one text that can be edited; a longer one is to be divided into chapters."""


class PageEditor(QTextEdit):
    edited = Signal()
    """By the person."""
    passage_changed = Signal()
    left = Signal()
    """Esc."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pageEditor")
        self.setAccessibleName(_("Text"))
        self.setAcceptRichText(False)
        self.setProperty("flat", "true")
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.marks = TermMarks(self.document(), theme)
        self._theme, self._is_indented, self._is_loading = theme, False, False
        self._margin = -1
        self.textChanged.connect(self._changed)
        self.selectionChanged.connect(self.passage_changed)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFont(book_font(theme))
        self.marks.set_theme(theme)
        self._format()
        self._fit()

    # ------------------------------------------------------------ the text

    def show_text(self, text: str, *, is_indented: bool, is_live: bool = False) -> None:
        """A text that Qt would change by holding it can only be read; so can one that would hold up the window, and of
        that only the beginning."""
        self._is_loading = True
        document = self.document()
        document.setUndoRedoEnabled(False)
        self.setPlainText(text[:MOST_EDITED])
        self._is_indented = is_indented
        self._format()
        document.setUndoRedoEnabled(True)
        document.setModified(False)
        self.setReadOnly(is_live or self.text() != text)
        self._is_loading = False

    def show_again(self, text: str, *, is_indented: bool) -> None:
        """The same text, read again: the cursor stays as far from the beginning, and what is seen stays."""
        cursor, bar = self.textCursor().position(), self.verticalScrollBar()
        seen = bar.value()
        self.show_text(text, is_indented=is_indented)
        place = self.textCursor()
        place.setPosition(min(cursor, self.document().characterCount() - 1))
        self.setTextCursor(place)
        bar.setValue(seen)

    def text(self) -> str:
        """As it stands, hard spaces and all, which `toPlainText` replaces."""
        return self.document().toRawText().replace(_PARAGRAPH, "\n")

    def append_live(self, text: str) -> None:
        """Behind the end; who has scrolled up stays there."""
        bar = self.verticalScrollBar()
        is_at_end = bar.value() >= bar.maximum() - self._theme.space(4)
        self._is_loading = True
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)
        self._is_loading = False
        if is_at_end:
            bar.setValue(bar.maximum())

    def passage(self) -> tuple[int, int]:
        """What is selected, as characters of the text; nothing: twice the same."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return 0, 0
        raw = self.document().toRawText().encode("utf-16-le", "surrogatepass")
        ends = (cursor.selectionStart(), cursor.selectionEnd())
        first, last = (len(raw[: end * 2].decode("utf-16-le", "surrogatepass")) for end in ends)
        return first, last

    def go_to(self, quote: str) -> bool:
        """The first place of these words is selected and brought into the middle. False: they do not stand there."""
        cursor = self.document().find(quote.split("\n", maxsplit=1)[0]) if quote else QTextCursor(self.document())
        if cursor.isNull():
            return False
        self.setTextCursor(cursor)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect().top() - self.viewport().height() // 3)
        return True

    # ------------------------------------------------------------ Qt

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(source.text().replace("\r\n", "\n"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        # Esc is a command of the window too: in the text it leaves the text first.
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), safe_tooltip(self.about(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def about(self, place: QPoint) -> str:
        """What is known of the word at this point of the viewport; "" = nothing."""
        cursor = self.cursorForPosition(place)
        if not self.cursorRect(cursor).adjusted(-_LINE, 0, _LINE, 0).contains(place):
            return ""
        text, column = cursor.block().text(), cursor.positionInBlock()
        term = self.marks.term_at(text, column) or self.marks.term_at(text, column - 1)
        return term.about if term is not None else ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    # ------------------------------------------------------------ inside

    def _changed(self) -> None:
        # Marking words tells of a change too, and changes nothing.
        if not self._is_loading and not self.isReadOnly() and self.document().isModified():
            self.edited.emit()

    def _format(self) -> None:
        form = QTextBlockFormat()
        zoom = self._theme.zoom
        form.setLineHeight(_LINE * zoom, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        form.setTextIndent(2 * self.fontMetrics().horizontalAdvance("\u4e00") if self._is_indented else 0)
        form.setBottomMargin(0 if self._is_indented else self._theme.space(1))
        is_loading, self._is_loading = self._is_loading, True
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(form)
        self._is_loading = is_loading

    def _fit(self) -> None:
        margin = max(self._theme.space(2), (self.width() - round(_COLUMN * self._theme.zoom)) // 2)
        if margin != self._margin:
            self._margin = margin
            self.setViewportMargins(margin, self._theme.space(2), margin, 0)
