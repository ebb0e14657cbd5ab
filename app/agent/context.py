"""All a mode may touch: what was asked, what it may use, and what has happened (`run_parts`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from app.core.arguments.refusal import example_hint
from app.core.profile import AgentProfile, Budget
from app.core.run.chat_model import (
    AssistantTurn,
    ChatModel,
    ModelTraits,
    ResultTurn,
    ToolSpec,
    Turn,
    Usage,
    UserTurn,
)
from app.core.run.event_values import BudgetScope, PhaseName, StopReason
from app.core.run.events import PhaseStart, RunEvent, ToolReturned
from app.core.run.model_call import ModelCall
from app.core.text.i18n import N_, say_in
from app.core.tools.tool import Tool, ToolContext, ToolFailure, example_of

from .budget import END_AT, Tally, Used
from .inbox import RunClock
from .policy.permission import Permissions
from .policy.result_reader import READ_RESULT, reader_tool
from .run_parts import Conclusion, RunRequest, RunServices, RunState

BODIES_KEPT = 30
"""Requests whose bodies are kept in memory; all are on the disk."""
SHOWS_EXAMPLE_AT = 3
"""Failures of one tool's arguments after which its example is in every request."""
UNKNOWN_OUTCOME = N_("it was cut off while it ran; whether it took effect is not known")


@dataclass(slots=True)
class RunContext:
    """One run. A mode reads and appends; only `Run` turns it into terminal events."""

    request: RunRequest
    services: RunServices
    state: RunState

    @property
    def traits(self) -> ModelTraits:
        return self.services.model.traits

    @property
    def day(self) -> date:
        return self.request.today or datetime.now().astimezone().date()

    def book(self, usage: Usage) -> None:
        """One request to the model of this run."""
        self.state.tally.add(usage, self.services.spending.add(self.services.model.ref, usage))

    def has_used(self, share: float) -> bool:
        """Whether so much of some budget is used, of what was allotted to this run too."""
        return self.services.spending.reaches(share) or self._allotted(share)

    @property
    def overdrawn(self) -> BudgetScope | None:
        """Whose budget is so far used up that the run ends."""
        return self.services.spending.overdrawn or ("run" if self._allotted(END_AT) else None)

    def _allotted(self, share: float) -> bool:
        """Nobody is asked for more of it: who hands the work on is a model."""
        allotment, tally = self.request.allotment, self.state.tally
        if allotment is None:
            return False
        used = Used(float(tally.usage.total), self.services.clock.working(), float(tally.tool_calls), tally.money)
        return any(used.of(kind) >= limit * share for kind, limit in allotment.model_dump(exclude_none=True).items())

    def book_call(self) -> None:
        """One tool that runs."""
        self.services.spending.tool_calls += 1
        self.state.tally.add_call()

    def conclude(self, answer: str, stop_reason: StopReason, *, needs_clarification: bool = False) -> None:
        self.state.conclusion = Conclusion(answer, stop_reason, needs_clarification)

    def child(
        self,
        *,
        profile: AgentProfile,
        model: ChatModel,
        tools: Mapping[str, Tool],
        query: str,
        turns: list[Turn],
        permissions: Permissions,
        allotment: Budget | None = None,
    ) -> RunContext:
        """The context of a run inside this one: it spends from the same budget and asks the same person."""
        return RunContext(
            RunRequest(
                run_id=next(self.services.ids),
                session_id=self.request.session_id,
                profile=profile,
                query=query,
                language=self.request.language,
                interactive=self.request.interactive,
                approve=self.request.approve,
                is_inner=True,
                allotment=allotment,
                today=self.request.today,
                fresh=self.request.fresh,
            ),
            RunServices(
                model=model,
                tools=tools,
                permissions=permissions,
                spending=self.services.spending,
                inbox=self.services.inbox,
                clock=RunClock(outer=self.services.clock),
                rng=self.services.rng,
                tool_seams=self.services.tool_seams,
                ids=self.services.ids,
                kept=self.services.kept,
                privacy=replace(self.services.privacy, guards=()),
            ),
            RunState(
                turns=turns,
                tally=Tally(outer=self.state.tally),
                taint=self.state.taint,
                unsure=self.state.unsure,
                hosts=self.state.hosts,
            ),
        )

    def enter(self, phase: PhaseName, title: str = "", *, again: bool = False) -> Iterator[RunEvent]:
        """The event of a new phase; none if the run is in it already."""
        if again or self.state.phase != phase:
            self.state.phase = phase
            yield PhaseStart(phase, title)

    def offered_tools(self) -> tuple[ToolSpec, ...]:
        """What the model may call; the reader of cut results joins when one was cut."""
        tools = list(self.services.tools.values())
        if any(result.truncated for result in self.state.returned):
            tools.append(self._reader())
        return tuple(ToolSpec(tool.name, self._described(tool), tool.parameters) for tool in tools)

    def _described(self, tool: Tool) -> str:
        """With a right example, once the model has failed to call it several times."""
        if self.state.argument_failures[tool.name] < SHOWS_EXAMPLE_AT:
            return tool.description
        return f"{tool.description}\n{example_hint(example_of(tool, self.day), self.request.language)}"

    def tool(self, name: str) -> Tool | None:
        if name == READ_RESULT and READ_RESULT not in self.services.tools:
            return self._reader()
        return self.services.tools.get(name)

    def _reader(self) -> Tool:
        return reader_tool(self.state.results, {result.id for result in self.state.returned if result.untrusted})

    def note_model_call(self, call: ModelCall) -> None:
        call = replace(call, number=len(self.state.model_calls) + 1)
        self.state.model_calls.append(call)
        if (old := len(self.state.model_calls) - BODIES_KEPT) > 0:
            self.state.model_calls[old - 1] = replace(self.state.model_calls[old - 1], body="", response="", cut=True)
        if self.services.journal is not None:
            self.services.journal.note_model_call(call)

    def add(self, *turns: AssistantTurn | ResultTurn | UserTurn) -> None:
        self.state.turns.extend(turns)

    def tool_context(self) -> ToolContext:
        return ToolContext(
            language=self.request.language,
            agent=self.request.profile.id,
            session=self.request.session_id,
            run=self.request.run_id,
            today=self.day,
            random=self.services.rng,
            knowledge=self.request.profile.knowledge,
            knowledge_limit=self.request.profile.knowledge_limit,
            **self.services.tool_seams,
        )

    def closing_events(self) -> Iterator[RunEvent]:
        """What must still be said when a run ends in the middle: interrupted tools, the open step."""
        for call in self.state.open_calls.values():
            outcome = self.state.left.get(call.id)
            lost = call.id in self.state.acting and outcome is None
            why = UNKNOWN_OUTCOME if lost else N_("interrupted before it finished")
            failure = ToolFailure("CANCELLED", say_in(self.request.language, why))
            yield ToolReturned(
                step=self.state.step,
                id=call.id,
                name=call.name,
                ok=False,
                status="unknown" if lost else "interrupted",
                summary=outcome.summary if outcome is not None else "",
                text=failure.message,
                chars=0,
                kept_chars=0,
                truncated=False,
                ms=0,
                display=outcome.display.to_json() if outcome is not None and outcome.display is not None else None,
                error=failure.to_json(),
            )
        self.state.open_calls.clear()
        if self.state.open_step is not None:
            took = round((self.services.clock.elapsed() - self.state.asked_at) * 1000)
            is_cut = self.state.open_step.finish_reason == "interrupted" and self.state.open_step.ttft_ms is not None
            yield replace(self.state.open_step, ms=took) if is_cut else self.state.open_step
            self.state.open_step = None
