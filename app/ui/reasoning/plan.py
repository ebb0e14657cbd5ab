"""The plan: read while it runs, changed while it waits for approval."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.i18n import _
from app.core.plan import Plan, PlanStep, PlanStepStatus
from app.ui import texts
from app.ui.reasoning import words
from app.ui.reasoning.bodies import ThinkingBody
from app.ui.reasoning.entry import Entry
from app.ui.reasoning.plan_draft import PlanDraft, PlanFault
from app.ui.reasoning.plan_edit_row import PlanEditRow, tool_line
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible


class PlanView(QWidget):
    submitted = Signal(str, list)
    """Goal and steps, as the person wants them run."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("planView")
        self._theme = theme
        self._plan: Plan | None = None
        self._draft: PlanDraft | None = None
        self._handed_in: PlanDraft | None = None
        self._refused: tuple[str, ...] = ()
        self._rows: dict[int, Entry] = {}
        self._goal = SafeLabel(role="strong")
        self._goal.setWordWrap(True)
        self._goal_edit = QLineEdit()
        self._goal_edit.setAccessibleName(_("Goal"))
        self._goal_edit.textEdited.connect(self._rename_goal)
        self._hint = SafeLabel(_("The plan waits for you: change it as you like, then run it."), role="meta")
        self._hint.setWordWrap(True)
        self._faults = SafeLabel(role="error")
        self._faults.setWordWrap(True)
        self.run_button = QPushButton(_("Run the plan"))
        self.run_button.setObjectName("planRunButton")
        self.run_button.setProperty("kind", "primary")
        self.run_button.setIcon(theme.icon("play", "on_accent"))
        self.run_button.setIconSize(QSize(theme.space(2), theme.space(2)))
        self.run_button.clicked.connect(self._submit)
        self._restore = QPushButton(_("Undo my changes"))
        self._restore.setProperty("kind", "quiet")
        self._restore.clicked.connect(self._restored)
        self._add = QPushButton(_("Add a step"))
        self._add.setProperty("kind", "quiet")
        self._add.setIcon(theme.icon("plus", "text"))
        self._add.clicked.connect(self._add_step)
        self._footer = QWidget()
        footer = QHBoxLayout(self._footer)
        footer.setContentsMargins(0, 0, 0, 0)
        footer.addWidget(self._add)
        footer.addWidget(self._restore)
        footer.addStretch(1)
        footer.addWidget(self.run_button)
        self._list = QVBoxLayout()
        self._list.setSpacing(theme.space(0.5))
        self._list.addStretch(1)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._list)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(holder)
        holder.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1), theme.space(1), theme.space(1), theme.space(1))
        layout.setSpacing(theme.space(1))
        for widget in (self._goal, self._goal_edit, self._hint):
            layout.addWidget(widget)
        layout.addWidget(area, 1)
        layout.addWidget(self._faults)
        layout.addWidget(self._footer)
        self._arrange()

    @property
    def is_editable(self) -> bool:
        return self._draft is not None

    def clear(self) -> None:
        self._plan = self._draft = self._handed_in = None
        self._refused = ()
        self._arrange()

    def show_plan(self, plan: Plan) -> None:
        self._plan = plan
        if self._draft is not None:
            self._draft = PlanDraft(plan.goal, plan.steps)
        self._arrange()

    def set_waiting(self, is_waiting: bool) -> None:
        """Whether the run waits for `submitted`."""
        if is_waiting == self.is_editable or self._plan is None:
            return
        self._draft = PlanDraft(self._plan.goal, self._plan.steps) if is_waiting else None
        self._arrange()

    def refuse(self, faults: Sequence[str]) -> None:
        """What was handed in cannot run, and the run goes on waiting: the person's changes come back."""
        if self._handed_in is None:
            return
        self._draft, self._handed_in = self._handed_in, None
        self._refused = tuple(faults)
        self._arrange()

    def set_status(self, number: int, status: PlanStepStatus, error: str = "") -> None:
        if self._plan is None:
            return
        self._plan = self._plan.with_status(number, status, error)
        step = self._plan.step(number)
        if step and (row := self._rows.get(number)):
            _describe(row, step)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.run_button.setIcon(theme.icon("play", "on_accent"))
        self._add.setIcon(theme.icon("plus", "text"))
        self._arrange()

    # ------------------------------------------------------------ arranging

    def _arrange(self) -> None:
        while self._list.count() > 1:
            item = self._list.takeAt(0)
            if item is not None and (widget := item.widget()):
                widget.hide()
                widget.deleteLater()
        self._rows.clear()
        editing = self._draft is not None
        goal = self._draft.goal if self._draft else self._plan.goal if self._plan else ""
        self._goal.setText(goal)
        self._goal.setVisible(not editing and bool(goal))
        self._goal_edit.setText(visible(goal))
        for widget in (self._goal_edit, self._hint, self._footer):
            widget.setVisible(editing)
        steps = self._draft.steps() if self._draft else list(self._plan.steps) if self._plan else []
        for place, step in enumerate(steps, 1):
            row = self._edit_row(step, place, len(steps)) if editing else self._read_row(step)
            self._list.insertWidget(self._list.count() - 1, row)
        self._judge()

    def _read_row(self, step: PlanStep) -> QWidget:
        row = Entry(self._theme)
        self._rows[step.step] = row
        _describe(row, step)
        text = _whole(step)
        row.set_body(lambda: ThinkingBody(self._theme, text, lines=16))
        return row

    def _edit_row(self, step: PlanStep, place: int, count: int) -> QWidget:
        row = PlanEditRow(self._theme, self._draft.placed(step) if self._draft else step, place, count)
        row.renamed.connect(lambda text: self._rename(step.step, text))
        row.rewritten.connect(lambda text: self._rewrite(step.step, text))
        row.moved.connect(lambda by: self._change(lambda draft: draft.move(step.step, by)))
        row.removed.connect(lambda: self._change(lambda draft: draft.remove(step.step)))
        return row

    # ------------------------------------------------------------ changing

    def _change(self, change: Callable[[PlanDraft], object]) -> None:
        if self._draft is not None:
            self._refused = ()
            self._draft.drop_unreadable()  # the rows are made anew, their open editors go
            change(self._draft)
            self._arrange()

    def _rename(self, number: int, text: str) -> None:
        # Not arranged anew: the field being typed in would go.
        if self._draft is not None:
            self._draft.rename(number, text)
            self._judge()

    def _rewrite(self, number: int, arguments: str) -> None:
        if self._draft is not None:
            self._draft.rewrite(number, arguments)
            self._judge()

    def _rename_goal(self, text: str) -> None:
        if self._draft is not None:
            self._draft.goal = text
            self._judge()

    def _add_step(self) -> None:
        if self._draft is None:
            return
        self._change(lambda draft: draft.add())
        if isinstance(row := self._last_row(), PlanEditRow):
            row.name.setFocus()

    def _last_row(self) -> QWidget | None:
        item = self._list.itemAt(self._list.count() - 2)
        return item.widget() if item is not None else None

    def _restored(self) -> None:
        self._change(PlanDraft.restore)

    def _judge(self) -> None:
        faults = [_fault_text(fault) for fault in self._draft.faults()] if self._draft else []
        if self._draft:
            faults += [_("Step {n} does not say what to do.").format(n=place) for place in self._draft.nameless()]
            faults += [
                _("Step {n}: the arguments are no JSON object.").format(n=place) for place in self._draft.unreadable()
            ]
            self._add.setEnabled(not self._draft.is_full)
        self._restore.setVisible(bool(self._draft and self._draft.is_changed))
        self._faults.setText("\n".join([*faults, *self._refused]))
        self._faults.setVisible(bool(self._faults.full_text()))
        self.run_button.setEnabled(bool(self._draft and self._draft.steps()) and not faults)

    def _submit(self) -> None:
        if self._draft is None or not self.run_button.isEnabled():
            return
        draft, self._refused = self._draft, ()
        goal, steps = draft.goal, draft.handed_in()
        self.set_waiting(False)
        self._handed_in = draft
        self.submitted.emit(goal, steps)


def _describe(row: Entry, step: PlanStep) -> None:
    icon, token = words.PLAN_STEP_ICONS[step.status]
    detail = step.error or tool_line(step)
    aside = "" if step.status == "pending" else texts.status_title(step.status)
    row.describe(icon, token, f"{step.step}. {step.description}", detail=detail, aside=aside)


def _whole(step: PlanStep) -> str:
    parts = [step.description, _("Tool: {tool}").format(tool=step.action)]
    if step.params:
        parts.append(words.pretty_args(step.params))
    if step.needs:
        parts.append(_("Needs the result of: {steps}").format(steps=", ".join(map(str, step.needs))))
    if step.error:
        parts.append(step.error)
    return "\n".join(parts)


def _fault_text(fault: PlanFault) -> str:
    if fault.is_removed:
        return _("Step {n} needs the result of a deleted step: {name}").format(n=fault.step, name=fault.needs)
    return _("Step {n} needs the result of a step that comes later: {name}").format(n=fault.step, name=fault.needs)
