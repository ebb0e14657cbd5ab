"""A code card: language, Wrap, Fold and Copy above, the text below."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QResizeEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QToolButton, QWidget

from app.core.text.i18n import _
from app.ui.render.markdown.line_sizes import LineSizes
from app.ui.render.markdown.sanitize import plain_lines
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.highlight import Highlighter
from app.ui.render.parts.text_view import copied, see_through
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

_COPIED_FOR_MS = 1_500
_WRAP_AT_MOST = 50_000
"""Characters: each wrapped line has to be laid out to know the height."""


class CodeView(QPlainTextEdit):
    """The text itself; scrolls sideways only."""

    def __init__(self, parent: QWidget, formats: Formats) -> None:
        super().__init__(parent)
        see_through(self)
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
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

    def wrapped_height(self) -> float:
        """Of all lines at the present width."""
        height, block = 0.0, self.document().begin()
        while block.isValid():
            height += self.blockBoundingRect(block).height()
            block = block.next()
        return height

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


class CodeCard(QFrame):
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
        self._head = _Head(self, formats.theme, language)
        self._head.copy.clicked.connect(self._copy_all)
        self._head.wrap.toggled.connect(self._set_wrapped)
        self._head.fold.toggled.connect(self._set_folded)
        self.view = CodeView(self, formats)
        self.view.setAccessibleName(_("Code: {language}").format(language=language or _("text")))
        self._lines = LineSizes(self.view.font())

    def append(self, text: str) -> None:
        """Further source; the view keeps its position and selection."""
        cursor = QTextCursor(self.view.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        lines_text = plain_lines(text, column=self._lines.column)
        cursor.insertText(lines_text)
        self.text += text
        self._lines.add(lines_text)

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
        head, below = self._head_height(), self._theme.space(2)
        if self._head.fold.isChecked():
            return head
        if self._head.wrap.isChecked():
            self.view.resize(width - 2 * self._theme.space(1.5), self.view.height())
            return int(head + self.view.wrapped_height() + below + 2.5)
        sideways = self._lines.widest > width - 2 * self._theme.space(1.5)
        bar = self.view.horizontalScrollBar().sizeHint().height() if sideways else 0
        return int(head + self._lines.height + below + bar + 2.5)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        head, pad = self._head_height(), self._theme.space(1.5)
        self._head.setGeometry(0, 0, self.width(), head)
        self.view.setGeometry(pad, head, max(1, self.width() - 2 * pad), max(1, self.height() - head - 1))

    def _head_height(self) -> int:
        return self._theme.space(4.5)

    def _set_wrapped(self, wrapped: bool) -> None:
        mode = QPlainTextEdit.LineWrapMode
        self.view.setLineWrapMode(mode.WidgetWidth if wrapped and len(self.text) <= _WRAP_AT_MOST else mode.NoWrap)
        self.grew.emit()

    def _set_folded(self, folded: bool) -> None:
        self.view.setVisible(not folded)
        self.grew.emit()

    def _copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self.text)
        self._head.show_copied()


class _Head(QWidget):
    def __init__(self, parent: QWidget, theme: Theme, language: str) -> None:
        super().__init__(parent)
        self._theme = theme
        box = QHBoxLayout(self)
        box.setContentsMargins(theme.space(1.5), 0, theme.space(0.5), 0)
        box.setSpacing(theme.space(0.25))
        box.addWidget(SafeLabel(language or _("text"), self, role="meta", elide=True), 1)
        self.wrap = self._button("wrap", _("Wrap long lines"), checkable=True)
        self.fold = self._button("chevron-up", _("Fold code"), checkable=True)
        self.fold.toggled.connect(self._turn_chevron)
        self.copy = self._button("copy", _("Copy code"))
        self.copy.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._show_copy_ready()
        for button in (self.wrap, self.fold, self.copy):
            box.addWidget(button)

    def show_copied(self) -> None:
        self.copy.setText(_("Copied"))
        self.copy.setIcon(self._theme.icon("check", "ok", 14))
        QTimer.singleShot(_COPIED_FOR_MS, self, self._show_copy_ready)

    def _button(self, icon: str, name: str, *, checkable: bool = False) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("kind", "small")
        button.setCheckable(checkable)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setIcon(self._theme.icon(icon, "muted", 14))
        button.setIconSize(QSize(self._theme.space(1.75), self._theme.space(1.75)))
        button.setAccessibleName(name)
        set_safe_tooltip(button, name)
        return button

    def _show_copy_ready(self) -> None:
        self.copy.setText(_("Copy"))
        self.copy.setIcon(self._theme.icon("copy", "muted", 14))

    def _turn_chevron(self, folded: bool) -> None:
        self.fold.setIcon(self._theme.icon("chevron-down" if folded else "chevron-up", "muted", 14))
