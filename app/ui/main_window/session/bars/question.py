"""The agent asks the person: its question, the answers it offers, and room for another one."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.run.events import Question
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible

_LONGEST = 2_000
_MOST_OPTIONS = 8


class QuestionCard(QFrame):
    answered = Signal(str, str)
    """Id of the question, answer."""

    def __init__(self, theme: Theme, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("questionCard")
        self.setProperty("card", "plain")
        self.setAccessibleName(_("Question of the agent"))
        self._id = question.id
        icon = QLabel(self)
        icon.setPixmap(theme.pixmap("question", "accent", 18, ratio=self.devicePixelRatioF()))
        text = SafeLabel(question.text, self)
        text.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(icon)
        head.addWidget(text, 1)
        self._field = QLineEdit(self)
        self._field.setMaxLength(_LONGEST)
        self._field.setAccessibleName(_("Your answer"))
        self._field.setPlaceholderText(_("Your answer"))
        self._field.returnPressed.connect(self._typed)
        send = QPushButton(_("Answer"), self)
        send.setProperty("kind", "primary")
        send.clicked.connect(self._typed)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addWidget(self._field, 1)
        row.addWidget(send)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addLayout(head)
        for option in question.options[:_MOST_OPTIONS]:
            layout.addWidget(self._option(theme, option))
        layout.addLayout(row)

    def _option(self, theme: Theme, option: str) -> QPushButton:
        button = QPushButton(visible(option).replace("&", "&&"), self)
        button.setAutoDefault(False)
        button.setIcon(theme.icon("chevron-right"))
        button.setIconSize(QSize(theme.space(1.5), theme.space(1.5)))
        set_safe_tooltip(button, option)
        button.clicked.connect(partial(self.answered.emit, self._id, option))
        return button

    def _typed(self) -> None:
        if text := self._field.text().strip():
            self.answered.emit(self._id, text)
