"""The three parts of a run's context: the request (frozen), the services it may use, and its state."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from app.core.domain import HandIn
from app.core.ids import new_ids
from app.core.profile import AgentProfile, Budget
from app.core.run.chat_model import CallTurn, ChatModel, Turn
from app.core.run.event_values import PhaseName, StopReason
from app.core.run.events import Notice, RunEvent, StepEnd, ToolReturned
from app.core.run.mode_words import ModeWords
from app.core.run.model_call import ModelCall
from app.core.run.past_plan import Lessons
from app.core.run.plan import Plan
from app.core.run.understood import UnderstoodSlot
from app.core.slots import SlotArgument
from app.core.tools.tool import Tool, ToolResult

from .budget import Spending, Tally
from .inbox import Inbox, RunClock
from .policy.hooks import Hooks
from .policy.journal import CallJournal
from .policy.permission import Permissions
from .policy.privacy import Privacy
from .policy.result_cache import ResultCache
from .policy.taint import Taint

ApproveRule = Literal["ask", "all", "none"]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The question, the agent and the options. A pipeline that continues with another agent makes a new one."""

    run_id: str
    session_id: str
    profile: AgentProfile
    query: str
    language: str = "en"
    interactive: bool = False
    """Somebody can answer questions and approvals; otherwise `approve` decides."""
    approve: ApproveRule = "ask"
    approves_secrets: bool = True
    """Whether `approve` "all" also answers for `.env`, keys and `.git`."""
    is_inner: bool = False
    """Inside another run: what the person says meanwhile is meant for that one."""
    allotment: Budget | None = None
    """Of a run inside another: the part of what is left that it may use itself."""
    plan_only: bool = False
    direct_fallback: bool = True
    mode_words: ModeWords = field(default_factory=ModeWords)
    approval_wait: float = 30 * 60.0
    """Seconds an approval waits for the person; no answer by then is a no."""
    today: date | None = None
    fresh: bool = False
    """Whatever is kept, it is fetched again: the person asked for the run again."""
    notices: Sequence[Notice] = ()
    """What the person should know from the beginning; `Run` says it first."""
    slot_arguments: tuple[SlotArgument, ...] = ()
    """Of the agent's domain: what arguments of calls say of the question."""
    lessons: Lessons = field(default_factory=Lessons)
    """What earlier runs of this agent teach."""


@dataclass(slots=True)
class RunServices:
    """What a run may use: the model, the tools, who decides, and where it waits for the person."""

    model: ChatModel
    tools: Mapping[str, Tool]
    permissions: Permissions
    hooks: Hooks = field(default_factory=Hooks)
    spending: Spending = field(default_factory=Spending)
    inbox: Inbox = field(default_factory=Inbox)
    clock: RunClock = field(default_factory=RunClock)
    rng: random.Random = field(default_factory=random.Random)
    tool_seams: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of ToolContext: documents, http, workspace, resources."""
    get_next: Callable[[str], Awaitable[Any]] | None = None
    """Finds the agent a pipeline continues with (`modes.pipeline.NextAgent`)."""
    ids: Iterator[str] = field(default_factory=new_ids)
    """Of what the run makes: calls, questions, inner runs."""
    kept: ResultCache | None = None
    """What tools with a `ttl` returned in earlier runs; None: nothing is kept (a temporary session, a tool by hand)."""
    privacy: Privacy = field(default_factory=Privacy)
    """Of the agent's domain, and of those whose agents spoke before in the session or have started this run."""
    last_request: str = ""
    """What the domain adds to the request in which no tool can be called any more."""
    most_calls: Mapping[str, int] = field(default_factory=dict)
    """How often the run may call a tool, by name."""
    hand_in: Callable[[str], HandIn | None] | None = None
    """Reads whether the answer is meant for a tool (`modes/hand_in.py`)."""
    journal: CallJournal | None = None
    """None: nothing is written down (a tool called by hand, a test)."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """How the mode ended: the run makes its terminal event of it."""

    answer: str
    stop_reason: StopReason
    needs_clarification: bool = False


@dataclass
class CompactionState:
    """What compaction remembers within one run."""

    limit: int | None = None
    """Raised above the profile's when nothing more could be saved."""
    summarised_at: int = -1_000


