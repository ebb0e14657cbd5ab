"""Events into the state of a run, one by one. A token costs the same at any length of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import events as e
from ..event_line import Stamped
from ..plan import NO_TOOL, Plan
from .items import (
    Activity,
    CallItem,
    EndItem,
    ItemChange,
    NoteEvent,
    NoteItem,
    PhaseItem,
    PlanItem,
    PlanStepItem,
    RetryItem,
    RoundItem,
    StepItem,
    SubRunItem,
    WaitItem,
    WaitKind,
)
from .text import RunText

_IDLE, _RETRYING = Activity("idle"), Activity("retrying")
_APPROVAL, _QUESTION = Activity("approval"), Activity("question")
_ASKING = {"approval": _APPROVAL, "question": _QUESTION}
_KEPT = ("ok", "repeat")
HELPER_TOOL = "task"
"""The tool that starts a run inside a run."""

_CONTINUES_TEXT = (e.StepStart, e.StepEnd, e.PhaseStart, e.LoopStart, e.ApprovalAnswer, e.Answer)
"""What shows nothing between two pieces of a step's text; everything else begins a new piece below it."""
_CLOSES_THOUGHT = (
    e.PhaseStart,
    e.StepStart,
    e.StepEnd,
    e.RoundStart,
    e.PlanMade,
    e.ToolCalled,
    e.Discard,
    e.Reclassify,
    e.LoopEnd,
    e.LoopError,
)


