"""A step of a plan, unfolded, while it can be changed: its words, its tool, its arguments, whether it asks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.run.plan import NO_TOOL, PlanStep
from app.core.text.i18n import _
from app.core.wording.tools import tool_title
from app.ui.plan.catalogue import ToolCatalogue
from app.ui.theme import Theme
from app.ui.widgets.fields.argument_form import ArgumentForm, EarlierValue
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.fields.switch import Switch
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible


class StepForm(QFrame):
    renamed = Signal(str)
    tool_chosen = Signal(str)
    filled = Signal(dict, bool)
    """The arguments, and whether they are whole."""
    ask_changed = Signal(bool)
    moved = Signal(int)
    insert_asked = Signal()
    duplicate_asked = Signal()
    removed = Signal()

    def __init__(
        self, theme: Theme, step: PlanStep, place: int, catalogue: ToolCatalogue, earlier: Sequence[EarlierValue]
    ) -> None:
        """`earlier`: what earlier steps give."""
        super().__init__()
        self.setProperty("card", "below")
        self._theme, self._step, self._catalogue, self._place = theme, step, catalogue, place
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(1), theme.space(2), theme.space(1))
        layout.setSpacing(theme.space(1))
        self.name = QLineEdit(visible(step.description))
        self.name.setPlaceholderText(_("What to do"))
        self.name.setAccessibleName(_("Description of step {n}").format(n=place))
        self.name.setCursorPosition(0)
        self.name.textEdited.connect(self.renamed)
        self.tool = self._make_tool_choice()
        rows = QGridLayout()
        rows.setSpacing(theme.space(1))
        rows.setColumnMinimumWidth(0, theme.space(12))
        rows.setColumnStretch(1, 1)
        for line, (title, field) in enumerate(((_("Step"), self.name), (_("Tool"), self.tool))):
            label = SafeLabel(title, role="meta")
            label.setBuddy(field)
            rows.addWidget(label, line, 0)
            rows.addWidget(field, line, 1)
        layout.addLayout(rows)
        self.form: ArgumentForm | None = None
        if step.action != NO_TOOL:
            self.form = ArgumentForm(
                theme, catalogue.parameters(step.action), step.params, references=True, earlier=earlier
            )
            self.form.changed.connect(self._tell_filled)
            layout.addWidget(self.form)
        self.ask = Switch(theme, _("Ask me before step {n}").format(n=place))
        self.ask.setChecked(step.ask)
        self.ask.toggled.connect(self.ask_changed)
        asks = QHBoxLayout()
        asks.setSpacing(theme.space(1))
        asks.addSpacing(theme.space(13))
        asks.addWidget(self.ask)
        words = SafeLabel(_("Ask me when it comes to this step"))
        words.setWordWrap(True)
        asks.addWidget(words, 1)
        layout.addLayout(asks)
        layout.addWidget(_rule())
        layout.addWidget(self._make_buttons())

    def begin(self) -> None:
        """To the first field a person came for."""
        if self.form is not None and self.name.text():
            self.form.focus_first()
        else:
            self.name.setFocus()

    def check(self) -> None:
        """Tell of arguments that are wrong from the beginning."""
        if self.form is not None and self.form.faults():
            self._tell_filled()

    def _tell_filled(self) -> None:
        if self.form is not None:
            self.filled.emit(self.form.values(), not self.form.faults())

    def _make_tool_choice(self) -> CalmCombo:
        combo = CalmCombo()
        combo.setSizeAdjustPolicy(CalmCombo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(8)
        combo.setAccessibleName(_("Tool of step {n}").format(n=self._place))
        combo.addItem(_("by reasoning, no fixed tool"), NO_TOOL)
        for name in self._catalogue.names():
            combo.addItem(visible(tool_title(name)), name)
        if combo.findData(self._step.action) < 0:
            combo.addItem(visible(self._step.action), self._step.action)
        combo.setCurrentIndex(combo.findData(self._step.action))
        set_safe_tooltip(combo, self._catalogue.description(self._step.action) or self._step.action)
        combo.activated.connect(self._tool_activated)
        return combo

    def _tool_activated(self) -> None:
        self.tool_chosen.emit(self.tool.currentData())

    def _make_buttons(self) -> FlowRow:
        theme = self._theme
        line = FlowRow(theme.space(0.5))
        self.insert = QPushButton(_("Insert below"))
        self.duplicate = QPushButton(_("Duplicate"))
        self.remove = QPushButton(_("Delete"))
        for button, icon, token, signal in (
            (self.insert, "plus", "text", self.insert_asked),
            (self.duplicate, "copy", "text", self.duplicate_asked),
            (self.remove, "trash", "error", self.removed),
        ):
            button.setIcon(theme.icon(icon, token, 14))
            button.setProperty("kind", "quiet")
            button.setProperty("tone", token)
            button.setAutoDefault(False)
            button.clicked.connect(signal)
        self.up = IconButton(theme, "chevron-up", _("Move up") + "  Alt+↑", size=14)
        self.down = IconButton(theme, "chevron-down", _("Move down") + "  Alt+↓", size=14)
        for arrow, by in ((self.up, -1), (self.down, 1)):
            arrow.clicked.connect(partial(self.moved.emit, by))
        for widget in (self.insert, self.duplicate, self.up, self.down, self.remove):
            line.add(widget)
        return line


def _rule() -> QWidget:
    rule = QFrame()
    rule.setProperty("line", True)
    rule.setFixedHeight(1)
    return rule
