"""One step of a plan while it is worked off: its state, and what a person may do to it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPlainTextEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.core.run.plan import NO_TOOL, PlanStep
from app.core.text.i18n import _
from app.core.tools import finite
from app.ui import texts
from app.ui.reasoning import words
from app.ui.reasoning.bodies import ThinkingBody
from app.ui.reasoning.entry import OutlineEntry
from app.ui.reasoning.plan.catalogue import Catalogue
from app.ui.reasoning.plan.plan_edit_row import tool_line
from app.ui.theme import Theme
from app.ui.widgets.fields.argument_form import ArgumentForm
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel

_STEERABLE = ("pending", "failed", "skipped", "done")


class PlanRunRow(QWidget):
    ordered = Signal(str, object)
    """skip, retry (with other arguments or None), result; again once the run is over."""

    def __init__(self, theme: Theme, step: PlanStep, catalogue: Catalogue) -> None:
        super().__init__()
        self._theme, self._step, self._catalogue = theme, step, catalogue
        self._is_running = self._is_over = False
        self.editor: StepEditor | None = None
        self.entry = OutlineEntry(theme)
        self.entry.set_body(lambda: ThinkingBody(theme, _whole(self._step), lines=16))
        self.quick = IconButton(theme, "skip", "", size=14)
        self.quick.clicked.connect(self._quick)
        self.more = IconButton(theme, "dots", _("What to do with step {n}").format(n=step.step), size=14)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        self.more.setMenu(self.menu)
        line = QHBoxLayout()
        line.setSpacing(0)
        line.addWidget(self.entry, 1)
        buttons = QVBoxLayout()
        buttons.setContentsMargins(0, theme.space(0.25), 0, 0)
        pair = QHBoxLayout()
        pair.setSpacing(0)
        pair.addWidget(self.quick)
        pair.addWidget(self.more)
        buttons.addLayout(pair)
        buttons.addStretch(1)
        line.addLayout(buttons)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.space(0.5))
        self._layout.addLayout(line)
        self.show_step(step)

    def show_step(self, step: PlanStep) -> None:
        self._step = step
        icon, token = words.PLAN_STEP_ICONS[step.status]
        aside = "" if step.status == "pending" else texts.status_title(step.status)
        detail = step.error or tool_line(step)
        self.entry.describe(icon, token, f"{step.step}. {step.description}", detail=detail, aside=aside)
        self.entry.renew_body()
        self._arrange()

    def set_running(self, is_running: bool) -> None:
        """Whether the plan is being worked off now, so that orders are heard."""
        self._is_running, self._is_over = is_running, False
        self._arrange()

    def set_over(self) -> None:
        """The run has ended: from here on it can be run once more."""
        self._is_over = True
        self._arrange()

    def take_editor(self) -> StepEditor | None:
        """What is being written for this step, for the row that takes the place of this one."""
        editor, self.editor = self.editor, None
        if editor is not None:
            editor.given.disconnect()
            editor.cancelled.disconnect()
        return editor

    def put_editor(self, editor: StepEditor) -> None:
        self.editor = editor
        editor.given.connect(self._given)
        editor.cancelled.connect(self._close_editor)
        self._layout.addWidget(editor)
        editor.show()
        self._arrange()

    def _arrange(self) -> None:
        self._judge_editor()
        status = self._step.status
        may = self._is_running and status in _STEERABLE
        self.more.setVisible(may or self._is_over)
        self.quick.setVisible(may and status != "done")
        if status == "pending":
            self.quick.set_icon(self._theme, "skip")
            self.quick.describe(_("Skip step {n}").format(n=self._step.step))
        else:
            self.quick.set_icon(self._theme, "refresh")
            self.quick.describe(_("Try step {n} again").format(n=self._step.step))
        self.menu.clear()
        if self._is_over:
            text = _("Run again from this step")
            self.menu.addAction(text).triggered.connect(lambda: self.ordered.emit("again", None))
        if not may:
            return
        if status == "pending":
            self.menu.addAction(_("Skip this step")).triggered.connect(lambda: self.ordered.emit("skip", None))
        elif status != "done":
            self.menu.addAction(_("Try again")).triggered.connect(lambda: self.ordered.emit("retry", None))
        if status != "done" and self._step.action != NO_TOOL:
            text = _("Change its arguments…") if status == "pending" else _("Try again with other arguments…")
            self.menu.addAction(text).triggered.connect(lambda: self._edit("retry"))
        text = _("Replace the result…") if status == "done" else _("Put in a result by hand…")
        self.menu.addAction(text).triggered.connect(lambda: self._edit("result"))

    def _quick(self) -> None:
        self.ordered.emit("skip" if self._step.status == "pending" else "retry", None)

    def _edit(self, order: str) -> None:
        self._close_editor()
        parameters = self._catalogue.parameters(self._step.action)
        editor = StepEditor(self._theme, self._step, order, parameters)
        self.put_editor(editor)
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
        if self.editor is not None:
            self._layout.removeWidget(self.editor)
            self.editor.hide()
            self.editor.deleteLater()
            self.editor = None


class StepEditor(QWidget):
    """Other arguments (`order` "retry"), or a result ("result"), for one step."""

    given = Signal(object)
    cancelled = Signal()

    def __init__(self, theme: Theme, step: PlanStep, order: str, parameters: Any) -> None:
        super().__init__()
        self.order, self.action = order, step.action
        self.form: ArgumentForm | None = None
        self.field: QPlainTextEdit | None = None
        self.is_changed = False
        self._hindrance = ""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(4), 0, theme.space(1), theme.space(1))
        layout.setSpacing(theme.space(1))
        if order == "retry":
            self.form = ArgumentForm(theme, parameters, step.params, references=True)
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
        text = _("Use this result") if self.form is None else _("Use these") if waits else _("Try again")
        self.accept = QPushButton(text)
        self.accept.setProperty("kind", "primary")
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


def _whole(step: PlanStep) -> str:
    parts = [step.description, _("Tool: {tool}").format(tool=step.action)]
    if step.params:
        parts.append(words.pretty_args(step.params))
    if step.needs:
        parts.append(_("Needs the result of: {steps}").format(steps=", ".join(map(str, step.needs))))
    if step.error:
        parts.append(step.error)
    return "\n".join(parts)
