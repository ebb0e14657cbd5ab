"""The plan as it stands: goal, steps with their states, buttons. Editing is the plan pane's work."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.chat.rows.base import RowTools, RowView, icon_label, wrapped
from app.ui.chat.rows.items import PlanRow, PlanStepItem
from app.ui.chat.rows.tool import STATE_ICONS, state_words
from app.ui.widgets.safe_text import SafeLabel


class PlanRowView(RowView):
    def __init__(self, parent: QWidget, tools: RowTools, item: PlanRow) -> None:
        super().__init__(parent, tools, _("Plan: {goal}").format(goal=item.goal))
        self._item = item
        theme = tools.theme
        card = QFrame(self)
        card.setProperty("card", "plain")
        box = QVBoxLayout(card)
        box.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        box.setSpacing(theme.space(1))
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(icon_label(card, theme, "list", "accent"), 0, Qt.AlignmentFlag.AlignTop)
        goal = wrapped(card, item.goal, role="strong")
        head.addWidget(goal, 1)
        box.addLayout(head)
        for number, step in enumerate(item.steps, 1):
            box.addLayout(self._step(card, number, step))
        if item.actions:
            box.addLayout(self._buttons(card))
        self.stack = [(card, 0)]

    def _step(self, card: QWidget, number: int, step: PlanStepItem) -> QHBoxLayout:
        theme = self.tools.theme
        line = QHBoxLayout()
        line.setSpacing(theme.space(1))
        icon, token = ("circle", "muted") if step.state == "waiting" else STATE_ICONS[step.state]
        mark = icon_label(card, theme, icon, token)
        mark.setAccessibleName(state_words(step.state))
        line.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop if step.note else Qt.AlignmentFlag.AlignVCenter)
        words = QVBoxLayout()
        words.setSpacing(theme.space(0.25))
        words.addWidget(wrapped(card, f"{number}. {step.title}"))
        if step.note:
            words.addWidget(wrapped(card, step.note, role="meta"))
        line.addLayout(words, 1)
        if step.state != "waiting":
            line.addWidget(SafeLabel(state_words(step.state), card, role="meta"), 0, Qt.AlignmentFlag.AlignTop)
        return line

    def _buttons(self, card: QWidget) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(self.tools.theme.space(1))
        for number, item in enumerate(self._item.actions):
            button = QPushButton(item.label, card)
            if number == 0:
                button.setProperty("kind", "primary")
            button.clicked.connect(lambda _checked=False, what=item.what: self.action.emit(what))
            line.addWidget(button)
        line.addStretch(1)
        return line
