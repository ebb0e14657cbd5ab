"""One step of a plan while it is worked off: its state, and what a person may do to it."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPlainTextEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.core.run.plan import NO_TOOL, PlanStep
from app.core.text.i18n import _
from app.ui import texts
from app.ui.reasoning import words
from app.ui.reasoning.bodies import ThinkingBody
from app.ui.reasoning.entry import Entry
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
        self.entry = Entry(theme)
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
        if step.status == "running":
            self._close_editor()
        self._arrange()

    def set_running(self, is_running: bool) -> None:
        """Whether the plan is being worked off now, so that orders are heard."""
        self._is_running, self._is_over = is_running, False
        if not is_running:
            self._close_editor()
        self._arrange()

    def set_over(self) -> None:
        """The run has ended: from here on it can be run once more."""
        self._is_over = True
        self._arrange()

    def _arrange(self) -> None:
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
        editor = self.editor = StepEditor(self._theme, self._step, order, parameters)
        editor.given.connect(lambda value: self._given(order, value))
        editor.cancelled.connect(self._close_editor)
        self._layout.addWidget(editor)
        editor.begin()

    def _given(self, order: str, value: Any) -> None:
        self._close_editor()
        self.ordered.emit(order, value)

    def _close_editor(self) -> None:
        if self.editor is not None:
            self._layout.removeWidget(self.editor)
            self.editor.hide()
            self.editor.deleteLater()
            self.editor = None


class StepEditor(QWidget):
    """Other arguments, or a result, for one step."""

    given = Signal(object)
    cancelled = Signal()

    def __init__(self, theme: Theme, step: PlanStep, order: str, parameters: Any) -> None:
        super().__init__()
        self.form = ArgumentForm(theme, parameters, step.params, references=True) if order == "retry" else None
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(_("Result of step {n}").format(n=step.step))
        self.field.setPlaceholderText(_("Text, or JSON that later steps can refer to"))
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(theme.space(12))
        waits = step.status == "pending"
        text = _("Use this result") if self.form is None else _("Use these") if waits else _("Try again")
        self.accept = QPushButton(text)
        self.accept.setProperty("kind", "primary")
        self.accept.clicked.connect(self._accept)
        cancel = QPushButton(_("Cancel"))
        cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(4), 0, theme.space(1), theme.space(1))
        layout.setSpacing(theme.space(1))
        if self.form is not None:
            layout.addWidget(self.form)
            self.form.changed.connect(self._judge)
        else:
            told = SafeLabel(_("The later steps and the answer use it as if the step had run."), role="meta")
            told.setWordWrap(True)
            layout.addWidget(told)
            layout.addWidget(self.field)
            self.field.textChanged.connect(self._judge)
        self._judge()

    def begin(self) -> None:
        if self.form is not None:
            self.form.focus_first()
        else:
            self.field.setFocus()

    def _judge(self) -> None:
        wrong = self.form.faults() if self.form is not None else not self.field.toPlainText().strip()
        self.accept.setEnabled(not wrong)

    def _accept(self) -> None:
        self.given.emit(self.form.values() if self.form is not None else _text_or_json(self.field.toPlainText()))


def _text_or_json(text: str) -> Any:
    try:
        return json.loads(text)
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
