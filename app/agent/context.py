"""All a mode may touch: the model, the tools, the conversation so far, and where the person answers."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Literal

from app.core.arguments.refusal import example_hint
from app.core.ids import new_id
from app.core.profile import AgentProfile
from app.core.run.chat_model import (
    AssistantTurn,
    CallTurn,
    ChatModel,
    ModelTraits,
    ResultTurn,
    ToolSpec,
    Turn,
    Usage,
    UserTurn,
)
from app.core.run.events import Notice, PhaseName, PhaseStart, RunEvent, StepEnd, StopReason, ToolReturned
from app.core.run.mode_words import ModeWords
from app.core.run.model_call import ModelCall
from app.core.run.past_plan import Lessons
from app.core.run.plan import Plan
from app.core.text.i18n import N_, say_in
from app.core.tools.tool import Tool, ToolContext, ToolFailure, ToolResult, example_of

from .budget import Spending, Tally
from .plan_control import PlanControl
from .policy.hooks import Hooks
from .policy.journal import Journal
from .policy.permission import Permissions
from .policy.result_cache import KeptResults
from .policy.result_reader import READ_RESULT, reader_tool
from .policy.taint import Taint

ApproveRule = Literal["ask", "all", "none"]
BODIES_KEPT = 30
"""Requests whose bodies are kept in memory; all are on the disk."""
SHOWS_EXAMPLE_AT = 3
"""Failures of one tool's arguments after which its example stands in every request."""
UNKNOWN_OUTCOME = N_("it was cut off while it ran; whether it took effect is not known")


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


class Inbox:
    """Where a run waits for the person, and what they have asked for meanwhile."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self.answer_now = False
        self.extra_rounds = 0
        self.said: list[str] = []
        """What the person said meanwhile, for the next request."""
        self.plan = PlanControl()
        self.hurry = asyncio.Event()
        """The person does not want to wait for the next attempt."""

    async def wait(self, id: str) -> Any:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[id] = future
        try:
            return await future
        finally:
            self._waiting.pop(id, None)

    def reply(self, id: str, value: Any) -> bool:
        """False if nobody waits for it (any more)."""
        future = self._waiting.get(id)
        if future is None or future.done():
            return False
        future.set_result(value)
        return True


class RunClock:
    """Seconds since the run began, without those in which it waited for the person.

    It may wait for several answers at once, and stands still until it has them all. A run inside another one
    stops the clock of that one too (`outer`).
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, *, outer: RunClock | None = None) -> None:
        self._now, self._outer = now, outer
        self._stops = 0
        self._began = now()
        self._waited = 0.0
        self._stopped_at: float | None = None

    def elapsed(self) -> float:
        """Since the beginning, waiting included: the `t` of events."""
        return self._now() - self._began

    def working(self) -> float:
        waiting = self._now() - self._stopped_at if self._stopped_at is not None else 0.0
        return self.elapsed() - self._waited - waiting

    def whole(self) -> float:
        """The working time of the outermost run."""
        return self._outer.whole() if self._outer is not None else self.working()

    def stop(self) -> None:
        self._stops += 1
        if self._stopped_at is None:
            self._stopped_at = self._now()
        if self._outer is not None:
            self._outer.stop()

    def go_on(self) -> None:
        self._stops = max(self._stops - 1, 0)
        if self._outer is not None:
            self._outer.go_on()
        if self._stops == 0 and self._stopped_at is not None:
            self._waited += self._now() - self._stopped_at
            self._stopped_at = None


@dataclass
class Resumed:
    """What a run takes over from an earlier one (`agent.resume`)."""

    events: tuple[RunEvent, ...] = ()
    """They stand at the beginning of this run's log."""
    rounds: int = 0
    nudge: str = ""
    """Said with each request until there is an answer."""
    partial: str = ""
    """An answer that broke off: the next text goes on where it stops."""
    plan: Plan | None = None
    is_reviewed: bool = True
    """That plan has begun to run before; else it still waits for the person, where the profile wants that."""
    plan_results: dict[int, Any] = field(default_factory=dict)


