"""One step of a plan while it can be changed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from app.core.run.plan import NO_TOOL, PlanStep
from app.core.text.i18n import _
from app.ui.reasoning import words
from app.ui.reasoning.plan.catalogue import Catalogue
from app.ui.theme import Theme
from app.ui.widgets.fields.argument_form import ArgumentForm
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.fields.switch import Switch
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible


class PlanEditRow(QFrame):
    """What a person may change of a step: its words, its tool, its arguments, its place, whether it asks."""

    renamed = Signal(str)
    tool_chosen = Signal(str)
    filled = Signal(dict, bool)
    """The arguments, and whether they are whole."""
    ask_changed = Signal(bool)
    moved = Signal(int)
    insert_asked = Signal()
    removed = Signal()

    def __init__(self, theme: Theme, step: PlanStep, place: int, count: int, catalogue: Catalogue) -> None:
        super().__init__()
        self.setProperty("card", "raised")
        self.number = step.step
        self._theme, self._step, self._catalogue = theme, step, catalogue
        self._place, self._count = place, count
        self.form: ArgumentForm | None = None
        self.name = QLineEdit(visible(step.description))
        self.name.setPlaceholderText(_("What to do"))
        self.name.setAccessibleName(_("Description of step {n}").format(n=place))
        self.name.setCursorPosition(0)
        self.name.textEdited.connect(self.renamed)
        self.tool = self._make_tool_choice()
        self.ask = Switch(theme, _("Ask me before step {n}").format(n=place))
        self.ask.setChecked(step.ask)
        self.ask.toggled.connect(self.ask_changed)
        self.edit = self._button("pencil", _("Change the arguments"))
        self.edit.setCheckable(True)
        self.edit.toggled.connect(self._show_form)
        up = self._button("chevron-up", _("Move up") + "  Alt+↑", name=_("Move up"))
        up.setEnabled(place > 1)
        up.clicked.connect(lambda: self.moved.emit(-1))
        down = self._button("chevron-down", _("Move down") + "  Alt+↓", name=_("Move down"))
        down.setEnabled(place < count)
        down.clicked.connect(lambda: self.moved.emit(1))
        insert = self._button("plus", _("Insert a step below"))
        insert.clicked.connect(self.insert_asked)
        remove = self._button("trash", _("Delete the step"))
        remove.clicked.connect(self.removed)
        first = QHBoxLayout()
        first.setSpacing(theme.space(0.5))
        number = SafeLabel(f"{place}.", role="strong")
        number.setMinimumWidth(theme.space(2.5))
        first.addWidget(number)
        first.addWidget(self.name, 1)
        second = QHBoxLayout()
        second.addSpacing(theme.space(3))
        second.addWidget(self.tool, 1)
        third = QHBoxLayout()
        third.setSpacing(0)
        third.addSpacing(theme.space(3))
        third.addWidget(self.ask)
        third.addSpacing(theme.space(1))
        third.addWidget(SafeLabel(_("Ask first"), role="meta", elide=True), 1)
        for button in (self.edit, up, down, insert, remove):
            third.addWidget(button)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(theme.space(1), theme.space(1), theme.space(1), theme.space(0.5))
        self._layout.setSpacing(theme.space(0.5))
        for line in (first, second, third):
            self._layout.addLayout(line)
        self._glance = SafeLabel(words.short_args(step.params), role="meta", elide=True)
        self._glance.setContentsMargins(theme.space(3), 0, 0, theme.space(0.5))
        self._layout.addWidget(self._glance)
        # Only now: a widget without a parent would open as a window.
        self._glance.setVisible(bool(step.params))
        self.edit.setVisible(step.action != NO_TOOL)

    def open_form(self) -> None:
        self.edit.setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if way and event.modifiers() & Qt.KeyboardModifier.AltModifier and 1 <= self._place + way <= self._count:
            self.moved.emit(way)
        else:
            super().keyPressEvent(event)

    def _button(self, icon: str, text: str, *, name: str = "") -> IconButton:
        button = IconButton(self._theme, icon, text, size=14)
        button.setAccessibleName(name or text)
        return button

    def _make_tool_choice(self) -> CalmCombo:
        combo = CalmCombo()
        combo.setSizeAdjustPolicy(CalmCombo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(8)
        combo.setAccessibleName(_("Tool of step {n}").format(n=self._place))
        combo.addItem(_("by reasoning, no fixed tool"), NO_TOOL)
        for name in self._catalogue.names():
            combo.addItem(name, name)
        if combo.findData(self._step.action) < 0:
            combo.addItem(visible(self._step.action), self._step.action)
        combo.setCurrentIndex(combo.findData(self._step.action))
        set_safe_tooltip(combo, self._catalogue.description(self._step.action))
        combo.activated.connect(lambda _index: self.tool_chosen.emit(combo.currentData()))
        return combo

    def _show_form(self, shown: bool) -> None:
        if shown and self.form is None:
            parameters = self._catalogue.parameters(self._step.action)
            form = self.form = ArgumentForm(self._theme, parameters, self._step.params, references=True)
            form.setContentsMargins(self._theme.space(3), 0, 0, self._theme.space(1))
            form.changed.connect(lambda: self.filled.emit(form.values(), not form.faults()))
            self._layout.addWidget(form)
            if form.faults():
                self.filled.emit(form.values(), False)
        if self.form is not None:
            self.form.setVisible(shown)
        self._glance.setText(words.short_args(self.form.values() if self.form else self._step.params))
        self._glance.setVisible(not shown and bool(self._glance.full_text()))
        if shown and self.form is not None:
            self.form.focus_first()


def tool_line(step: PlanStep) -> str:
    """The tool and its arguments at a glance."""
    tool = _("by reasoning, no fixed tool") if step.action == NO_TOOL else step.action
    return f"{tool}  {words.short_args(step.params)}" if step.params else tool
