"""The part of an approval that lasts: a pattern of calls that need not ask again."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.text.globs import exactly
from app.core.text.i18n import _
from app.core.wording.tools import tool_title
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible


class AlwaysRow(QWidget):
    """`suggest` writes the pattern for exactly this call; the person may widen it with * and ?."""

    agreed = Signal(str)

    def __init__(self, theme: Theme, tool: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tool = tool
        self.pattern = QLineEdit()
        self.pattern.setAccessibleName(_("Pattern of calls that run without asking"))
        self.pattern.setFont(theme.font("code"))
        self.pattern.textChanged.connect(self._judge)
        self._told = SafeLabel(role="meta")
        self._told.setWordWrap(True)
        self.accept = answer_button(_("Allow always"))
        self.accept.clicked.connect(self._agree)
        line = QHBoxLayout()
        line.setSpacing(theme.space(1))
        line.addWidget(self.pattern, 1)
        line.addWidget(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.5))
        layout.addLayout(line)
        layout.addWidget(self._told)
        self.hide()

    def suggest(self, subject: str) -> None:
        """`subject` is what the rule will be compared with, exactly."""
        self.pattern.setText(visible(exactly(subject)))
        self.pattern.setCursorPosition(0)
        self._is_exact = self.pattern.text() == exactly(subject)
        self._subject = subject
        self._judge()

    def begin(self) -> None:
        self.show()
        self.pattern.setFocus(Qt.FocusReason.TabFocusReason)

    def _judge(self) -> None:
        pattern = self.pattern.text().strip()
        text = _("{tool} runs without asking when its arguments match. * stands for anything, ? for one character.")
        if pattern == "*":
            text = _("Every call of {tool} runs without asking from now on.")
        self._told.setText(text.format(tool=tool_title(self._tool)))
        self.accept.setVisible(bool(pattern))

    def _agree(self) -> None:
        pattern = self.pattern.text().strip()
        if pattern == visible(exactly(self._subject)):
            pattern = exactly(self._subject)  # hidden characters were only written out to be seen
        if pattern:
            self.agreed.emit(pattern)


class AnswerButton(QPushButton):
    """Answers to Space and click; to Enter only with `takes_enter`: it is what one types into a composer."""

    takes_enter = False
    shift_entered = Signal()
    """Shift and Enter, where Enter is taken."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            if self.takes_enter and not event.isAutoRepeat():
                held = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                self.shift_entered.emit() if held else self.click()
            return
        super().keyPressEvent(event)


def answer_button(text: str, kind: str = "") -> AnswerButton:
    button = AnswerButton(text)
    button.setAutoDefault(False)
    button.setAccessibleName(text)
    if kind:
        button.setProperty("kind", kind)
    return button
