"""A helper's run in the row of the call that started it: its steps, one line each, and what it cost."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.wording.figures import seconds_text, tokens_text, took_text
from app.core.wording.tools import calls_text, tool_title
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

from .base import RowTools, icon_label
from .items import HelperRun, HelperStep
from .states import STATE_ICONS, state_words


class HelperView(QFrame):
    def __init__(self, parent: QWidget, tools: RowTools, helper: HelperRun) -> None:
        super().__init__(parent)
        theme = tools.theme
        self.setProperty("card", "sunken")
        self.setAccessibleName(_("Steps of {agent}").format(agent=helper.agent))
        box = QVBoxLayout(self)
        box.setContentsMargins(theme.space(1.5), theme.space(1), theme.space(1.5), theme.space(1))
        box.setSpacing(theme.space(0.5))
        head = QHBoxLayout()
        head.addWidget(SafeLabel(helper.agent, self, role="strong"), 1)
        self.cost = SafeLabel(_cost(helper), self, role="meta")
        head.addWidget(self.cost)
        box.addLayout(head)
        for step in helper.steps:
            box.addLayout(self._line(tools, step))

    def _line(self, tools: RowTools, step: HelperStep) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(tools.theme.space(1))
        mark = icon_label(self, tools.theme, *STATE_ICONS.get(step.state, ("circle", "muted")))
        mark.setAccessibleName(state_words(step.state))
        title = SafeLabel(tool_title(step.name), self)
        set_safe_tooltip(title, step.name)
        line.addWidget(mark)
        line.addWidget(title)
        line.addWidget(SafeLabel(step.summary, self, role="meta", elide=True), 1)
        line.addWidget(
            SafeLabel(took_text(step.milliseconds) if step.milliseconds is not None else "", self, role="meta")
        )
        return line


def _cost(helper: HelperRun) -> str:
    parts = [calls_text([step.name for step in helper.steps])] if helper.steps else []
    if helper.tokens:
        parts.append(tokens_text(helper.tokens))
    return " · ".join([*parts, seconds_text(helper.seconds)])
