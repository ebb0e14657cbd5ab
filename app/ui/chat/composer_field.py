"""The text field of the composer: what a key means, what a paste means, what was sent before."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QInputMethodEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from app.core.text.i18n import _

LONG_PASTE = 5_000
"""Characters above which a paste becomes an attachment."""
_HISTORY = 100
SLASHES = ("/", "／")
ATS = ("@", "＠")
"""As input methods write them, too."""
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class CompletionPopup(Protocol):
    """What is offered for the text; it has the first look at a key."""

    def take_key(self, event: QKeyEvent) -> bool: ...
    def take_escape(self) -> bool: ...


class ComposerField(QPlainTextEdit):
    """The text field itself. Decides what a key means; keeps what was sent for Ctrl+Up."""

    sent = Signal()
    focus_changed = Signal(bool)
    composing_changed = Signal()
    files_given = Signal(list, int)
    """Paths of files that were dropped or pasted, and how many other things besides."""
    image_given = Signal(QImage)
    """A picture that was pasted."""
    slash_typed = Signal()
    """As the first and only letter: templates may be offered."""
    at_typed = Signal()
    """Not inside a word: something may be named."""
    long_text_given = Signal(str)
    """A paste too long to be typed text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self.setProperty("flat", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setAccessibleName(_("Message"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        self._needs_ctrl = False
        self.takes_files = False
        self.completion: CompletionPopup | None = None
        self._hint = ""
        self._sent: list[str] = []
        self._place = 0
        self._unsent = ""
        self.set_send_key("enter")

    def set_send_key(self, key: str) -> None:
        """`enter` or `ctrl_enter`."""
        self._needs_ctrl = key == "ctrl_enter"
        if self._needs_ctrl:
            self.set_hint(_("Ask anything (Ctrl+Enter to send)"))
        else:
            self.set_hint(_("Ask anything (Enter to send, Shift+Enter for a new line)"))

    def set_hint(self, text: str) -> None:
        self._hint = text
        self.setPlaceholderText("" if self.is_composing() else text)

    def is_composing(self) -> bool:
        """An input method shows text that is not yet chosen."""
        return bool(self.textCursor().block().layout().preeditAreaText())

    # ------------------------------------------------------------ what was sent before

    def remember(self, text: str) -> None:
        if not self._sent or self._sent[-1] != text:
            self._sent = [*self._sent[-_HISTORY + 1 :], text]
        self._place = len(self._sent)

    def set_history(self, texts: list[str]) -> None:
        self._sent = texts[-_HISTORY:]
        self._place = len(self._sent)

    def _recall(self, step: int) -> None:
        place = min(max(0, self._place + step), len(self._sent))
        if place == self._place:
            return
        if self._place == len(self._sent):
            self._unsent = self.toPlainText()
        self._place = place
        self.put(self._sent[place] if place < len(self._sent) else self._unsent)

    def put(self, text: str) -> None:
        """As if it had been typed: it can be undone."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    # ------------------------------------------------------------ Qt

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            from PySide6.QtGui import QKeySequence  # with its hundred names: not before the first key

            is_undo = event.matches(QKeySequence.StandardKey.Undo)
            if is_undo and not self.document().isUndoAvailable():
                event.ignore()  # nothing was written here: what is undone is the window's matter
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ctrl = held == Qt.KeyboardModifier.ControlModifier
        if self.completion is not None and not self.is_composing() and self.completion.take_key(event):
            event.accept()
        elif event.key() in _ENTER:
            self._enter(event, held)
        elif ctrl and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not self.is_composing():
            self._recall(-1 if event.key() == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)
            self._tell_mark(event.text())

    def take_escape(self) -> bool:
        return self.completion is not None and self.completion.take_escape()

    def _tell_mark(self, typed: str) -> None:
        if self.is_composing():
            return
        if typed in SLASHES and self.toPlainText() == typed:
            self.slash_typed.emit()
        elif typed in ATS and not self._is_in_word():
            self.at_typed.emit()

    def _is_in_word(self) -> bool:
        """Whether a Latin letter or a digit stands before the character just typed, as in an address."""
        cursor = self.textCursor()
        before = self.document().characterAt(cursor.position() - 2) if cursor.position() > 1 else ""
        return before.isascii() and before.isalnum()

    def _enter(self, event: QKeyEvent, held: Qt.KeyboardModifier) -> None:
        ctrl = held == Qt.KeyboardModifier.ControlModifier
        plain = held == Qt.KeyboardModifier.NoModifier
        if self.is_composing():
            # The key belongs to the input method; some platforms pass it on as well.
            event.accept()
        elif ctrl or (plain and not self._needs_ctrl):
            event.accept()
            if not event.isAutoRepeat():
                self.sent.emit()
        else:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        super().inputMethodEvent(event)
        # The placeholder would stand behind the text being composed.
        self.setPlaceholderText("" if self.is_composing() else self._hint)
        self.composing_changed.emit()
        self._tell_mark(event.commitString())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() or (self.takes_files and (source.hasImage() or bool(files_in(source))))

    def insertFromMimeData(self, source: QMimeData) -> None:
        # Never rich text: pasted HTML may name files and hosts that Qt would go and read.
        if self.takes_files and (files := files_in(source)):
            self.files_given.emit(files, len(source.urls()) - len(files))
        elif self.takes_files and len(source.text()) > LONG_PASTE:
            self.long_text_given.emit(source.text())
        elif source.hasText():
            self.insertPlainText(source.text())
            self.ensureCursorVisible()
        elif self.takes_files and source.hasImage():
            image = source.imageData()
            if isinstance(image, QImage) and not image.isNull():
                self.image_given.emit(image)


def files_in(source: QMimeData) -> list[str]:
    """Files of this machine; an address with a host would make the system ask that host."""
    urls = [url for url in source.urls() if url.isLocalFile() and not url.host()] if source.hasUrls() else []
    return [url.toLocalFile() for url in urls if not url.toLocalFile().startswith(("//", "\\\\"))]
