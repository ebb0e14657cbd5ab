"""Where the person writes: grows with the text, sends with Enter, never while an input method composes."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core.i18n import _, ngettext
from app.ui.theme import Theme
from app.ui.widgets.mode_selector import ModeSelector
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

DRAFT_DELAY_MS = 600
"""After the last key; with the write it stays under the second a crash may cost."""
_DRAFT_AT_LEAST_MS = 900
"""Somebody who never pauses is saved this often."""
_HISTORY = 100
_SHARE = 0.4
"""Of the window's height, at most."""
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def estimated_tokens(text: str) -> int:
    """A rough count: four characters of Latin text, or one and a half Chinese ones, make a token."""
    wide = sum(1 for char in text if char >= "\u2e80")
    return round(wide / 1.5 + (len(text) - wide) / 4) if text else 0


class _Field(QPlainTextEdit):
    """The text field itself. Decides what a key means; keeps what was sent for Ctrl+Up."""

    sent = Signal()
    focus_changed = Signal(bool)
    composing_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self.setProperty("flat", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setAccessibleName(_("Message"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        self.needs_ctrl = False
        self._hint = ""
        self._sent: list[str] = []
        self._place = 0
        self._unsent = ""

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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ctrl = held == Qt.KeyboardModifier.ControlModifier
        if event.key() in _ENTER:
            self._enter(event, held)
        elif ctrl and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not self.is_composing():
            self._recall(-1 if event.key() == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    def _enter(self, event: QKeyEvent, held: Qt.KeyboardModifier) -> None:
        ctrl = held == Qt.KeyboardModifier.ControlModifier
        plain = held == Qt.KeyboardModifier.NoModifier
        if self.is_composing():
            # The key belongs to the input method; some platforms pass it on as well.
            event.accept()
        elif ctrl or (plain and not self.needs_ctrl):
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

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)


class Composer(QFrame):
    submitted = Signal(str)
    stop_asked = Signal()
    answer_asked = Signal()
    """Answer now, with what there is."""
    draft_changed = Signal(str)
    """What stands unsent; soon after the typing pauses, and at least every second."""

    def __init__(self, theme: Theme, modes: ModeSelector, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composerFrame")
        self._theme = theme
        self._window_height = 0
        self._is_running = False
        self._quiet = False
        self.modes = modes
        self.field = _Field(self)
        self._build()
        self._connect()
        self._describe_keys()
        self.set_theme(theme)
        self._resize()
        self._tell_state()

    # ------------------------------------------------------------ what it holds

    def text(self) -> str:
        return self.field.toPlainText()

    def set_text(self, text: str) -> None:
        """Another draft, e.g. of the session just opened; nothing is reported as changed."""
        self._quiet = True
        self.field.setPlainText(text)
        self.field.moveCursor(QTextCursor.MoveOperation.End)
        self._quiet = False
        self._drafts.stop()
        self._draft_limit.stop()

    def fill(self, text: str) -> None:
        """Put a text in as if it had been typed."""
        self.field.put(text)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear_sent(self, text: str) -> None:
        """The text was taken over: remember it, empty the field."""
        self.field.remember(text)
        self.set_text("")

    def flush_draft(self) -> None:
        """Report what stands unsent now, before something else takes its place."""
        if self._drafts.isActive():
            self._report_draft()

    def submit(self) -> None:
        text = self.text().strip()
        if text and not self.field.is_composing():
            self.submitted.emit(text)

    def set_running(self, is_running: bool) -> None:
        """While a run goes on the stop button stands in place of send."""
        if is_running != self._is_running:
            self._is_running = is_running
            had_focus = self.send_button.hasFocus() or self.stop_button.hasFocus()
            self.stop_button.setVisible(is_running)
            self.send_button.setVisible(not is_running)
            self.answer_button.hide()
            if had_focus:
                self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._tell_state()

    def offer_answer(self, is_offered: bool) -> None:
        """Whether the run that goes on can be asked to answer at once."""
        self.answer_button.setVisible(is_offered and self._is_running)

    def set_send_key(self, key: str) -> None:
        self.field.needs_ctrl = key == "ctrl_enter"
        self._describe_keys()

    def set_window_height(self, height: int) -> None:
        self._window_height = height
        self._resize()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        edge = QSize(theme.space(2.25), theme.space(2.25))
        self.field.setFont(theme.font("body"))
        for button, icon in ((self.send_button, "send"), (self.stop_button, "stop")):
            button.setIcon(theme.icon(icon, "on_accent", 18))
            button.setIconSize(edge)
            button.setFixedSize(theme.space(4), theme.space(4))
        self._resize()

    def focus(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ------------------------------------------------------------ slots

    def _changed(self) -> None:
        self._tell_state()
        if self._quiet:
            return
        self._drafts.start()
        if not self._draft_limit.isActive():
            self._draft_limit.start()

    def _report_draft(self) -> None:
        self._drafts.stop()
        self._draft_limit.stop()
        self.draft_changed.emit(self.text())

    def _tell_state(self) -> None:
        text = self.text()
        self.send_button.setEnabled(bool(text.strip()))
        count = estimated_tokens(text)
        self._estimate.setText(ngettext("≈ {n:,} token", "≈ {n:,} tokens", count).format(n=count) if count else "")

    def _focus_changed(self, focused: bool) -> None:
        if focused != self.property("focused"):
            self.setProperty("focused", focused)
            # A moment later: the first focus comes before the first paint, and `style()` is slow to load.
            self._restyling.start()

    def _restyle(self) -> None:
        self.style().unpolish(self)
        self.style().polish(self)

    def _resize(self) -> None:
        line = self.field.fontMetrics().lineSpacing()
        margin = 2 * round(self.field.document().documentMargin()) + 2
        most = max(4 * line, round(self._window_height * _SHARE) - self._theme.space(7))
        wanted = max(2 * line, self._text_height(most)) + margin
        self.field.setFixedHeight(min(wanted, most))
        fits = wanted <= most
        bars = Qt.ScrollBarPolicy
        self.field.setVerticalScrollBarPolicy(bars.ScrollBarAlwaysOff if fits else bars.ScrollBarAsNeeded)
        if fits:
            # The cursor was kept in sight while the field was still too low.
            self.field.verticalScrollBar().setValue(0)

    def _text_height(self, enough: int) -> int:
        """In pixels, as painted: lines of Han characters are higher than the font says. Stops counting at `enough`."""
        layout = self.field.document().documentLayout()
        height, block = 0.0, self.field.document().begin()
        while block.isValid() and height <= enough:
            height += layout.blockBoundingRect(block).height()
            block = block.next()
        return math.ceil(height)

    def _describe_keys(self) -> None:
        if self.field.needs_ctrl:
            self.field.set_hint(_("Ask anything (Ctrl+Enter to send)"))
        else:
            self.field.set_hint(_("Ask anything (Enter to send, Shift+Enter for a new line)"))

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        space = self._theme.space
        self.send_button = self._round_button("sendButton", _("Send"))
        self.stop_button = self._round_button("stopButton", _("Stop"))
        set_safe_tooltip(self.stop_button, _("Stop the run (Esc)"))
        self.stop_button.hide()
        self.answer_button = QPushButton(_("Answer now"), self)
        self.answer_button.setObjectName("answerNowButton")
        self.answer_button.setProperty("kind", "quiet")
        self.answer_button.setAutoDefault(False)
        self.answer_button.setAccessibleName(_("Answer now"))
        set_safe_tooltip(self.answer_button, _("No further tools: answer with what was found so far"))
        self.answer_button.hide()
        self._estimate = SafeLabel(role="meta", elide=True, parent=self)
        self._estimate.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._estimate.setAccessibleName(_("Length of the message, estimated"))
        self._drafts, self._draft_limit = QTimer(self), QTimer(self)
        for timer, wait in ((self._drafts, DRAFT_DELAY_MS), (self._draft_limit, _DRAFT_AT_LEAST_MS)):
            timer.setSingleShot(True)
            timer.setInterval(wait)
            timer.timeout.connect(self._report_draft)
        self._restyling = QTimer(self)
        self._restyling.setSingleShot(True)
        self._restyling.setInterval(30)
        self._restyling.timeout.connect(self._restyle)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1))
        row.addWidget(self.modes)
        row.addWidget(self._estimate, 1)
        row.addWidget(self.answer_button)
        row.addWidget(self.send_button)
        row.addWidget(self.stop_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(1.5), space(1.25), space(1), space(1))
        layout.setSpacing(space(0.75))
        layout.addWidget(self.field)
        layout.addLayout(row)
        QWidget.setTabOrder(self.field, self.modes)
        QWidget.setTabOrder(self.modes, self.send_button)
        self.setFocusProxy(self.field)

    def _round_button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(self)
        button.setObjectName(name)
        button.setProperty("kind", "primary")
        button.setAutoDefault(False)
        button.setAccessibleName(text)
        set_safe_tooltip(button, text)
        return button

    def _connect(self) -> None:
        self.field.textChanged.connect(self._changed)
        self.field.document().documentLayout().documentSizeChanged.connect(lambda _size: self._resize())
        self.field.sent.connect(self.submit)
        self.field.focus_changed.connect(self._focus_changed)
        self.send_button.clicked.connect(lambda _checked=False: self.submit())
        self.answer_button.clicked.connect(lambda _checked=False: self.answer_asked.emit())
        self.stop_button.clicked.connect(lambda _checked=False: self.stop_asked.emit())