class RunView(RunText):
    """`apply` every event of a run in its order, or `take` its lines and those of the runs inside it."""

    def __init__(self) -> None:
        super().__init__()
        self._inner: dict[str, RunView] = {}
        self._running_calls: dict[str, str] = {}
        self._open_calls: set[str] = set()
        self._by_thought = 0
        """The step of the plan that the loop works off without a tool of its own."""
        self._plan_activity: Activity | None = None
        self._retry: RetryItem | None = None
        self._hold: WaitItem | None = None
        """The wait that the next event ends: for the plan, for the budget."""
        self._thinking, self._answering = Activity("thinking"), Activity("answering")

    def inner(self, run: str) -> RunView | None:
        """The view of a run inside this one, at any depth; None if `take` had none of its lines."""
        views = (self._inner.get(run), *(view.inner(run) for view in self._inner.values()))
        return next((view for view in views if view is not None), None)

    # ------------------------------------------------------------ events

    def take(self, line: Stamped) -> Sequence[ItemChange]:
        """A line of this run, or of one inside it: that changes the item of its `SubRun`."""
        if line.parent is None or line.run == self.run or not self.run:
            self.run = line.run
            return self.apply(line.event, line.t)
        if line.parent == self.run:
            self._inner.setdefault(line.run, RunView()).take(line)
            return [ItemChange("changed", sub) for sub in self.sub_runs if sub.run == line.run]
        for run, view in self._inner.items():
            if view.inner(line.parent) is not None or run == line.parent:
                view.take(line)
                return [ItemChange("changed", sub) for sub in self.sub_runs if sub.run == run]
        return ()

    def apply(self, event: e.RunEvent, t: float = 0.0) -> Sequence[ItemChange]:
        self.now = max(self.now, t)
        changes = self._changes = []
        if self._retry is not None or self._hold is not None:
            self._go_on(event)
        match event:
            case e.Token(step, text):
                self._close_thought()
                self._grow("visible", step, text)
                self.activity = self._answering
            case e.Thinking(step, text):
                self._grow("thinking", step, text)
                self.activity = self._thinking
            case e.ToolText(id=id, text=text):
                self._write(id, text)
            case _:
                if isinstance(event, _CLOSES_THOUGHT):
                    self._close_thought()
                if not isinstance(event, _CONTINUES_TEXT):
                    self._text = None
                self._take(event)
        return changes

    def _take(self, event: e.RunEvent) -> None:
        match event:
            case e.PhaseStart(phase, title):
                self.phase, self.activity = phase, Activity("phase", phase)
                self._add(PhaseItem(self._key(), self.step, self.now, phase, title))
                if phase == "approval":
                    self._hold = self._wait("plan", f"plan {self._keys}", None)
            case e.StepStart(step, limit, offered):
                self.step, self.activity = step, self._thinking
                self.steps[step] = item = StepItem(self._key(), step, self.now, limit, offered, self.now)
                self._add(item)
            case e.StepEnd():
                self._end_step(event)
            case e.RoundStart() | e.RoundVerdict():
                self._round(event)
            case e.Discard(step):
                self._remove_texts(step, ("visible", "thinking"))
            case e.Reclassify(step, to):
                self._reclassify(step, to)
            case e.PlanMade(goal, steps, version):
                self._set_plan(Plan(goal, steps, version))
            case e.PlanStepChanged():
                self._change_plan_step(event)
            case e.ToolCalled() | e.ToolStarted() | e.ToolReturned():
                self._tool(event)
            case e.Approval() | e.Question() | e.ApprovalAnswer() | e.Answer() | e.BudgetLevel():
                self._note(event)
                self._decide(event)
            case e.Retry():
                self.activity = _RETRYING
                self._retry = RetryItem(self._key(), self.step, self.now, event)
                self._add(self._retry)
            case e.SubRun():
                self._sub_run(event)
            case e.LoopStart(mode=mode):
                self.start, self.mode = event, mode
                self._note(event)
            case e.ModeSelected(mode=mode):
                self.chosen, self.mode = event, mode
                self._note(event)
            case e.Token() | e.Thinking() | e.ToolText():
                pass  # `apply` had them: they come by the thousand
            case e.Understood():
                self.understood = event
                self._note(event)
            case e.LoopEnd() | e.LoopError():
                self._finish(event)
            case _:
                self._note(event)

    def _note(self, event: NoteEvent) -> None:
        self._add(NoteItem(self._key(), self.step, self.now, event))

    # ------------------------------------------------------------ steps and rounds

    def _end_step(self, event: e.StepEnd) -> None:
        """`ms` is the time of the stream; before it there may have been other tries."""
        item = self.steps.get(event.step)
        if item is None:
            item = self.steps[event.step] = StepItem(self._key(), event.step, self.now, 0, 0, self.now)
            self._add(item)
        end = self.now if item.ended is None and not event.ms else min(self.now, item.began + event.ms / 1_000)
        item.end, item.ended, item.round = event, max(end, item.began), self.round
        self.usage += event.usage
        if self.rounds:
            last = self.rounds[-1]
            last.usage += event.usage
            last.total, last.seconds = self.usage, self.now - last.t
            self._changed(last)
        self._changed(item)

    def _round(self, event: e.RoundStart | e.RoundVerdict) -> None:
        is_new = isinstance(event, e.RoundStart)
        if is_new or not self.rounds:  # a verdict alone: of a run that was cut short before it
            self._set_remarks()
            limit = event.limit if isinstance(event, e.RoundStart) else event.round
            self.rounds.append(RoundItem(self._key(), self.step, self.now, event.round, limit))
            self._add(self.rounds[-1])
        if isinstance(event, e.RoundVerdict):
            self.rounds[-1].verdict = event
            self._changed(self.rounds[-1])
            return
        self._thinking = self._answering = self.activity = Activity("reflecting", "", event.round, event.limit)

    # ------------------------------------------------------------ plan

    def _set_plan(self, plan: Plan) -> None:
        if self.plan is None:
            self.plan = PlanItem(self._key(), self.step, self.now, plan)
            self._add(self.plan)
        else:
            self.plan.plan = plan
            self._changed(self.plan)
        self.plan.versions.append(plan)

    def _change_plan_step(self, event: e.PlanStepChanged) -> None:
        (self._at_work.add if event.status == "running" else self._at_work.discard)(event.step)
        if event.status == "running":
            self.plan_step = event.step
        planned = None
        if self.plan is not None:
            self.plan.plan = self.plan.plan.with_status(event.step, event.status, event.error or "")
            planned = self.plan.plan.step(event.step)
            self._changed(self.plan)
            if planned is not None and planned.action == NO_TOOL:
                self._by_thought = event.step if event.status == "running" else 0
            numbers = [step.step for step in self.plan.plan.steps]
            if event.status == "running" and event.step in numbers:
                place = numbers.index(event.step) + 1
                self.activity = self._plan_activity = Activity("plan", "", place, len(numbers))
        if event.status == "pending":
            return
        if event.status != "running" and not self._at_work:
            self._set_remarks()
        if (item := self.plan_steps.get(event.step)) is not None:
            item.status, item.error, item.plan_step = event.status, event.error or "", planned
            self._changed(item)
            return
        item = PlanStepItem(self._key(), self.step, self.now, event.step, event.status, event.error or "", planned)
        self.plan_steps[event.step] = item
        self._add(item)

    # ------------------------------------------------------------ tools and runs inside

    def _tool(self, event: e.ToolCalled | e.ToolStarted | e.ToolReturned) -> None:
        if isinstance(event, e.ToolCalled) or event.id not in self.calls:
            item = self._called(event)
        else:
            item = self.calls[event.id]
            self._changed(item)
        if isinstance(event, e.ToolStarted):
            item.is_started, item.began = True, self.now
            self._running_calls[event.id] = event.name
            self.activity = self._tool_or(self.activity)
        elif isinstance(event, e.ToolReturned):
            self._returned(item, event)

    def _write(self, id: str, text: str) -> None:
        if (item := self.calls.get(id)) is not None:
            item.written.append(text)
            self._changes.append(ItemChange("grew", item, text))

    def _called(self, event: e.ToolCalled | e.ToolStarted | e.ToolReturned) -> CallItem:
        call = event if isinstance(event, e.ToolCalled) else e.ToolCalled(event.step, event.id, event.name, {})
        if (step := self.steps.get(event.step)) is not None and step.ended is None:
            step.ended = self.now
        self._set_remarks(event.step)
        item = CallItem(
            self._key(), event.step, self.now, call, self.round, call.plan_step or self._by_thought, self.now
        )
        self.calls[event.id] = item
        self._open_calls.add(event.id)
        self._add(item)
        return item

    def _returned(self, item: CallItem, event: e.ToolReturned) -> None:
        # A call that never ran has no length; `ms` is more exact than the moment it is told.
        item.began = max(item.began, self.now - event.ms / 1_000) if event.ms else self.now
        item.result, item.ended = event, max(self.now, item.began)
        self.results += 1
        self.kept_results += event.status in _KEPT
        self._running_calls.pop(event.id, None)
        self._open_calls.discard(event.id)
        self.activity = self._tool_or(self._plan_activity or self.activity)
        for sub in item.sub_runs if self._open_calls else self.sub_runs:
            if sub.ended is None:
                sub.ended = self.now
                self._changed(sub)

    def _tool_or(self, activity: Activity) -> Activity:
        """A person who is asked is waited for, whatever else goes on beside it."""
        for wait in self.waits:
            if wait.ended is None and wait.kind in _ASKING:
                return _ASKING[wait.kind]
        return Activity("tool", next(iter(self._running_calls.values()))) if self._running_calls else activity

    def _sub_run(self, event: e.SubRun) -> None:
        call = event.call if event.call in self.calls else ""
        if not call:  # of an older record
            call = next((id for id in reversed(self._running_calls) if not self.calls[id].sub_runs), "")
        if not call and not self._running_calls:  # of a stored message, which has each call with its result
            alone = (one for one in self.calls.values() if one.call.name == HELPER_TOOL and not one.sub_runs)
            call = next((one.call.id for one in alone), "")
        sub = SubRunItem(self._key(), self.step, self.now, event.id, event.agent, call)
        self.sub_runs.append(sub)
        if call:
            self.calls[call].sub_runs.append(sub)
        self._add(sub)

    # ------------------------------------------------------------ waiting and the end

    def _decide(self, event: e.Approval | e.Question | e.ApprovalAnswer | e.Answer | e.BudgetLevel) -> None:
        match event:
            case e.Approval(id, call_id):
                self.activity = _APPROVAL
                wait = self._wait("approval", id, event)
                if (call := self.calls.get(call_id)) is not None:
                    call.approval, wait.mended = wait, call.call.mended
                    self._changed(call)
            case e.Question(id):
                self.activity = _QUESTION
                self._wait("question", id, event)
            case e.ApprovalAnswer(id, choice):
                self._end_wait(id, choice)
            case e.Answer(id):
                self._end_wait(id, "")
            case e.BudgetLevel(scope=scope, level="pause"):
                self.activity = Activity("budget", scope)
                self._hold = self._wait("budget", f"budget {self._keys}", event)
            case _:
                pass

    def _wait(self, kind: WaitKind, id: str, event: e.Approval | e.Question | e.BudgetLevel | None) -> WaitItem:
        wait = WaitItem(self._key(), self.step, self.now, kind, id, event)
        self.waits.append(wait)
        self._add(wait)
        return wait

    def _end_wait(self, id: str, outcome: str) -> None:
        for wait in self.waits:
            if wait.id == id and wait.ended is None:
                wait.ended, wait.outcome = self.now, outcome
                self._changed(wait)
        self.activity = self._tool_or(self._thinking)

    def _go_on(self, event: e.RunEvent) -> None:
        """Whatever happens next ends the wait; another try begins the request again."""
        if isinstance(event, e.Notice):
            return
        hold, self._hold = self._hold, None
        if hold is not None and hold.ended is None:
            hold.ended = self.now
            self._changed(hold)
        retry, self._retry = self._retry, None
        if retry is not None:
            retry.ended = self.now
            self._changed(retry)
            if (step := self.steps.get(self.step)) is not None and step.ended is None:
                step.began = self.now

    def _finish(self, event: e.Terminal) -> None:
        self.end, self.activity = event, _IDLE
        lasting: list[WaitItem | SubRunItem | CallItem | StepItem]
        lasting = [*self.waits, *self.sub_runs, *self.calls.values(), *self.steps.values()]
        for item in lasting:
            if item.ended is None:
                item.ended = self.now
                self._changed(item)
        self._add(EndItem(self._key(), self.step, self.now, event, self.round, self.kept_results))


def view_of(run: Iterable[Stamped | e.RunEvent]) -> RunView:
    """Of a stored run: its lines, or its events where the times do not matter."""
    view = RunView()
    for one in run:
        if isinstance(one, Stamped):
            view.take(one)
        else:
            view.apply(one)
    return view
