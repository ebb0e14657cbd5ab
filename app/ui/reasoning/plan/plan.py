"""The plan: read and steered while it runs, changed while it waits for approval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.run.plan import Plan, PlanStep, PlanStepStatus
from app.core.run.plan_template import PlanTemplate
from app.core.run.run_stats import RunFigures, estimate_plan
from app.core.text.i18n import _
from app.ui.reasoning import words
from app.ui.reasoning.plan.catalogue import Catalogue, PlanTool
from app.ui.reasoning.plan.fault_texts import draft_faults
from app.ui.reasoning.plan.plan_bars import RunBar, TemplateBar
from app.ui.reasoning.plan.plan_draft import LeftDrafts, PlanDraft
from app.ui.reasoning.plan.plan_edit_row import PlanEditRow
from app.ui.reasoning.plan.plan_run_row import PlanRunRow
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.viewport import viewport_of


class PlanView(QWidget):
    submitted = Signal(str, list)
    """Goal and steps, as the person wants them run."""
    ordered = Signal(str, int, object)
    """pause, resume, next, skip, retry, result, again; the step; arguments or result."""
    template_saved = Signal(str, str, list)
    """Name, goal and steps."""
    template_deleted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("planView")
        self._theme = theme
        self._plan: Plan | None = None
        self._draft: PlanDraft | None = None
        self._handed_in: PlanDraft | None = None
        self._left = LeftDrafts()
        self.session = ""
        """Whose plan is shown."""
        self._refused: tuple[str, ...] = ()
        self._rows: dict[int, PlanRunRow] = {}
        self._open_forms: set[int] = set()
        self._catalogue = Catalogue()
        self._earlier: tuple[RunFigures, ...] = ()
        self._is_running = self._is_over = False
        self.can_run_again = False
        """Whether somebody hears "again"."""
        self._build()
        self._arrange()

    @property
    def is_editable(self) -> bool:
        return self._draft is not None

    def clear(self) -> None:
        self._leave_draft()
        self._plan = self._draft = self._handed_in = None
        self._refused = ()
        self._open_forms.clear()
        self._is_running = self._is_over = False
        self.run_bar.set_paused(False)
        self._arrange()

    def set_tools(self, tools: Iterable[PlanTool]) -> None:
        """What a step may name."""
        self._catalogue = Catalogue(tools)
        self._arrange()

    def set_templates(self, templates: Sequence[PlanTemplate]) -> None:
        self.templates.set_templates(templates)

    def set_earlier(self, runs: Sequence[RunFigures]) -> None:
        """What the estimate rests on."""
        self._earlier = tuple(runs)
        self._judge()

    def show_plan(self, plan: Plan) -> None:
        self._plan = plan
        if self._draft is not None:
            self._draft = PlanDraft(plan.goal, plan.steps)
        self._arrange()

    def set_waiting(self, is_waiting: bool) -> None:
        """Whether the run waits for `submitted`."""
        if is_waiting == self.is_editable or self._plan is None:
            return
        if is_waiting:
            self._draft = self._left.take(self.session, self._plan) or PlanDraft(self._plan.goal, self._plan.steps)
        else:
            self._leave_draft()
        self._open_forms.clear()
        self._arrange()

    def _leave_draft(self) -> None:
        """The run was stopped, or another one is looked at."""
        draft, self._draft = self._draft, None
        if draft is not None and self._plan is not None:
            self._left.keep(self.session, self._plan, draft)

    def set_running(self, is_running: bool) -> None:
        """Whether the plan is worked off now; then steps can be steered."""
        if is_running != self._is_running:
            self._is_running = is_running
            for row in self._rows.values():
                row.set_running(is_running)
            self._show_place()

    def set_over(self) -> None:
        """The run has ended."""
        self._is_over = True
        self.set_running(False)
        for row in self._rows.values():
            self._tell_over(row)

    def _tell_over(self, row: PlanRunRow) -> None:
        if self._is_over and self.can_run_again:
            row.set_over()

    def set_paused(self, is_paused: bool) -> None:
        self.run_bar.set_paused(is_paused)

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
            row.show_step(step)
        self._show_place()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.run_button.setIcon(theme.icon("play", "on_accent"))
        self._add.setIcon(theme.icon("plus", "text"))
        for button in (self.run_button, self._add):
            button.setIconSize(QSize(theme.space(2), theme.space(2)))
        self.run_bar.set_theme(theme)
        self._arrange()

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        theme = self._theme
        self._goal = SafeLabel(role="strong")
        self._goal.setWordWrap(True)
        self._goal_edit = QLineEdit()
        self._goal_edit.setAccessibleName(_("Goal"))
        self._goal_edit.textEdited.connect(self._rename_goal)
        self._hint = _wrapped(_("The plan waits for you: change it as you like, then run it."), "meta")
        self._estimate = _wrapped("", "meta")
        self._faults = _wrapped("", "error")
        self.run_bar = RunBar(theme)
        self.run_bar.ordered.connect(lambda order: self.ordered.emit(order, 0, None))
        self.templates = TemplateBar(theme)
        self.templates.saved.connect(self._save_template)
        self.templates.used.connect(self._use_template)
        self.templates.deleted.connect(self.template_deleted)
        self._list = QVBoxLayout()
        self._list.setSpacing(theme.space(0.5))
        self._list.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1), theme.space(1), theme.space(1), theme.space(1))
        layout.setSpacing(theme.space(1))
        for widget in (self._goal, self._goal_edit, self._hint):
            layout.addWidget(widget)
        layout.addWidget(self._make_area(), 1)
        layout.addWidget(self._faults)
        layout.addWidget(self.run_bar)
        layout.addWidget(self._make_footer())

    def _make_area(self) -> QScrollArea:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._list)
        area = self._area = QScrollArea()
        area.setAccessibleName(_("Plan"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(holder)
        holder.setAutoFillBackground(False)
        viewport_of(area).setAutoFillBackground(False)
        return area

    def _make_footer(self) -> QWidget:
        theme = self._theme
        self.run_button = QPushButton(_("Run all"))
        self.run_button.setObjectName("planRunButton")
        self.run_button.setProperty("kind", "primary")
        self.run_button.setIcon(theme.icon("play", "on_accent"))
        self.run_button.setIconSize(QSize(theme.space(2), theme.space(2)))
        self.run_button.clicked.connect(self._submit)
        self.next_button = QPushButton(_("Run next"))
        self.next_button.setObjectName("planNextButton")
        self.next_button.clicked.connect(self._submit_paused)
        self._restore = QPushButton(_("Undo my changes"))
        self._restore.clicked.connect(self._restored)
        self._add = QPushButton(_("Add a step"))
        self._add.setIcon(theme.icon("plus", "text"))
        self._add.setIconSize(QSize(theme.space(2), theme.space(2)))
        self._add.clicked.connect(self._add_step)
        for button in (self._restore, self._add):
            button.setProperty("kind", "quiet")
        self._footer = QWidget()
        column = QVBoxLayout(self._footer)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(1))
        first, second = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self._add)
        first.addStretch(1)
        first.addWidget(self.templates.button)
        second.setSpacing(theme.space(1))
        second.addWidget(self._restore)
        second.addStretch(1)
        second.addWidget(self.next_button)
        second.addWidget(self.run_button)
        column.addWidget(self._estimate)
        column.addLayout(first)
        column.addWidget(self.templates)
        column.addLayout(second)
        return self._footer

    # ------------------------------------------------------------ arranging

    def _arrange(self, *, focus: int = 0) -> None:
        """Make the rows anew; `focus` is the number of the step whose row gets the focus."""
        had_focus: QWidget | None = self.focusWidget()
        editors = {number: editor for number, row in self._rows.items() if (editor := row.take_editor())}
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
            row = self._edit_row(step, place, len(steps)) if editing else self._run_row(step)
            self._list.insertWidget(self._list.count() - 1, row)
            row.show()  # now, not with the next event: it may be given the focus
            editor = editors.get(step.step)
            if isinstance(row, PlanRunRow) and editor is not None and editor.action == step.action:
                row.put_editor(editors.pop(step.step))
                if had_focus is not None and editor.isAncestorOf(had_focus):
                    had_focus.setFocus()
            if step.step == focus and isinstance(row, PlanEditRow):
                row.name.setFocus(Qt.FocusReason.TabFocusReason)
                self._area.ensureWidgetVisible(row)
        for editor in editors.values():
            editor.deleteLater()
        self._show_place()
        self._judge()

    def _run_row(self, step: PlanStep) -> QWidget:
        row = self._rows[step.step] = PlanRunRow(self._theme, step, self._catalogue)
        row.set_running(self._is_running)
        self._tell_over(row)
        row.ordered.connect(lambda order, value: self.ordered.emit(order, step.step, value))
        return row

    def _edit_row(self, step: PlanStep, place: int, count: int) -> QWidget:
        draft, number = self._draft, step.step
        row = PlanEditRow(self._theme, draft.placed(step) if draft else step, place, count, self._catalogue)
        row.renamed.connect(partial(self._rename, number))
        row.filled.connect(partial(self._fill, number))
        row.tool_chosen.connect(partial(self._choose_tool, number))
        row.ask_changed.connect(partial(self._set_ask, number))
        row.moved.connect(lambda by: self._change(lambda draft: draft.move(number, by), focus=number))
        row.insert_asked.connect(lambda: self._insert(number))
        row.removed.connect(lambda: self._change(lambda draft: draft.remove(number)))
        row.edit.toggled.connect(lambda shown: self._keep_open(number, shown))
        if number in self._open_forms:
            row.open_form()
        return row

    def _show_place(self) -> None:
        steps = self._plan.steps if self._plan else ()
        following = next((step.step for step in steps if step.status == "pending"), 0)
        busy = next((f"{step.step}. {step.description}" for step in steps if step.status == "running"), "")
        self.run_bar.show_place(following, busy)
        self.run_bar.setVisible(self._is_running and not self.is_editable)

    # ------------------------------------------------------------ changing

    def _change(self, change: Callable[[PlanDraft], object], *, focus: int = 0) -> None:
        if self._draft is not None:
            self._refused = ()
            change(self._draft)
            self._arrange(focus=focus)

    def _rename(self, number: int, text: str) -> None:
        # Not arranged anew: the field being typed in would go. The same below.
        if self._draft is not None:
            self._draft.rename(number, text)
            self._judge()

    def _fill(self, number: int, params: dict[str, Any], is_whole: bool) -> None:
        if self._draft is not None:
            self._draft.set_params(number, params, is_whole=is_whole)
            self._judge()

    def _set_ask(self, number: int, ask: bool) -> None:
        if self._draft is not None:
            self._draft.set_ask(number, ask)
            self._judge()

    def _choose_tool(self, number: int, action: str) -> None:
        self._open_forms.add(number)
        self._change(lambda draft: draft.set_action(number, action, self._catalogue.takes(action)))

    def _keep_open(self, number: int, shown: bool) -> None:
        (self._open_forms.add if shown else self._open_forms.discard)(number)

    def _rename_goal(self, text: str) -> None:
        if self._draft is not None:
            self._draft.goal = text
            self._judge()

    def _add_step(self) -> None:
        self._insert(0)

    def _insert(self, after: int) -> None:
        if self._draft is not None and not self._draft.is_full:
            number = self._draft.add(after)
            self._change(lambda _draft: None, focus=number)

    def _last_row(self) -> QWidget | None:
        item = self._list.itemAt(self._list.count() - 2)
        return item.widget() if item is not None else None

    def _restored(self) -> None:
        self._open_forms.clear()
        self._change(PlanDraft.restore)

    def _use_template(self, template: PlanTemplate) -> None:
        self._open_forms.clear()
        self._change(lambda draft: draft.use(template.goal, template.steps))

    def _save_template(self, name: str) -> None:
        if self._draft is not None:
            self.template_saved.emit(name, self._draft.goal, self._draft.handed_in())

    def _judge(self) -> None:
        draft = self._draft
        faults = draft_faults(draft) if draft else []
        if draft:
            self._add.setEnabled(not draft.is_full)
            self.templates.suggest(draft.goal)
            self._estimate.setText(words.estimate(estimate_plan(draft.steps(), self._earlier)))
        self._restore.setVisible(bool(draft and draft.is_changed))
        self._faults.setText("\n".join([*faults, *self._refused]))
        self._faults.setVisible(bool(self._faults.full_text()))
        for button in (self.run_button, self.next_button):
            button.setEnabled(bool(draft and draft.steps()) and not faults)

    def _submit_paused(self) -> None:
        """Run the first step, then wait."""
        if self._draft is not None and self.next_button.isEnabled():
            self.run_bar.set_paused(True)
            self.ordered.emit("next", 0, None)
            self._submit()

    def _submit(self) -> None:
        if self._draft is None or not self.run_button.isEnabled():
            return
        draft, self._refused = self._draft, ()
        goal, steps = draft.goal, draft.handed_in()
        self._draft, self._handed_in = None, draft
        self._open_forms.clear()
        self._arrange()
        self.submitted.emit(goal, steps)


def _wrapped(text: str, role: str) -> SafeLabel:
    label = SafeLabel(text, role=role)
    label.setWordWrap(True)
    return label