@dataclass
class Resumed:
    """What a run takes over from an earlier one (`agent.resume`)."""

    events: tuple[RunEvent, ...] = ()
    """They are at the beginning of this run's log."""
    rounds: int = 0
    nudge: str = ""
    """Said with each request until there is an answer."""
    partial: str = ""
    """An answer that was cut off: the next text continues where it stops."""
    plan: Plan | None = None
    is_reviewed: bool = True
    """That plan has begun to run before; else it still waits for the person, where the profile wants that."""
    plan_results: dict[int, Any] = field(default_factory=dict)


@dataclass(slots=True)
class RunState:
    """What has happened so far."""

    turns: list[Turn]
    """The conversation: the system turn, the history, the question, then what this run adds."""
    tally: Tally = field(default_factory=Tally)
    resumed: Resumed = field(default_factory=Resumed)
    step: int = 0
    """The number of the last model request."""
    phase: PhaseName | None = None
    thinking: list[str] = field(default_factory=list)
    tools_used: list[str] = field(default_factory=list)
    results: dict[str, ToolResult] = field(default_factory=dict)
    """Whole results by call id; bounded by the caps on each."""
    returned: list[ToolReturned] = field(default_factory=list)
    cache: dict[tuple[str, str], str] = field(default_factory=dict)
    """Name and canonical arguments of a read-only call → the id of the call that ran."""
    recent: list[tuple[str, str]] = field(default_factory=list)
    """The calls of this run in order, for the repeat guard."""
    refused: dict[str, str] = field(default_factory=dict)
    """Calls the person has refused in this run, by hash, with their reasons: nobody is asked twice."""
    allowed: set[str] = field(default_factory=set)
    """Calls the person has allowed once in this run, by hash: the same again says so on its card."""
    hosts: set[str] = field(default_factory=set)
    """Whose computers the person has allowed a call to ask, in this run and those inside it."""
    clicked: set[str] = field(default_factory=set)
    """Calls the person asked for by a button of a card, by hash; each answers for one execution."""
    plan: Plan | None = None
    """The one that is worked off, with what has become of its steps."""
    failures_in_a_row: int = 0
    counted: Counter[str] = field(default_factory=Counter)
    """Calls of tools that have a limit in one run."""
    argument_failures: Counter[str] = field(default_factory=Counter)
    """By tool: calls whose arguments could not be used."""
    trace: list[dict[str, Any]] = field(default_factory=list)
    open_calls: dict[str, CallTurn] = field(default_factory=dict)
    left: dict[str, ToolResult] = field(default_factory=dict)
    """What stands of calls that were stopped, by their ids."""
    open_step: StepEnd | None = None
    asked_at: float = 0.0
    """When the model was asked for the open step, by the clock of the run."""
    shown: list[str] = field(default_factory=list)
    """The visible text of the step that is going on."""
    conclusion: Conclusion | None = None
    structured: Any = None
    structured_error: str | None = None
    understood: tuple[UnderstoodSlot, ...] | None = None
    """As the last `Understood` of this run said."""
    reader_state: Mapping[str, Any] | None = None
    """What the model that reads slots itself keeps of the question, as that event said."""
    slots_before: tuple[UnderstoodSlot, ...] = ()
    """What earlier questions of the session said."""
    model_reads_slots: bool = False
    """The model says itself what it understood: rules do."""
    fresh_arguments: list[Mapping[str, Any]] = field(default_factory=list)
    """Of calls that succeeded and were not yet looked at for slots."""
    clarification: str = ""
    """A question nobody was there to answer: the run ends with it."""
    taint: Taint = field(default_factory=Taint)
    """Where untrusted content came from; once it is there, writing asks (security-reliability.md T20)."""
    model_calls: list[ModelCall] = field(default_factory=list)
    """What went to the model, oldest first; only the newest keep their bodies."""
    acting: set[str] = field(default_factory=set)
    """Calls that may be changing something this moment: cut off now, their outcome is unknown."""
    unsure: set[tuple[str, str]] = field(default_factory=set)
    """Calls of this session whose outcome is unknown: the same call again is the person's decision."""
    compaction: CompactionState = field(default_factory=CompactionState)
