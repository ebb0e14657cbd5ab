"""The budget of a run is used up: raise it, answer with what there is, or stop."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.events import BudgetLevel
from app.core.i18n import _
from app.ui.texts import budget_text
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

_MOST = 1e12


class BudgetCard(QFrame):
    raised = Signal(float)
    answer_asked = Signal()
    stop_asked = Signal()

    def __init__(self, theme: Theme, level: BudgetLevel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("budgetCard")
        self.setProperty("card", "warn")
        self.setAccessibleName(_("The budget is used up"))
        self._limit = level.limit
        icon = QLabel(self)
        icon.setPixmap(theme.pixmap("wallet", "warn", 18, ratio=self.devicePixelRatioF()))
        told = (budget_text(level.kind, level.used, level.limit), _("The run waits for you."))
        words = SafeLabel(" ".join(told), self)
        words.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(icon)
        head.addWidget(words, 1)
        self.field = QLineEdit(f"{level.limit * 2:g}" if level.limit < 1e5 else f"{level.limit * 2:.0f}", self)
        self.field.setAccessibleName(_("New limit"))
        self.field.setMaximumWidth(theme.space(16))
        validator = QDoubleValidator(0.0, _MOST, 6, self.field)
        validator.setLocale(QLocale.c())
        self.field.setValidator(validator)
        self.field.returnPressed.connect(self._raise)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addLayout(head)
        layout.addLayout(self._buttons(theme))

    def _buttons(self, theme: Theme) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        self.raise_button = self._button(_("Raise to"), "primary")
        self.answer_button = self._button(_("Answer now"))
        self.stop_button = self._button(_("Stop"))
        self.raise_button.clicked.connect(lambda _checked=False: self._raise())
        self.answer_button.clicked.connect(lambda _checked=False: self.answer_asked.emit())
        self.stop_button.clicked.connect(lambda _checked=False: self.stop_asked.emit())
        row.addWidget(self.raise_button)
        row.addWidget(self.field)
        row.addStretch(1)
        row.addWidget(self.answer_button)
        row.addWidget(self.stop_button)
        return row

    def _button(self, text: str, kind: str = "") -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        if kind:
            button.setProperty("kind", kind)
        return button

    def _raise(self) -> None:
        """Only to more than the old limit: anything else would stop here again at once."""
        value, is_number = QLocale.c().toDouble(self.field.text())
        if is_number and value > self._limit:
            self.raised.emit(value)
        else:
            self.field.setFocus()
            self.field.selectAll()
