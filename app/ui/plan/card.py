"""The plan card as it is seen: goal, steps, what it takes; in each of its states (design.md 03)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.core.run.analysis.run_stats import RunFigures, estimate_plan
from app.core.run.analysis.tool_records import ToolRecord
from app.core.run.plan import NO_TOOL, Plan, PlanStep, PlanStepStatus
from app.core.run.plan_changes import StepChange, plan_changes
from app.core.run.plan_template import PlanTemplate
from app.core.text.i18n import _
from app.ui.plan import words
from app.ui.plan.bars import Footer, Head, RunBar, TemplateBar, ToolLine
from app.ui.plan.catalogue import PlanTool, ToolCatalogue
from app.ui.plan.draft import LeftDrafts, PlanDraft, plan_key
from app.ui.plan.fault_texts import draft_faults
from app.ui.plan.step_list import StepList
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

KEEP_AFTER_MS = 250
"""After a change, until it is kept; typing continues meanwhile."""
State = Literal["read", "waits", "edited", "differs"]


class PlanCard(QFrame):
    submitted = Signal(str, list)
    """Goal and steps, as the person wants them run."""
    kept = Signal()
    """The old plan continues, without the step that failed."""
    cancelled = Signal()
    ordered = Signal(str, int, object)
    """pause, resume, next, skip, retry, result, again; the step; arguments or result."""
    template_saved = Signal(str, str, list)
    """Name, goal and steps."""
    template_deleted = Signal(str)
    height_changed = Signal()
    draft_changed = Signal(str, dict)
    """Session and what is to be kept of its changes, a moment after the last one; empty = nothing any more."""
    left = Signal()
    """Esc: the person is done here; the plan continues waiting."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._plan: Plan | None = None
        self._draft: PlanDraft | None = None
        self._handed_in: PlanDraft | None = None
        self._changes: tuple[StepChange, ...] = ()
        self._before: Plan | None = None
        """The plan that the shown one shall take the place of."""
        self._left = LeftDrafts()
        self._kept: tuple[str, str] = ("", "")
        """Session and plan whose changes were told to be kept."""
        self._keep_timer = QTimer(self)
        self._keep_timer.setSingleShot(True)
        self._keep_timer.setInterval(KEEP_AFTER_MS)
        self._keep_timer.timeout.connect(self._tell_draft)
        self.session = ""
        """Whose plan is shown."""
        self.run = ""
        """The run it belongs to."""
        self._refused: tuple[str, ...] = ()
        self._took: dict[int, float] = {}
        self._earlier: tuple[RunFigures, ...] = ()
        self._state: State = "read"
        self._is_running = self._is_over = self._is_folded = False
        self.can_run_again = False
        """Whether somebody hears "again"."""
        self._build()
        self._arrange()

    @property
    def is_waiting(self) -> bool:
        return self._draft is not None

    @property
    def is_editable(self) -> bool:
        return self._state == "edited"

    def plan(self) -> Plan | None:
        return self._plan

    # ------------------------------------------------------------ what is shown

    def clear(self) -> None:
        self._leave_draft()
        self._plan = self._draft = self._handed_in = self._before = None
        self._refused, self._changes, self._state = (), (), "read"
        self._took.clear()
        self.steps.clear()
        self._is_running = self._is_over = self._is_folded = False
        self.run_bar.set_paused(False)
        self._arrange()

    def set_tools(self, tools: Iterable[PlanTool]) -> None:
        """What a step may name."""
        self.steps.catalogue = ToolCatalogue(tools)
        self._judge()

    def set_templates(self, templates: Sequence[PlanTemplate]) -> None:
        self.templates.set_templates(templates)

    def set_earlier(self, runs: Sequence[RunFigures], records: Mapping[str, ToolRecord]) -> None:
        """What the estimates rest on: the runs of this agent, and by name what is known of the tools in them."""
        self._earlier = tuple(runs)
        thought = estimate_plan((), self._earlier)
        own = {} if thought.request_seconds is None else {NO_TOOL: ToolRecord(thought.request_seconds, thought.runs)}
        self.steps.records = {**records, **own}
        self._show_rows()
        self._judge()

    def show_plan(self, plan: Plan, before: Plan | None = None) -> None:
        """`before`: the plan it shall take the place of; as a difference, should it wait for the person."""
        if self._plan is not None and (plan.goal, _bare(plan)) != (self._plan.goal, _bare(self._plan)):
            self.steps.fold()
        self._plan, self._before = plan, before
        if self._draft is not None:
            self._draft = PlanDraft(plan.goal, plan.steps)
        self._arrange()

    def set_waiting(self, is_waiting: bool) -> None:
        """Whether the run waits for `submitted`."""
        if is_waiting == self.is_waiting or self._plan is None:
            return
        if is_waiting:
            stored_draft = self._left.take(self.session, self._plan)
            self._draft = stored_draft or PlanDraft(self._plan.goal, self._plan.steps)
            self._changes = plan_changes(self._before, self._plan) if self._before is not None else ()
            self._state = "edited" if stored_draft is not None else "differs" if self._changes else "waits"
        else:
            self._leave_draft()
        self._is_folded = False
        self.steps.fold()
        self._arrange()

    def take_draft(self, kept: Mapping[str, Any]) -> None:
        """Changes of before the program ended, if this plan waits and nobody has changed it since."""
        draft = self._draft
        if draft is None or self._plan is None or draft.changes or kept.get("plan") != plan_key(self._plan):
            return
        draft.take_json(kept)
        self._state = "edited" if draft.is_changed else self._state
        self._arrange()

    def _tell_draft(self) -> None:
        self._keep_timer.stop()
        draft, plan = self._draft, self._plan
        if draft is not None and plan is not None and self.session:
            self._kept = (self.session, plan_key(plan)) if draft.is_changed else ("", "")
            body = {"plan": plan_key(plan), **draft.to_json()} if draft.is_changed else {}
            self.draft_changed.emit(self.session, body)

    def forget_draft(self) -> None:
        """The plan was handed in, or kept as it was."""
        self._keep_timer.stop()
        if self.session and (self._kept[0] or (self._draft is not None and self._draft.is_changed)):
            self.draft_changed.emit(self.session, {})
        self._kept = ("", "")

    def _leave_draft(self) -> None:
        """The run was stopped, or another one is looked at."""
        if self._keep_timer.isActive():
            self._tell_draft()
        draft, self._draft = self._draft, None
        self._state = "read"
        if draft is not None and self._plan is not None:
            self._left.keep(self.session, self._plan, draft)

    def set_running(self, is_running: bool) -> None:
        """Whether the plan is worked off now; then steps can be steered."""
        if is_running != self._is_running:
            self._is_running, self._is_over = is_running, False
            if is_running:  # its steps are in the work of the answer
                self._is_folded = not (self.run_bar.is_paused or self.steps.opened)
            self._arrange()

    def set_over(self) -> None:
        """The run has ended: the card is one line, unless somebody is at work in it."""
        if self._is_over:
            return
        self._is_over, self._is_running = True, False
        self._is_folded = not self.steps.opened
        self._arrange()

    def set_folded(self, is_folded: bool) -> None:
        self._is_folded = is_folded
        self._arrange()

    def set_paused(self, is_paused: bool) -> None:
        self.run_bar.set_paused(is_paused)
        if is_paused and self._is_running:
            self.set_folded(False)

    def _toggle(self) -> None:
        self.set_folded(not self._is_folded)

    def _order_step(self, number: int, order: str, value: object) -> None:
        self.ordered.emit(order, number, value)

    def _order_run(self, order: str) -> None:
        self.ordered.emit(order, 0, None)

    def _pause(self) -> None:
        """From the line alone: whoever holds the plan wants to see its steps."""
        self.set_paused(True)
        self.ordered.emit("pause", 0, None)
        self.run_bar.resume.setFocus(Qt.FocusReason.OtherFocusReason)

    def refuse(self, faults: Sequence[str]) -> None:
        """What was handed in cannot run, and the run continues waiting: the person's changes come back."""
        if self._handed_in is None:
            return
        self._draft, self._handed_in = self._handed_in, None
        self._state, self._refused = "edited", tuple(faults)
        self.steps.fold()
        self._arrange()

    def set_status(self, number: int, status: PlanStepStatus, error: str = "") -> None:
        if self._plan is None:
            return
        self._plan = self._plan.with_status(number, status, error)
        self._show_rows()
        self._show_place()

    def set_took(self, number: int, seconds: float) -> None:
        """How long the tools of a step were at work."""
        if self._took.get(number) != seconds:
            self._took[number] = seconds
            self._show_rows()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for part in (self.head, self.steps, self.tools, self.run_bar, self.footer):
            part.set_theme(theme)
        self._arrange()

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        theme = self._theme
        self.head = Head(theme)
        self.head.fold.clicked.connect(self._toggle)
        self.head.pause.clicked.connect(self._pause)
        self.steps = StepList(theme)
        self.steps.ordered.connect(self._order_step)
        self.tools = ToolLine(theme)
        self.templates = TemplateBar(theme)
        self.tools.add_templates(self.templates.button)
        self.templates.deleted.connect(self.template_deleted)
        self._faults = SafeLabel(role="error")
        self._faults.setWordWrap(True)
        self.run_bar = RunBar(theme)
        self.run_bar.ordered.connect(self._order_run)
        self.footer = Footer(theme)
        self.run_button, self.next_button = self.footer.run, self.footer.next
        layout = self._margins = QVBoxLayout(self)
        layout.setSpacing(theme.space(0.5))
        layout.addWidget(self.head)
        layout.addWidget(self.steps)
        for widget in (self.tools, self.templates, self._faults, self.run_bar, self.footer):
            layout.addWidget(widget)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.height_changed.emit()
        return super().event(event)

    def wanted(self, width: int) -> int:
        """The height it needs at a width."""
        layout = self.layout()
        assert layout is not None
        self.ensurePolished()
        self.footer.show_width(width)
        layout.activate()
        return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.footer.show_width(event.size().width())

    # ------------------------------------------------------------ arranging

    def _arrange(self) -> None:
        """The card as its state wants it. Rows stay where they are of use: nobody loses the field they type in."""
        editing, differs = self._state == "edited", self._state == "differs"
        goal = self._draft.goal if self._draft else self._plan.goal if self._plan else ""
        is_folded = self._is_folded and self._state == "read"
        self._look("edited" if editing else "waiting" if self.is_waiting else "folded" if is_folded else "quiet")
        margin = 0 if is_folded else self._theme.space(1)
        self._margins.setContentsMargins(margin, margin, margin, margin)
        self.head.show_goal(_("The rest of the plan changes") if differs else goal, editing=editing)
        may_fold = self._is_over or (self._is_running and not self.is_waiting)
        self.head.show_fold(is_shown=may_fold, is_folded=self._is_folded)
        self.head.show_quiet(is_quiet=is_folded)
        self.head.pause.setVisible(self._is_running and is_folded)
        self._show_rows()
        self.steps.show_difference(self._changes if differs else ())
        self.steps.set_place(is_running=self._is_running, may_run_again=self._is_over and self.can_run_again)
        self.steps.setVisible(not is_folded)
        self.tools.setVisible(editing)
        if not editing:
            self.templates.hide()
        self.footer.show_state(self._state)
        self._show_place()
        self._judge()

    def _look(self, card: str) -> None:
        if self.property("card") != card:
            self.setProperty("card", card)
            self.style().unpolish(self)
            self.style().polish(self)

    def _steps(self) -> list[PlanStep]:
        return self._draft.steps() if self._draft else list(self._plan.steps) if self._plan else []

    def _show_rows(self) -> None:
        draft, editing = self._draft, self._state == "edited"
        steps = self._steps()
        self.steps.show_steps(
            [draft.placed(step) for step in steps] if draft else steps,
            grips_from=draft.fixed + 1 if draft and editing else len(steps) + 1,
            faults=draft_faults(draft) if draft and editing else {},
            took=self._took,
        )

    def _show_place(self) -> None:
        steps = self._plan.steps if self._plan else ()
        following = next((step.step for step in steps if step.status == "pending"), 0)
        busy = next((f"{step.step}. {words.step_title(step)}" for step in steps if step.status == "running"), "")
        self.run_bar.show_place(following, busy)
        self.run_bar.setVisible(self._is_running and not self.is_waiting and not self._is_folded)
        done = sum(step.status == "done" for step in steps)
        note = words.state_sum(steps) if steps and self._is_over else ""
        if self._state == "differs" and done:
            note = words.stays(done)
        self.head.show_note(note)

    def _judge(self) -> None:
        draft = self._draft
        faults = draft_faults(draft) if draft else {}
        if draft:
            if draft.is_changed or self._kept[0]:
                self._keep_timer.start()
            self.tools.show_changes(draft.changes, is_full=draft.is_full)
            self.templates.suggest(draft.goal)
            estimate = estimate_plan(draft.steps(), self._earlier)
            seconds = self.steps.expected_seconds(draft.steps())
            words_of_sum = words.plan_sum(draft.steps(), estimate, self.steps.catalogue, seconds)
            self.footer.show_sum(words_of_sum, words.basis(estimate))
        self.footer.restore.setEnabled(bool(draft and draft.is_changed))
        sentences = [_("Step {n} {why}.").format(n=place, why=why) for place, why in faults.items()]
        self._faults.setText("\n".join([*sentences, *self._refused]))
        self._faults.setVisible(bool(self._faults.full_text()))
        for button in (self.run_button, self.next_button):
            button.setEnabled(bool(draft and draft.steps()) and not faults)


def _bare(plan: Plan) -> list[tuple[int, str]]:
    return [(step.step, step.action) for step in plan.steps]
