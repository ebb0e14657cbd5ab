"""After Deny: a reason for the model, which may be empty."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.core.text.i18n import _
from app.ui.dialogs.approvals.always_allow import answer_button
from app.ui.theme import Theme


class RefusalRow(QWidget):
    sent = Signal()
    left = Signal()
    """Not denied after all."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Reason for the agent, may be empty"))
        self.field.setAccessibleName(_("Reason for the agent"))
        self.field.setMaxLength(500)
        self.field.returnPressed.connect(self.sent)
        self.back = QPushButton(_("Back"))
        self.back.setProperty("kind", "quiet")
        self.back.setAutoDefault(False)
        self.back.clicked.connect(self.left)
        self.send = answer_button(_("Deny"), "danger")
        self.send.takes_enter = True
        self.send.clicked.connect(self.sent)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.space(1))
        line.addWidget(self.field, 1)
        line.addWidget(self.back)
        line.addWidget(self.send)
        self.hide()

    def begin(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def reason(self) -> str:
        return self.field.text().strip()

    def take_escape(self) -> bool:
        self.left.emit()
        return True
