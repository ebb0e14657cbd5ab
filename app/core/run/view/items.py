"""The items a run consists of, in the order in which they happened.

Each item has a `key` that is unique in the run, the model step it belongs to (`step`) and its start (`t`, seconds
since the run began). Items change in place; a `ItemChange` names the one that did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..chat_model import Usage
from ..event_values import PhaseName
from ..events import (
    Answer,
    Approval,
    ApprovalAnswer,
    BudgetLevel,
    Compacted,
    LoopEnd,
    LoopError,
    LoopStart,
    ModeSelected,
    Notice,
    Question,
    Retry,
    RoundVerdict,
    Steered,
    StepEnd,
    Terminal,
    ToolCalled,
    ToolReturned,
    Understood,
)
from ..plan import Plan, PlanStep, PlanStepStatus

NoteEvent = (
    LoopStart
    | ModeSelected
    | Approval
    | ApprovalAnswer
    | Compacted
    | BudgetLevel
    | Notice
    | Question
    | Answer
    | Steered
    | Understood
)
"""Events that are shown as they are, and change nothing that was shown before."""

TextRole = Literal["thinking", "visible"]
WaitKind = Literal["approval", "question", "plan", "budget"]
_JOIN_AT = 512
"""Pieces of text that are joined into one, so that a long text is not a list of every token."""


@dataclass(slots=True)
class PhaseItem:
    key: int
    step: int
    t: float
    phase: PhaseName
    title: str


@dataclass(slots=True)
class StepItem:
    """One request to the model. `began` is that of the try which succeeded."""

    key: int
    step: int
    t: float
    limit: int
    """0: the run was recorded without the start of this step."""
    tools_offered: int
    began: float
    ended: float | None = None
    end: StepEnd | None = None
    round: int = 0
    """The reflection round it ended in."""


@dataclass(slots=True, eq=False)
class TextItem:
    key: int
    step: int
    t: float
    role: TextRole
    is_open: bool = True
    """False: what comes next begins another item."""
    is_remark: bool = False
    """It belongs to its step and not to the answer: said before a call, by a step of the plan, or in a draft that a
    reflection round replaced."""
    _chunks: list[str] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join((*self._chunks, *self._pieces))

    def add(self, text: str) -> None:
        self._pieces.append(text)
        if len(self._pieces) >= _JOIN_AT:
            self._chunks.append("".join(self._pieces))
            self._pieces.clear()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextItem) and self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def _facts(self) -> tuple[object, ...]:
        return self.key, self.step, self.t, self.role, self.is_open, self.is_remark, self.text


@dataclass(slots=True)
class WaitItem:
    """The run waits for the person's decision."""

    key: int
    step: int
    t: float
    kind: WaitKind
    id: str
    """Of the approval or question; made up for the others."""
    event: Approval | Question | BudgetLevel | None = None
    """What was asked; None for a plan to look at."""
    mended: tuple[Mapping[str, str], ...] = ()
    """What was read forgivingly of the arguments of the call that waits (`ToolCalled.corrected`)."""
    ended: float | None = None
    outcome: str = ""
    """The choice of an approval."""

    @property
    def approval(self) -> Approval | None:
        return self.event if isinstance(self.event, Approval) else None

    @property
    def question(self) -> Question | None:
        return self.event if isinstance(self.event, Question) else None

    @property
    def budget(self) -> BudgetLevel | None:
        return self.event if isinstance(self.event, BudgetLevel) else None


@dataclass(slots=True)
class CallItem:
    """A tool call, from the moment the model asks for it to its result."""

    key: int
    step: int
    t: float
    call: ToolCalled
    round: int
    plan_step: int
    """The step of the plan it works for; 0 = none."""
    began: float
    ended: float | None = None
    is_started: bool = False
    written: list[str] = field(default_factory=list)
    """What it writes while it runs, as it came."""
    result: ToolReturned | None = None
    approval: WaitItem | None = None
    sub_runs: list[SubRunItem] = field(default_factory=list)


@dataclass(slots=True)
class SubRunItem:
    """A run inside this one; what happened in it tells `RunView.inner`."""

    key: int
    step: int
    t: float
    run: str
    agent: str
    call: str
    """The tool call that started it; "" for an agent the answer was handed on to."""
    ended: float | None = None


@dataclass(slots=True)
class RoundItem:
    """A reflection round."""

    key: int
    step: int
    t: float
    number: int
    limit: int
    verdict: RoundVerdict | None = None
    usage: Usage = field(default_factory=Usage)
    """Of its own requests."""
    total: Usage = field(default_factory=Usage)
    """Of the run up to here."""
    seconds: float = 0.0


@dataclass(slots=True)
class PlanItem:
    """The current plan with the status of each step."""

    key: int
    step: int
    t: float
    plan: Plan
    versions: list[Plan] = field(default_factory=list)
    """As they were made, the newest last."""


@dataclass(slots=True)
class PlanStepItem:
    """A step of the plan that has begun, or was skipped."""

    key: int
    step: int
    t: float
    number: int
    status: PlanStepStatus
    error: str
    plan_step: PlanStep | None
    """None where the run has a status of a step it never planned."""


@dataclass(slots=True)
class RetryItem:
    """A request that failed and is repeated after a wait."""

    key: int
    step: int
    t: float
    event: Retry
    ended: float | None = None


@dataclass(slots=True)
class NoteItem:
    key: int
    step: int
    t: float
    event: NoteEvent

    @property
    def notice_code(self) -> str:
        """Empty where it is no `Notice`."""
        return self.event.code if isinstance(self.event, Notice) else ""


@dataclass(slots=True)
class EndItem:
    key: int
    step: int
    t: float
    end: Terminal
    round: int
    """The round it ended in; 0 = none."""
    results: int
    """Results that are kept."""

    @property
    def answer(self) -> str:
        """Empty unless the run was answered."""
        return self.end.answer if isinstance(self.end, LoopEnd) else ""

    @property
    def stop_reason(self) -> str:
        """Empty for a run that failed."""
        return self.end.stop_reason if isinstance(self.end, LoopEnd) else ""

    @property
    def failure(self) -> LoopError | None:
        return self.end if isinstance(self.end, LoopError) else None


Item = (
    PhaseItem
    | StepItem
    | TextItem
    | WaitItem
    | CallItem
    | SubRunItem
    | RoundItem
    | PlanItem
    | PlanStepItem
    | RetryItem
    | NoteItem
    | EndItem
)


class ItemChange(NamedTuple):
    """`added`: a new item; `grew`: `text` was appended; `changed`; `removed`."""

    what: Literal["added", "grew", "changed", "removed"]
    item: Item
    text: str = ""


@dataclass(frozen=True, slots=True)
class Activity:
    """What the run does at this moment, as a code with its figures."""

    kind: Literal[
        "starting",
        "thinking",
        "answering",
        "phase",
        "reflecting",
        "plan",
        "tool",
        "approval",
        "question",
        "budget",
        "retrying",
        "idle",
    ]
    name: str = ""
    """The phase, the tool, or whose budget."""
    number: int = 0
    limit: int = 0
    """Place and count: of rounds, or of steps of the plan."""
