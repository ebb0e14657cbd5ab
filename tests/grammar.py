"""The grammar of an event stream: what every listener may count on, whatever the run did.

    check_grammar(lines)        raises AssertionError that names the line and the rule

Every run of the tests passes through it; so it is also the place to read what the order of
events is.
"""

# ruff: noqa: PT018 - one rule of the grammar is one assertion with one sentence

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import get_args

from app.core.run.event_line import Stamped
from app.core.run.event_values import BudgetScope, PhaseName
from app.core.run.events import (
    Approval,
    ApprovalAnswer,
    BudgetLevel,
    Discard,
    LoopEnd,
    LoopError,
    LoopStart,
    ModeSelected,
    Notice,
    PhaseStart,
    PlanMade,
    PlanStepChanged,
    Reclassify,
    Retry,
    RoundStart,
    RoundVerdict,
    RunEvent,
    StepEnd,
    StepStart,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
    ToolStarted,
)
from app.core.run.outcome import outcome_of
from app.core.run.view import RunView, work_rows
from app.services.runs.event_batches import Gathering

MOST_ROUNDS = 10


def check_grammar(lines: Sequence[Stamped]) -> None:
    assert lines, "a run says at least how it began and how it ended"
    _check_stamps(lines)
    grammar = _Grammar()
    for line in lines:
        try:
            grammar.take(line.event)
        except AssertionError as error:
            raise AssertionError(f"line {line.seq} ({line.event.type}): {error}\n{_told(lines)}") from error
    try:
        grammar.close()
    except AssertionError as error:
        raise AssertionError(f"at the end: {error}\n{_told(lines)}") from error
    check_view(lines)


def _check_stamps(lines: Sequence[Stamped]) -> None:
    assert [line.seq for line in lines] == list(range(len(lines))), "seq counts from 0 without a gap"
    assert len({(line.run, line.session, line.parent) for line in lines}) == 1, "one run, one session"
    times = [line.t for line in lines]
    assert times == sorted(times), "time does not run backwards"
    assert isinstance(lines[0].event, LoopStart), "the first event is loop_start"
    ends = [line.seq for line in lines if isinstance(line.event, LoopEnd | LoopError)]
    assert ends == [len(lines) - 1], "exactly one terminal event, and nothing behind it"
    for line in lines:
        text = json.dumps(line.to_json(), ensure_ascii=False, allow_nan=False)
        again = Stamped.from_json(json.loads(text))
        assert json.dumps(again.to_json(), ensure_ascii=False) == text, f"line {line.seq} survives its JSON"


