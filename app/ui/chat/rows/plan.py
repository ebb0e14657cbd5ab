"""The plan among the work of an answer: its goal in one line, its steps with their states below.

The plan card takes the place of the newest one (`app/ui/plan`): a widget that outlives the row, for the list makes and
drops rows, and what somebody works in stays.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.ui.chat.rows.base import RowTools, height_of, icon_label, wrapped
from app.ui.chat.rows.items import PlanCardPart, PlanPartStep
from app.ui.chat.rows.states import STATE_ICONS, state_words
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel

_SETTLED = ("done", "failed", "skipped")


class PlanPartView(QWidget):
    grew = Signal()

    def __init__(self, parent: QWidget, tools: RowTools, part: PlanCardPart) -> None:
        super().__init__(parent)
        self._tools, self._part = tools, part
        self._lines: _PlanLines | None = None
        self._card: QWidget | None = None
        self._home: QWidget | None = None
        self._show()

    def show_part(self, part: PlanCardPart) -> None:
        self._part = part
        if self._card is None:
            self._show()

    def take(self, card: QWidget, home: QWidget) -> None:
        """From now on `card` shows the plan; `home` is where it lives while no row does."""
        if self._card is card:
            return
        self.release()
        self._card, self._home = card, home
        self._drop_lines()
        card.setParent(self)
        card.show()
        self.setFocusProxy(card)

    def release(self) -> None:
        """The card goes home: another row has it, or this one is dropped."""
        card, self._card = self._card, None
        if card is not None and card.parent() is self:
            card.hide()
            card.setParent(self._home)

    def show_itself(self) -> None:
        self.release()
        self._show()

    def wanted(self, width: int) -> int:
        content = self._card if self._card is not None and self._card.parent() is self else self._lines
        if content is None:
            return 0
        height = height_of(content, width)
        content.setGeometry(0, 0, width, height)
        return height

    def _show(self) -> None:
        self._drop_lines()
        self._lines = _PlanLines(self, self._tools, self._part)
        self._lines.grew.connect(self.grew)
        self._lines.show()

    def _drop_lines(self) -> None:
        lines, self._lines = self._lines, None
        if lines is not None:
            lines.hide()
            lines.deleteLater()


class _PlanLines(QFrame):
    grew = Signal()

    def __init__(self, parent: QWidget, tools: RowTools, part: PlanCardPart) -> None:
        super().__init__(parent)
        self._tools = tools
        theme = tools.theme
        self.setProperty("card", "quiet")
        self.setAccessibleName(_("Plan: {goal}").format(goal=part.goal))
        box = self._box = QVBoxLayout(self)
        box.setSpacing(theme.space(1))
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(icon_label(self, theme, "list", "accent"))
        self._goal = wrapped(self, part.goal)
        head.addWidget(self._goal, 1)
        count = len(part.steps)
        head.addWidget(SafeLabel(ngettext("{n} step", "{n} steps", count).format(n=count), self, role="meta"))
        self.fold = IconButton(theme, "chevron-down", "", self, size=14)
        head.addWidget(self.fold)
        box.addLayout(head)
        self._steps = QWidget(self)
        self.fold.clicked.connect(self._toggle)
        lines = QVBoxLayout(self._steps)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(theme.space(1))
        for number, step in enumerate(part.steps, 1):
            lines.addLayout(self._step(number, step))
        box.addWidget(self._steps)
        self.set_folded(all(step.state in _SETTLED for step in part.steps))

    def set_folded(self, is_folded: bool) -> None:
        self._steps.setVisible(not is_folded)
        space = self._tools.theme.space
        self._box.setContentsMargins(
            *(0, 0, space(0.5), 0) if is_folded else (space(2), space(1), space(1.5), space(1))
        )
        for widget, name, value in (
            (self, "card", "folded" if is_folded else "quiet"),
            (self._goal, "role", "meta" if is_folded else "strong"),
        ):
            widget.setProperty(name, value)
            widget.style().unpolish(widget)
            widget.style().polish(widget)
        self.fold.set_icon(self._tools.theme, "chevron-right" if is_folded else "chevron-down")
        self.fold.describe(_("Show the steps of the plan") if is_folded else _("Fold the plan"))
        self.grew.emit()

    def _toggle(self) -> None:
        self.set_folded(not self._steps.isHidden())

    def _step(self, number: int, step: PlanPartStep) -> QHBoxLayout:
        theme, parent = self._tools.theme, self._steps
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
