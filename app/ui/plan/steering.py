"""A step of a plan, unfolded, while the plan is worked off and afterwards: what became of it, and what a person may do.

What is written for a step stays, whatever the plan does meanwhile: it comes too late rather than getting lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core.run.plan import NO_TOOL, PlanStep
from app.core.text.i18n import _
from app.core.tools import finite
from app.ui.plan.catalogue import ToolCatalogue
from app.ui.plan.words import argument_words
from app.ui.theme import Theme
from app.ui.widgets.fields.argument_form import ArgumentForm, EarlierValue
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

_STEERABLE = ("pending", "failed", "skipped", "done")


class StepSteering(QFrame):
    ordered = Signal(str, object)
    """skip, retry (with other arguments or None), result; again once the run is over."""

    def __init__(self, theme: Theme, step: PlanStep, catalogue: ToolCatalogue, earlier: Sequence[EarlierValue]) -> None:
        super().__init__()
        self.setProperty("card", "sunken")
        self._theme, self._step, self._catalogue, self._earlier = theme, step, catalogue, earlier
        self._is_running = self._is_over = False
        self.editor: StepEditor | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(theme.space(3), theme.space(1), theme.space(2), theme.space(1))
        self._layout.setSpacing(theme.space(0.5))
        self._facts = SafeLabel(role="meta")
        self._error = SafeLabel(role="error")
        for label in (self._facts, self._error):
            label.setWordWrap(True)
            self._layout.addWidget(label)
        set_safe_tooltip(self._facts, step.action if step.action != NO_TOOL else "")
        self.buttons: dict[str, QPushButton] = {}
        line = FlowRow(theme.space(0.5))
        for name, icon in (("skip", "skip"), ("retry", "refresh"), ("change", "pencil"), ("result", "file")):
            self.buttons[name] = self._button(icon)
        self.buttons["again"] = self._button("refresh")
        for name, button in self.buttons.items():
            button.clicked.connect(partial(self._press, name))
            line.add(button)
        self._layout.addWidget(line)
        self.show_step(step)

    def show_step(self, step: PlanStep) -> None:
        self._step = step
        facts = [] if step.action == NO_TOOL else [f"{name}: {value}" for name, value in argument_words(step.params)]
        if step.needs:
            facts.append(_("Needs the result of: {steps}").format(steps=", ".join(map(str, step.needs))))
        self._facts.setText("\n".join([step.description, *facts]))
        self._error.setText(step.error)
        self._error.setVisible(bool(step.error))
        self._arrange()

    def set_place(self, *, is_running: bool, is_over: bool) -> None:
        """Whether orders are heard now; once the run is over it can be run once more from here."""
        self._is_running, self._is_over = is_running, is_over
        self._arrange()

    def _button(self, icon: str) -> QPushButton:
        button = QPushButton()
        button.setIcon(self._theme.icon(icon, "text", 14))
        button.setProperty("kind", "quiet")
        button.setAutoDefault(False)
        return button

    def _arrange(self) -> None:
        self._judge_editor()
        status, has_tool = self._step.status, self._step.action != NO_TOOL
        may = self._is_running and status in _STEERABLE
        lost = status in ("failed", "skipped")
        visible_for = {
            "skip": (may and status == "pending", _("Skip this step")),
            "retry": (may and lost, _("Retry")),
            "change": (may and has_tool and status != "done", _("Change its arguments…")),
            "result": (may, _("Replace the result…") if status == "done" else _("Put in a result by hand…")),
            "again": (self._is_over, _("Run again from this step")),
        }
        for name, (is_shown, words) in visible_for.items():
            self.buttons[name].setVisible(is_shown and self.editor is None)
            self.buttons[name].setText(words)

    def begin_change(self) -> None:
        """As by the button, where it is offered."""
        if self.buttons["change"].isVisibleTo(self):
            self._press("change")

    def _press(self, name: str, _checked: bool = False) -> None:
        if name in ("change", "result"):
            self._edit("retry" if name == "change" else "result")
        else:
            self.ordered.emit(name, None)

    def _edit(self, order: str) -> None:
        self._close_editor()
        parameters = self._catalogue.parameters(self._step.action)
        editor = self.editor = StepEditor(self._theme, self._step, order, parameters, self._earlier)
        editor.given.connect(self._given)
        editor.cancelled.connect(self._close_editor)
        self._layout.addWidget(editor)
        editor.show()
        self._arrange()
        editor.begin()

    def _judge_editor(self) -> None:
        """What was written is kept when it comes too late: it can still be copied."""
        editor = self.editor
        if editor is None:
            return
        if not editor.is_changed and (not self._is_running or self._step.status == "running"):
            self._close_editor()
        else:
            editor.show_place(self._step.status, is_running=self._is_running)

    def _given(self, value: Any) -> None:
        order = self.editor.order if self.editor is not None else ""
        self._close_editor()
        self.ordered.emit(order, value)

    def _close_editor(self) -> None:
        editor, self.editor = self.editor, None
        if editor is not None:
            self._layout.removeWidget(editor)
            editor.hide()
            editor.deleteLater()
            self._arrange()


class StepEditor(QWidget):
    """Other arguments (`order` "retry"), or a result ("result"), for one step."""

    given = Signal(object)
    cancelled = Signal()

    def __init__(
        self, theme: Theme, step: PlanStep, order: str, parameters: Any, earlier: Sequence[EarlierValue] = ()
    ) -> None:
        super().__init__()
        self.order, self.action = order, step.action
        self.form: ArgumentForm | None = None
        self.field: QPlainTextEdit | None = None
        self.is_changed = False
        self._hindrance = ""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, theme.space(0.5), 0, 0)
        layout.setSpacing(theme.space(1))
        if order == "retry":
            self.form = ArgumentForm(theme, parameters, step.params, references=True, earlier=earlier)
            self.form.changed.connect(self._edited)
            layout.addWidget(self.form)
        else:
            hint = SafeLabel(_("The later steps and the answer use it as if the step had run."), role="meta")
            hint.setWordWrap(True)
            layout.addWidget(hint)
            self.field = self._make_field(theme, step)
            layout.addWidget(self.field)
        self._remark = SafeLabel(role="meta")
        self._remark.setWordWrap(True)
        layout.addWidget(self._remark)
        waits = step.status == "pending"
        text = _("Use this result") if self.form is None else _("Use these") if waits else _("Retry")
        self.accept = QPushButton(text)
        self.accept.setAutoDefault(False)
        self.accept.clicked.connect(self._accept)
        self.cancel = QPushButton(_("Cancel"))
        self.cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.accept)
        layout.addLayout(row)
        self._judge()

    def begin(self) -> None:
        if self.form is not None:
            self.form.focus_first()
        elif self.field is not None:
            self.field.setFocus()

    def show_place(self, status: str, *, is_running: bool) -> None:
        """Where the plan stands by now: whether what is written can still be used, and if not, why."""
        self._hindrance = ""
        if not is_running:
            self._hindrance = _("The plan is not being worked off any more: this can be copied, not used.")
        elif status == "running":
            self._hindrance = _("This step is at work now: what you write can be used when it is over.")
        elif status == "done" and self.order == "retry":
            self._hindrance = _("This step is done: its result can be replaced, other arguments come too late.")
        self._judge()

    def _make_field(self, theme: Theme, step: PlanStep) -> QPlainTextEdit:
        field = QPlainTextEdit()
        field.setAccessibleName(_("Result of step {n}").format(n=step.step))
        field.setPlaceholderText(_("Text, or JSON that later steps can refer to"))
        field.setTabChangesFocus(True)
        field.setFixedHeight(theme.space(12))
        field.textChanged.connect(self._edited)
        return field

    def _edited(self) -> None:
        self.is_changed = True
        self._judge()

    def _judge(self) -> None:
        wrong = bool(self.form.faults()) if self.form is not None else not self._text().strip()
        self.accept.setEnabled(not wrong and not self._hindrance)
        self._remark.setText(self._hindrance)
        self._remark.setVisible(bool(self._hindrance))

    def _text(self) -> str:
        return self.field.toPlainText() if self.field is not None else ""

    def _accept(self) -> None:
        self.given.emit(self.form.values() if self.form is not None else _text_or_json(self._text()))


def _text_or_json(text: str) -> Any:
    try:
        return finite.loads(text)
    except (ValueError, RecursionError):
        return text
