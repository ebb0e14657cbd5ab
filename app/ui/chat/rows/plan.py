"""A plan that is over, or replayed: its goal in one line, its steps with their states below.

The plan card takes the place of the newest one (`app/ui/plan`).
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.ui.chat.rows.base import RowTools, RowView, icon_label, wrapped
from app.ui.chat.rows.items import PlanRow, PlanRowStep
from app.ui.chat.rows.states import STATE_ICONS, state_words
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel

_SETTLED = ("done", "failed", "skipped")


class PlanRowView(RowView):
    def __init__(self, parent: QWidget, tools: RowTools, item: PlanRow) -> None:
        super().__init__(parent, tools, _("Plan: {goal}").format(goal=item.goal))
        self._item = item
        theme = tools.theme
        card = self._card = QFrame(self)
        card.setProperty("card", "quiet")
        box = self._box = QVBoxLayout(card)
        box.setSpacing(theme.space(1))
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(icon_label(card, theme, "list", "accent"))
        self._goal = wrapped(card, item.goal)
        head.addWidget(self._goal, 1)
        count = len(item.steps)
        head.addWidget(SafeLabel(ngettext("{n} step", "{n} steps", count).format(n=count), card, role="meta"))
        self.fold = IconButton(theme, "chevron-down", "", card, size=14)
        head.addWidget(self.fold)
        box.addLayout(head)
        self._steps = QWidget(card)
        self.fold.clicked.connect(self._toggle)
        lines = QVBoxLayout(self._steps)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(theme.space(1))
        for number, step in enumerate(item.steps, 1):
            lines.addLayout(self._step(number, step))
        box.addWidget(self._steps)
        self.stack = [(card, 0)]
        self.set_folded(all(step.state in _SETTLED for step in item.steps))

    def set_folded(self, is_folded: bool) -> None:
        self._steps.setVisible(not is_folded)
        space = self.tools.theme.space
        self._box.setContentsMargins(
            *(0, 0, space(0.5), 0) if is_folded else (space(2), space(1), space(1.5), space(1))
        )
        for widget, name, value in (
            (self._card, "card", "folded" if is_folded else "quiet"),
            (self._goal, "role", "meta" if is_folded else "strong"),
        ):
            widget.setProperty(name, value)
            widget.style().unpolish(widget)
            widget.style().polish(widget)
        self.fold.set_icon(self.tools.theme, "chevron-right" if is_folded else "chevron-down")
        self.fold.describe(_("Show the steps of the plan") if is_folded else _("Fold the plan"))
        self.height_changed.emit()

    def _toggle(self) -> None:
        self.set_folded(not self._steps.isHidden())

    def _step(self, number: int, step: PlanRowStep) -> QHBoxLayout:
        theme, parent = self.tools.theme, self._steps
        line = QHBoxLayout()
        line.setSpacing(theme.space(1))
        icon, token = ("circle", "muted") if step.state == "waiting" else STATE_ICONS[step.state]
        mark = icon_label(parent, theme, icon, token)
        mark.setAccessibleName(state_words(step.state))
        line.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop if step.note else Qt.AlignmentFlag.AlignVCenter)
        words = QVBoxLayout()
        words.setSpacing(theme.space(0.25))
        words.addWidget(wrapped(parent, f"{number}. {step.title}"))
        if step.note:
            words.addWidget(wrapped(parent, step.note, role="meta"))
        line.addLayout(words, 1)
        if step.state != "waiting":
            line.addWidget(SafeLabel(state_words(step.state), parent, role="meta"), 0, Qt.AlignmentFlag.AlignTop)
        return line