@dataclass
class RunContext:
    """One run's state. A mode reads and appends; only `Run` turns it into terminal events."""

    run_id: str
    session_id: str
    profile: AgentProfile
    model: ChatModel
    tools: Mapping[str, Tool]
    query: str
    turns: list[Turn]
    """The conversation: the system turn, the history, the question, then what this run adds."""
    permissions: Permissions
    hooks: Hooks = field(default_factory=Hooks)
    spending: Spending = field(default_factory=Spending)
    tally: Tally = field(default_factory=Tally)
    inbox: Inbox = field(default_factory=Inbox)
    clock: RunClock = field(default_factory=RunClock)
    language: str = "en"
    interactive: bool = False
    """Somebody can answer questions and approvals; otherwise `approve` decides."""
    approve: ApproveRule = "ask"
    is_inner: bool = False
    """Inside another run: what the person says meanwhile is meant for that one."""
    plan_only: bool = False
    direct_fallback: bool = True
    mode_words: ModeWords = field(default_factory=ModeWords)
    approval_wait: float = 30 * 60.0
    """Seconds an approval waits for the person; no answer by then is a no."""
    today: date | None = None
    rng: random.Random = field(default_factory=random.Random)
    tool_seams: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of ToolContext: documents, http, workspace, resources."""
    get_next: Callable[[str], Awaitable[Any]] | None = None
    """Finds the agent a pipeline goes on with (`modes.pipeline.NextAgent`)."""
    sleep: Callable[[float], Any] = asyncio.sleep
    new_id: Callable[[], str] = new_id

    notices: Sequence[Notice] = ()
    """What the person should know from the beginning; `Run` says it first."""
    lessons: Lessons = field(default_factory=Lessons)
    """What earlier runs of this agent teach."""
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
    kept: KeptResults | None = None
    """What tools with a `ttl` returned in earlier runs; None: nothing is kept (a temporary session, a tool by hand)."""
    fresh: bool = False
    """Whatever is kept, it is fetched anew: the person asked for the run again."""
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
    failures_in_a_row: int = 0
    argument_failures: Counter[str] = field(default_factory=Counter)
    """By tool: calls whose arguments could not be used."""
    trace: list[dict[str, Any]] = field(default_factory=list)
    open_calls: dict[str, CallTurn] = field(default_factory=dict)
    open_step: StepEnd | None = None
    asked_at: float = 0.0
    """When the model was asked for the open step, by the clock of the run."""
    shown: list[str] = field(default_factory=list)
    """The visible text of the step that is going on."""
    conclusion: Conclusion | None = None
    structured: Any = None
    structured_error: str | None = None
    clarification: str = ""
    """A question nobody was there to answer: the run ends with it."""
    taint: Taint = field(default_factory=Taint)
    """Where untrusted content came from; once it is there, writing asks (security-reliability.md T20)."""
    journal: Journal | None = None
    """None: nothing is written down (a tool called by hand, a test)."""
    model_calls: list[ModelCall] = field(default_factory=list)
    """What went to the model, oldest first; only the newest keep their bodies."""
    acting: set[str] = field(default_factory=set)
    """Calls that may be changing something this moment: cut off now, their outcome is unknown."""
    unsure: set[tuple[str, str]] = field(default_factory=set)
    """Calls of this session whose outcome is unknown: the same call again is the person's decision."""
    compaction: CompactionState = field(default_factory=CompactionState)

    @property
    def traits(self) -> ModelTraits:
        return self.model.traits

    @property
    def day(self) -> date:
        return self.today or datetime.now().astimezone().date()

    def book(self, usage: Usage) -> None:
        """One request to the model of this run."""
        self.tally.add(usage, self.spending.add(self.model.ref, usage))

    def book_call(self) -> None:
        """One tool that runs."""
        self.spending.tool_calls += 1
        self.tally.add_call()

    def conclude(self, answer: str, stop_reason: StopReason, *, needs_clarification: bool = False) -> None:
        self.conclusion = Conclusion(answer, stop_reason, needs_clarification)

    def child(
        self,
        *,
        profile: AgentProfile,
        model: ChatModel,
        tools: Mapping[str, Tool],
        query: str,
        turns: list[Turn],
        permissions: Permissions,
    ) -> RunContext:
        """The context of a run inside this one: it spends from the same budget and asks the same person."""
        return RunContext(
            run_id=self.new_id(),
            session_id=self.session_id,
            profile=profile,
            model=model,
            tools=tools,
            query=query,
            turns=turns,
            permissions=permissions,
            spending=self.spending,
            tally=Tally(outer=self.tally),
            inbox=self.inbox,
            is_inner=True,
            clock=RunClock(outer=self.clock),
            language=self.language,
            interactive=self.interactive,
            approve=self.approve,
            taint=self.taint,
            unsure=self.unsure,
            hosts=self.hosts,
            kept=self.kept,
            fresh=self.fresh,
            today=self.today,
            rng=self.rng,
            tool_seams=self.tool_seams,
            sleep=self.sleep,
            new_id=self.new_id,
        )

    def enter(self, phase: PhaseName, title: str = "", *, again: bool = False) -> Iterator[RunEvent]:
        """The event of a new phase; none if the run is in it already."""
        if again or self.phase != phase:
            self.phase = phase
            yield PhaseStart(phase, title)

    def offered_tools(self) -> tuple[ToolSpec, ...]:
        """What the model may call; the reader of cut results joins when one was cut."""
        tools = list(self.tools.values())
        if any(result.truncated for result in self.returned):
            tools.append(self._reader())
        return tuple(ToolSpec(tool.name, self._described(tool), tool.parameters) for tool in tools)

    def _described(self, tool: Tool) -> str:
        """With a right example, once the model has failed to call it several times."""
        if self.argument_failures[tool.name] < SHOWS_EXAMPLE_AT:
            return tool.description
        return f"{tool.description}\n{example_hint(example_of(tool, self.day), self.language)}"

    def tool(self, name: str) -> Tool | None:
        if name == READ_RESULT and READ_RESULT not in self.tools:
            return self._reader()
        return self.tools.get(name)

    def _reader(self) -> Tool:
        return reader_tool(self.results, {result.id for result in self.returned if result.untrusted})

    def note_model_call(self, call: ModelCall) -> None:
        call = replace(call, number=len(self.model_calls) + 1)
        self.model_calls.append(call)
        if (old := len(self.model_calls) - BODIES_KEPT) > 0:
            self.model_calls[old - 1] = replace(self.model_calls[old - 1], body="", response="", cut=True)
        if self.journal is not None:
            self.journal.note_model_call(call)

    def add(self, turn: AssistantTurn | ResultTurn | UserTurn) -> None:
        self.turns.append(turn)

    def add_all(self, turns: Sequence[ResultTurn]) -> None:
        self.turns.extend(turns)

    def tool_context(self) -> ToolContext:
        return ToolContext(
            language=self.language,
            agent=self.profile.id,
            session=self.session_id,
            run=self.run_id,
            today=self.day,
            random=self.rng,
            **self.tool_seams,
        )

    def closing_events(self) -> Iterator[RunEvent]:
        """What must still be said when a run ends in the middle: interrupted tools, the open step."""
        for call in self.open_calls.values():
            lost = call.id in self.acting
            why = UNKNOWN_OUTCOME if lost else N_("interrupted before it finished")
            failure = ToolFailure("CANCELLED", say_in(self.language, why))
            yield ToolReturned(
                step=self.step,
                id=call.id,
                name=call.name,
                ok=False,
                status="unknown" if lost else "interrupted",
                summary="",
                text=failure.message,
                chars=0,
                kept_chars=0,
                truncated=False,
                ms=0,
                error=failure.to_json(),
            )
        self.open_calls.clear()
        if self.open_step is not None:
            took = round((self.clock.elapsed() - self.asked_at) * 1000)
            is_cut = self.open_step.finish_reason == "interrupted" and self.open_step.ttft_ms is not None
            yield replace(self.open_step, ms=took) if is_cut else self.open_step
            self.open_step = None
