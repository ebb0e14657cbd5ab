"""One step of a plan while it can be changed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout

from app.core.i18n import _
from app.core.plan import NO_TOOL, PlanStep
from app.ui.reasoning import words
from app.ui.reasoning.plan_draft import written_arguments
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, visible


class PlanEditRow(QFrame):
    """What a person may change of a step: its words, its arguments, its place."""

    renamed = Signal(str)
    rewritten = Signal(str)
    """The arguments as JSON."""
    moved = Signal(int)
    removed = Signal()

    def __init__(self, theme: Theme, step: PlanStep, place: int, count: int) -> None:
        super().__init__()
        self.setProperty("card", "raised")
        name = self.name = QLineEdit(visible(step.description))
        name.setPlaceholderText(_("What to do"))
        name.setAccessibleName(_("Description of step {n}").format(n=place))
        name.setCursorPosition(0)
        name.textEdited.connect(self.renamed)
        self.arguments = QPlainTextEdit()
        self.arguments.setAccessibleName(_("Arguments of step {n}").format(n=place))
        self.arguments.setFont(theme.font("code"))
        self.arguments.setTabChangesFocus(True)
        self.arguments.setFixedHeight(theme.space(16))
        self.arguments.hide()
        self.edit = IconButton(theme, "pencil", _("Change the arguments"), size=14)
        self.edit.setCheckable(True)
        self.edit.setVisible(step.action != NO_TOOL)
        self.edit.toggled.connect(lambda shown: self._show_arguments(step, shown))
        up = IconButton(theme, "chevron-up", _("Move up"), size=14)
        up.setEnabled(place > 1)
        up.clicked.connect(lambda: self.moved.emit(-1))
        down = IconButton(theme, "chevron-down", _("Move down"), size=14)
        down.setEnabled(place < count)
        down.clicked.connect(lambda: self.moved.emit(1))
        remove = IconButton(theme, "trash", _("Delete the step"), size=14)
        remove.clicked.connect(self.removed)
        first = QHBoxLayout()
        first.setSpacing(theme.space(0.5))
        number = SafeLabel(f"{place}.", role="strong")
        number.setMinimumWidth(theme.space(2.5))
        first.addWidget(number)
        first.addWidget(name, 1)
        second = QHBoxLayout()
        second.setSpacing(0)
        second.addSpacing(theme.space(3))
        what = SafeLabel(tool_line(step), role="meta", elide=True)
        second.addWidget(what, 1)
        for button in (self.edit, up, down, remove):
            second.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1), theme.space(1), theme.space(0.5), theme.space(0.5))
        layout.setSpacing(theme.space(0.5))
        layout.addLayout(first)
        layout.addLayout(second)
        layout.addWidget(self.arguments)

    def _show_arguments(self, step: PlanStep, shown: bool) -> None:
        if shown and not self.arguments.toPlainText():
            self.arguments.setPlainText(written_arguments(step))
            self.arguments.textChanged.connect(lambda: self.rewritten.emit(self.arguments.toPlainText()))
        self.arguments.setVisible(shown)
        if shown:
            self.arguments.setFocus()


def tool_line(step: PlanStep) -> str:
    """The tool and its arguments at a glance."""
    tool = _("by reasoning, no fixed tool") if step.action == NO_TOOL else step.action
    return f"{tool}  {words.short_args(step.params)}" if step.params else tool