class _Grammar:
    def __init__(self) -> None:
        self.started = 0
        """The number of the last step."""
        self.open: int | None = None
        self.calls: dict[str, ToolCalled] = {}
        self.running: set[str] = set()
        self.results: dict[str, ToolReturned] = {}
        self.asked: dict[str, Approval] = {}
        self.answered: set[str] = set()
        self.round = 0
        self.judged = True
        self.plan: PlanMade | None = None
        self.statuses: dict[int, str] = {}
        self.loop_starts = 0
        self.end: LoopEnd | LoopError | None = None

    def take(self, event: RunEvent) -> None:
        match event:
            case LoopStart():
                self.loop_starts += 1
                assert self.loop_starts == 1, "loop_start once"
            case ModeSelected(mode):
                assert self.started == 0, "the mode is chosen before the first request"
                assert mode in ("direct", "react", "plan"), f"unknown mode {mode}"
            case PhaseStart(phase):
                assert phase in get_args(PhaseName), f"unknown phase {phase}"
            case StepStart() | StepEnd() | Token() | Thinking() | Discard() | Reclassify() | Retry():
                self._step(event)
            case ToolCalled() | ToolStarted() | ToolReturned() | Approval() | ApprovalAnswer():
                self._tool(event)
            case RoundStart(round, limit):
                assert round in (1, self.round + 1), f"round {round} follows {self.round}"
                assert 1 <= round <= limit <= MOST_ROUNDS, f"round {round} of {limit}"
                self.round, self.judged = round, False
            case RoundVerdict(round):
                assert round == self.round and not self.judged, "one verdict for the round that is open"
                self.judged = True
            case PlanMade() | PlanStepChanged():
                self._plan(event)
            case BudgetLevel(_kind, used, limit, scope=scope):
                assert scope in get_args(BudgetScope), f"unknown scope {scope}"
                assert limit > 0 and used / limit >= 0.8, "a level is told when it is reached"
            case Notice(code, text):
                assert code and text, "a notice says in plain English what its code means"
            case LoopEnd() | LoopError():
                self.end = event
            case _:
                pass

    def _step(self, event: StepStart | StepEnd | Token | Thinking | Discard | Reclassify | Retry) -> None:
        if isinstance(event, Retry):
            assert self.open is not None, "a retry belongs to a step that is open"
            assert event.attempt >= 1
            assert event.wait >= 0
        elif isinstance(event, StepStart):
            assert self.open is None, f"step {self.open} has not ended"
            assert event.step == self.started + 1, f"step {event.step} follows {self.started}"
            assert event.step <= event.limit
            self.started = self.open = event.step
        elif isinstance(event, StepEnd):
            assert event.step == self.open, f"step {self.open} is open"
            assert event.ms >= 0
            assert event.finish_reason
            self.open = None
        else:
            assert 1 <= event.step <= self.started, f"step {event.step} is not known"
            if isinstance(event, Token | Thinking):
                assert event.text, "a delta says something"

    def _tool(self, event: ToolCalled | ToolStarted | ToolReturned | Approval | ApprovalAnswer) -> None:
        match event:
            case ToolCalled(step, id):
                assert id and id not in self.calls, "every call has an id of its own"
                assert 0 <= step <= self.started, f"step {step} is not known"
                self.calls[id] = event
            case ToolStarted(_step, id, name):
                assert id in self.calls and self.calls[id].name == name, "only what was called runs"
                assert id not in self.results and id not in self.running, "a call runs once"
                self.running.add(id)
            case ToolReturned(_step, id, name):
                assert id in self.calls and self.calls[id].name == name, "a result has its call"
                assert id not in self.results, "a call has one result"
                self.results[id] = event
                self._result(event)
            case Approval(id, call):
                assert id not in self.asked and (call in self.calls or not call), (
                    "an approval is about a call or a plan step"
                )
                assert call not in self.results and call not in self.running, "asked before it runs"
                self.asked[id] = event
            case ApprovalAnswer(id):
                assert id in self.asked and id not in self.answered, "one answer to what was asked"
                self.answered.add(id)

    def _result(self, event: ToolReturned) -> None:
        assert event.ok == (event.error is None), "an error says what went wrong"
        assert event.ok == (event.status in ("ok", "repeat")), f"status {event.status} with ok={event.ok}"
        assert event.truncated == (event.kept_chars < event.chars), "truncated says whether something is missing"
        assert event.ms >= 0
        if event.status == "ok":
            assert (event.id in self.running) == (event.age is None), "what has a result has run, now or before"
        if event.status in ("denied", "blocked"):
            assert event.id not in self.running, "what was refused did not run"
        if event.status == "repeat":
            assert event.id not in self.running and event.repeat in self.calls, "a repeat names the first call"

    def _plan(self, event: PlanMade | PlanStepChanged) -> None:
        if isinstance(event, PlanMade):
            assert event.version == (self.plan.version + 1 if self.plan else 1), "every change is a new version"
            assert [step.step for step in event.steps] == list(range(1, len(event.steps) + 1))
            self.plan = event
            self.statuses = {step.step: step.status for step in event.steps}
            return
        assert self.plan is not None, "a plan step changes when there is a plan"
        assert event.step in self.statuses, f"the plan has no step {event.step}"
        allowed = {
            "pending": ("running", "skipped"),
            "running": ("done", "failed", "skipped"),
            "failed": ("pending", "running"),  # tried again, or a result put in by hand
            "skipped": ("pending",),
        }
        was = self.statuses[event.step]
        assert event.status in allowed.get(was, ()), f"step {event.step}: {was} becomes {event.status}"
        self.statuses[event.step] = event.status

    def close(self) -> None:
        assert self.end is not None
        assert self.open is None, f"step {self.open} has not ended"
        missing = [f"{call.name} {id}" for id, call in self.calls.items() if id not in self.results]
        assert not missing, f"calls without a result: {missing}"
        outcome_of(self.end)
        assert self.end.steps == self.started, f"{self.started} requests, the end says {self.end.steps}"
        assert set(self.end.tools) <= {call.name for call in self.calls.values()}
        if isinstance(self.end, LoopEnd):
            assert self.asked.keys() == self.answered, "every question was answered"
            assert self.end.answer.strip() or self.end.stop_reason == "filtered", "an answer is never empty"
            if self.plan is not None and self.end.stop_reason != "plan_only":
                open_steps = [n for n, status in self.statuses.items() if status in ("pending", "running")]
                assert not open_steps, f"plan steps left open: {open_steps}"


def _told(lines: Sequence[Stamped]) -> str:
    """The stream in short, for whoever has to find the mistake."""
    return "\n".join(f"  {line.seq:3d} {str(line.event)[:160]}" for line in lines)


def check_view(lines: Sequence[Stamped]) -> None:
    """The run as it was seen while it went on is the run as it is read from its log, where text is gathered."""
    live, stored = RunView(), RunView()
    log = Gathering(2_000)
    for line in lines:
        live.take(line)
        log.take(line)
    for line in log.give():
        stored.take(line)
    assert stored.items == live.items
    # When a text was last added to is not in the log: only what comes after it has a time.
    timed = ("now", "waited", "seconds") if live.is_over else ()
    for name in ("mode", "step", "usage", "results", "activity", "answer", "place", *timed):
        assert getattr(stored, name) == getattr(live, name), name
    assert work_rows(stored) == work_rows(live)
