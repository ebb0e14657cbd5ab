"""A tool asks before it runs: what will run, byte for byte, and three answers.

Drawn from facts of ours only – tool, rule, canonical arguments – never from a model's words.
"""

from __future__ import annotations

import json

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.events import Approval
from app.core.i18n import _, ngettext
from app.core.tool import canonical_args
from app.ui.theme import Theme
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel

_DEAF_MS = 500
"""A key or click meant for something else must not answer a card that has just appeared."""
_READ_TO_END = 4_096
"""Above so many characters the end must have been seen before Allow works."""
_LINES = 10


class ApprovalCard(QFrame):
    answered = Signal(str, str, str)
    """Id of the approval, choice (once, run, deny), reason for the model."""

    def __init__(self, theme: Theme, approval: Approval, *, question: str = "", parent: QWidget | None = None) -> None:
        """`question` is what the person asked, shown so that the call can be judged against it."""
        super().__init__(parent)
        self.setObjectName("approvalCard")
        self.setProperty("card", "warn")
        self.setAccessibleName(_("Approval: {tool}").format(tool=approval.name))
        self._approval = approval
        self._is_answered = False
        text = canonical_args(approval.args)
        self._must_read = len(text) > _READ_TO_END
        icon = QLabel()
        icon.setPixmap(theme.pixmap("shield", "warn", 18, ratio=self.devicePixelRatioF()))
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(icon)
        head.addWidget(SafeLabel(_("Asks before it runs: {tool}").format(tool=approval.name), role="title"), 1)
        self._arguments = PlainView(theme, text, code=True, lines=_LINES, exact=True)
        self._arguments.scrolls_by_wheel = True
        self._arguments.setAccessibleName(_("Arguments, exactly as they will be sent"))
        self._arguments.verticalScrollBar().valueChanged.connect(self._arrange)
        self._arguments.verticalScrollBar().rangeChanged.connect(self._arrange)
        self._size = SafeLabel(_size_text(text), role="meta")
        self._to_end = QPushButton(_("Show the end"))
        self._to_end.setProperty("kind", "link")
        self._to_end.clicked.connect(self._show_end)
        size = QHBoxLayout()
        size.addWidget(self._size, 1)
        size.addWidget(self._to_end)
        self._reason = QLineEdit()
        self._reason.setPlaceholderText(_("Reason for the model, if you deny (optional)"))
        self._reason.setAccessibleName(_("Reason for the model"))
        self._reason.setMaxLength(500)
        self._outcome = SafeLabel(role="strong")
        self._outcome.hide()
        self.deny = _answer_button(_("Deny"), "danger")
        self.allow_run = _answer_button(_("Allow for this run"))
        self.allow_once = _answer_button(_("Allow once"))
        self.allow_run.setVisible("run" in approval.choices)
        self.allow_once.setVisible("once" in approval.choices)
        for button, choice in ((self.deny, "deny"), (self.allow_run, "run"), (self.allow_once, "once")):
            button.clicked.connect(lambda _checked=False, choice=choice: self._answer(choice))
        self._buttons = QWidget()
        row = QHBoxLayout(self._buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space(1))
        row.addWidget(self._reason, 1)
        for button in (self.deny, self.allow_run, self.allow_once):
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addLayout(head)
        if question:
            layout.addWidget(SafeLabel(_("You asked: {question}").format(question=question), role="meta", elide=True))
        rule = SafeLabel(_("Rule: {rule}").format(rule=approval.rule), role="meta")
        rule.setWordWrap(True)
        layout.addWidget(rule)
        layout.addWidget(self._arguments)
        layout.addLayout(size)
        layout.addWidget(self._buttons)
        layout.addWidget(self._outcome)
        self._is_deaf = True
        self._deaf = QTimer(self)
        self._deaf.setSingleShot(True)
        self._deaf.setInterval(_DEAF_MS)
        self._deaf.timeout.connect(self._listen)
        self._deaf.start()
        self._arrange()

    @property
    def approval_id(self) -> str:
        return self._approval.id

    def settle(self, choice: str) -> None:
        """It has been answered, here or elsewhere: the card stays as a record."""
        self._is_answered = True
        self.setProperty("card", "plain")
        self.style().unpolish(self)
        self.style().polish(self)
        self._buttons.hide()
        self._to_end.hide()
        words = {"deny": _("Denied"), "run": _("Allowed for this run"), "once": _("Allowed once")}
        self._outcome.setText(words.get(choice, _("Allowed")))
        self._outcome.show()

    def focus_deny(self) -> None:
        """For a person who comes by keyboard; never called when the card appears."""
        self.deny.setFocus()

    def _answer(self, choice: str) -> None:
        if self._is_deaf or self._is_answered:
            return
        reason = self._reason.text().strip() if choice == "deny" else ""
        self.settle(choice)
        self.answered.emit(self._approval.id, choice, reason)

    def _listen(self) -> None:
        self._is_deaf = False
        self._arrange()

    def _arrange(self) -> None:
        bar = self._arguments.verticalScrollBar()
        if self._must_read and self.isVisible() and bar.value() >= bar.maximum() and bar.maximum() > 0:
            self._must_read = False
        self._to_end.setVisible(bar.maximum() > bar.value() and not self._is_answered)
        self.deny.setEnabled(not self._is_deaf)
        for button in (self.allow_once, self.allow_run):
            button.setEnabled(not self._is_deaf and not self._must_read)

    def _show_end(self) -> None:
        bar = self._arguments.verticalScrollBar()
        bar.setValue(bar.maximum())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return
        super().keyPressEvent(event)


class _AnswerButton(QPushButton):
    """Answers to Space and click. Enter is what one types into a composer, so it answers nothing."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)


def _answer_button(text: str, kind: str = "") -> QPushButton:
    button = _AnswerButton(text)
    button.setAutoDefault(False)
    button.setAccessibleName(text)
    if kind:
        button.setProperty("kind", kind)
    return button


def _size_text(text: str) -> str:
    """Characters, and the lines the values have when they are read out: a long tail cannot hide."""
    lines = _line_breaks(json.loads(text)) + 1
    told = ngettext("{n} line", "{n} lines", lines).format(n=f"{lines:,}")
    return _("{chars} characters, {lines}").format(chars=f"{len(text):,}", lines=told)


def _line_breaks(value: object) -> int:
    if isinstance(value, str):
        return value.count("\n")
    if isinstance(value, dict):
        return sum(_line_breaks(item) for item in value.values())
    if isinstance(value, list):
        return sum(map(_line_breaks, value))
    return 0
