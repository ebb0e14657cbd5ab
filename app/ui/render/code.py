"""A code card: language and Copy above, text that does not wrap below."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QResizeEvent, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QToolButton, QWidget

from app.core.i18n import _
from app.ui.render.formats import Formats
from app.ui.render.highlight import Highlighter
from app.ui.render.line_sizes import LineSizes
from app.ui.render.sanitize import plain_lines
from app.ui.render.text_view import copied, see_through
from app.ui.widgets.safe_text import SafeLabel

_COPIED_FOR_MS = 1_500


class CodeView(QPlainTextEdit):
    """The text itself; scrolls sideways only."""

    def __init__(self, parent: QWidget, formats: Formats) -> None:
        super().__init__(parent)
        see_through(self)
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUndoRedoEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        font = formats.theme.font("code")
        self.setFont(font)
        self.document().setDefaultFont(font)
        self.setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(" "))

    def createMimeDataFromSelection(self) -> QMimeData:
        return copied(self.textCursor())

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta()
        sideways = event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(delta.x()) > abs(delta.y())
        if sideways and self.horizontalScrollBar().maximum():
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - (delta.x() or delta.y()))
            event.accept()
        else:
            event.ignore()


class Code(QFrame):
    grew = Signal()

    def __init__(self, parent: QWidget, formats: Formats, highlighter: Highlighter, language: str = "") -> None:
        super().__init__(parent)
        self.setProperty("card", "plain")
        self.language = language
        self.nesting = 0
        """Lists around the card; it is moved in that far."""
        self.text = ""
        """The source: what Copy gives."""
        self._theme = formats.theme
        self._highlighter = highlighter
        self._label = SafeLabel(language or _("text"), self, role="meta", elide=True)
        self._copy = QToolButton(self)
        self._copy.setProperty("kind", "small")
        self._copy.setCursor(Qt.CursorShape.PointingHandCursor)
        self._copy.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._copy.setIconSize(QSize(formats.theme.space(1.75), formats.theme.space(1.75)))
        self._copy.setAccessibleName(_("Copy code"))
        self._copy.clicked.connect(self._copy_all)
        self._show_copy_ready()
        self.view = CodeView(self, formats)
        self.view.setAccessibleName(_("Code: {language}").format(language=language or _("text")))
        self._lines = LineSizes(self.view.font())

    def append(self, text: str) -> None:
        """Further source; the view keeps its position and selection."""
        cursor = QTextCursor(self.view.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        shown = plain_lines(text)
        cursor.insertText(shown)
        self.text += text
        self._lines.add(shown)

    def set_text(self, text: str) -> None:
        if text == self.text:
            return
        if self.text and text.startswith(self.text):
            self.append(text[len(self.text) :])
        else:
            self.view.setPlainText(plain_lines(text))
            self.text = text
            self._lines.clear()
            self._lines.add(plain_lines(text))

    def settle(self) -> None:
        """The source is complete: colour it when the window has time."""
        self._highlighter.ask(self)

    def wanted(self, width: int) -> int:
        below = self._theme.space(2)
        sideways = self._lines.widest > width - 2 * self._theme.space(1.5)
        bar = self.view.horizontalScrollBar().sizeHint().height() if sideways else 0
        return int(self._head_height() + self._lines.height + below + bar + 2.5)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        head, pad = self._head_height(), self._theme.space(1.5)
        button = self._copy.sizeHint()
        left = self.width() - button.width() - self._theme.space(0.5)
        self._copy.setGeometry(left, (head - button.height()) // 2, button.width(), button.height())
        self._label.setGeometry(pad, 0, max(0, left - pad), head)
        self.view.setGeometry(pad, head, max(1, self.width() - 2 * pad), max(1, self.height() - head - 1))

    def _head_height(self) -> int:
        return self._theme.space(4.5)

    def _copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self.text)
        self._copy.setText(_("Copied"))
        self._copy.setIcon(self._theme.icon("check", "ok", 14))
        self._place_copy()
        QTimer.singleShot(_COPIED_FOR_MS, self, self._show_copy_ready)

    def _show_copy_ready(self) -> None:
        self._copy.setText(_("Copy"))
        self._copy.setIcon(self._theme.icon("copy", "muted", 14))
        self._place_copy()

    def _place_copy(self) -> None:
        button = self._copy.sizeHint()
        left = self.width() - button.width() - self._theme.space(0.5)
        self._copy.setGeometry(left, (self._head_height() - button.height()) // 2, button.width(), button.height())
