"""The budget of a run, its session or the day is used up: raise it, answer with what there is, or stop."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.run.events import BudgetLevel
from app.core.text.i18n import N_, _
from app.ui.texts import budget_state, budget_text
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

_MOST = 1e12
_HOLDS = {"session": N_("for this session"), "day": N_("for today")}
"""What a raised limit is for, where it is more than this run."""


class BudgetCard(QFrame):
    raised = Signal(float)
    answer_asked = Signal()
    stop_asked = Signal()

    def __init__(self, theme: Theme, level: BudgetLevel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("budgetCard")
        self.setProperty("card", "warn")
        self.setAccessibleName(budget_state(level.scope))
        self._least, self._scope = max(level.limit, level.used), level.scope
        icon = QLabel(self)
        icon.setPixmap(theme.pixmap("wallet", "warn", 18, ratio=self.devicePixelRatioF()))
        lines = (budget_text(level.kind, level.used, level.limit, level.scope), _("The run waits for you."))
        words = SafeLabel(" ".join(lines), self)
        words.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(icon)
        head.addWidget(words, 1)
        self.field = QLineEdit(_proposed(level), self)
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
        self.raise_button.clicked.connect(self._raise)
        self.answer_button.clicked.connect(self.answer_asked)
        self.stop_button.clicked.connect(self.stop_asked)
        row.addWidget(self.raise_button)
        row.addWidget(self.field)
        if self._scope in _HOLDS:
            row.addWidget(SafeLabel(_(_HOLDS[self._scope]), self, role="meta"))
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
        """Only to more than the old limit and what was used: anything else would stop here again at once."""
        value, is_number = QLocale.c().toDouble(self.field.text())
        if is_number and value > self._least:
            self.raised.emit(value)
        else:
            self.field.setFocus()
            self.field.selectAll()


def _proposed(level: BudgetLevel) -> str:
    """Twice the limit, or of what was used already: less than that would ask again at once."""
    new = float(f"{2 * max(level.limit, level.used):.2g}")
    return f"{new:g}" if new < 1e5 else f"{new:.0f}"
