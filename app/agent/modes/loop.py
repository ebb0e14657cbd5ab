"""The loop of every mode that uses tools: request, execute, request again, until there is an answer.

It continues while the message holds executable calls and ends when it holds none; the finish reason only says whether
the message is complete. The last allowed request has no tools, so there is always an answer.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from app.core.errors import ModelError
from app.core.run.chat_model import AssistantTurn, ResultTurn, ToolSpec
from app.core.run.event_values import BudgetScope, StopReason
from app.core.run.events import Notice, PlanMade, RoundVerdict, RunEvent, Thinking, Token
from app.core.run.plan import Plan, plan_from_json

from ..context import RunContext
from ..finish import fallback_text
from ..reflection import Rounds, without_score
from ..request import prompts
from ..step import ModelStep, Purpose, end_step, without_calls
from ..tools.executor import Batch
from ..understood import understood_of_calls

MOST_FAILURES = 10
"""Calls that may fail one after the other; then the answer is due, from what there is."""
MOST_HAND_INS = 3
ANSWER_RESERVE = 0.15
"""Share of a budget that is kept for the answer, where a tool says how long to continue looking."""
BUDGET = "budget"
"""The id under which a used-up budget waits for the person."""


class EmptyAnswer(ModelError):
    """The model returned nothing, twice, and there are no results to fall back on."""

    code = "EMPTY_ANSWER"


class BudgetUsedUp(Exception):
    """A hard limit was passed; the run ends without an answer."""

    def __init__(self, scope: BudgetScope) -> None:
        super().__init__(scope)
        self.scope: BudgetScope = scope


class Loop:
    """Afterwards `answer` and `stop_reason` say how it ended."""

    def __init__(
        self,
        ctx: RunContext,
        *,
        limit: int,
        nudge: str = "",
        purpose: Purpose = "step",
        closing: bool = False,
        rounds: int = 0,
        opening: str = "",
        takes_plan: bool = False,
    ) -> None:
        """`closing`: there is one request left and it is the answer, tools off. `rounds`: batches of an earlier run.

        `opening` is said with the first request only. `takes_plan`: a plan that a tool hands in is shown, and where
        somebody is there to accept it, it ends the loop.
        """
        self._ctx, self._limit, self._nudge, self._purpose = ctx, limit, nudge, purpose
        self._closing, self._opening = closing, opening
        self._rounds = Rounds(ctx, rounds)
        self._first = ctx.state.step
        self._repeats = 0
        self._handed_in = 0
        self._cut_once = False
        self._resolved = False
        self._takes_plan = takes_plan
        self.plan: Plan | None = None
        """Handed in by a tool, to be worked off."""
        self.answer = ""
        self.stop_reason: StopReason = "answered"
        self.ended = False

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        while not self.ended:
            async for event in keep_budget(self._ctx):
                yield event
            forced = self._forced()
            async for event in self._once(forced):
                yield event

    def _forced(self) -> StopReason | None:
        """Why the next request is the last one, in the order of core.md A; None: it is not."""
        ctx = self._ctx
        if self._closing:
            return "answered"
        if ctx.services.inbox.answer_now:
            return "user"
        reserve = ANSWER_RESERVE if self._rounds.are_measured else 0.0
        if ctx.has_used(1.0 - reserve):
            return "budget"
        if self._rounds.are_over and self._rounds.round:
            return "max_rounds"
        if ctx.state.step - self._first + 1 >= self._limit:
            return "max_steps"
        if self._repeats >= (1 if self._rounds.enabled else 2):
            return "all_duplicates"
        if ctx.state.failures_in_a_row >= MOST_FAILURES:
            return "failures"
        if self._rounds.are_saturated:
            return "saturated"
        return "enough" if self._resolved else self._rounds.decided

    async def _once(self, forced: StopReason | None) -> AsyncGenerator[RunEvent, None]:
        ctx = self._ctx
        tools = self._concluding(forced) if forced else ctx.offered_tools()
        for event in self._rounds.begin():
            yield event
        if forced and ctx.state.returned:
            for event in ctx.enter("answering"):
                yield event
        scored = self._rounds.is_scored and not forced
        step = ModelStep(
            ctx,
            tools=tools,
            nudge=self._nudges(forced, tools),
            limit=self._first + self._limit,
            purpose=self._purpose,
            held=scored,
            schema=ctx.request.profile.output_schema if forced else None,
        )
        async for event in speaking(ctx, step):
            yield event
        verdict = self._rounds.scored_verdict(step.message) if scored else None
        if scored:
            async for event in self._tell_held(step, verdict):
                yield event
        cut = step.finished is not None and step.finished.finish in ("length", "content_filter")
        if verdict is None and not (cut and step.message.calls):
            for event in self._rounds.verdict(step.message, tools_were_offered=bool(tools)):
                yield event
        if verdict is not None and not step.message.text and not step.message.calls:
            self._resolved = verdict.verdict == "enough"
            self._rounds.round += 1
            for event in end_step(ctx):
                yield event
        elif (
            step.message.calls
            and tools
            and (not forced or all(self._concludes(one.name) for one in step.message.calls))
        ):
            async for event in self._act(step):
                yield event
        else:
            async for event in self._conclude(step, forced):
                yield event

    def _concluding(self, forced: StopReason) -> tuple[ToolSpec, ...]:
        """What may still be handed in when it is enough: once, and again where that was refused."""
        if forced != "enough" or self._handed_in >= MOST_HAND_INS:
            return ()
        specs = tuple(spec for spec in self._ctx.offered_tools() if self._concludes(spec.name))
        self._handed_in += bool(specs)
        return specs

    def _concludes(self, name: str) -> bool:
        tool = self._ctx.tool(name)
        return tool is not None and tool.concludes

    async def _tell_held(self, step: ModelStep, verdict: RoundVerdict | None) -> AsyncGenerator[RunEvent, None]:
        """The verdict, then what of the reply is left for the person; code decides whether calls still run."""
        ctx, finished = self._ctx, step.finished
        assert finished is not None, "the step has ended"
        message = finished.turn
        if verdict is not None:
            yield verdict
            calls = () if verdict.verdict == "enough" else message.calls
            message = replace(message, text=without_score(message.text), calls=calls)
            if verdict.verdict == "more" and not calls and message.text:
                yield Thinking(ctx.state.step, message.text)  # an answer the verdict does not stand by
                message = replace(message, text="")
            step.finished = replace(finished, turn=message)
        if message.text:
            for phase in ctx.enter("answering"):
                yield phase
            yield Token(ctx.state.step, message.text)

    def _nudges(self, forced: StopReason | None, tools: Sequence[ToolSpec]) -> str:
        about_rounds = self._rounds.nudge()
        nudges = [about_rounds, self._nudge, self._opening if forced is None else ""]
        self._opening = ""
        if forced and not (forced == "max_rounds" and about_rounds):
            names = ", ".join(tool.name for tool in tools)
            nudges += [prompts.hand_in_now(names) if names else prompts.ANSWER_NOW, self._ctx.services.last_request]
        return "\n\n".join(nudge for nudge in nudges if nudge)

    # ------------------------------------------------------------ calls

    async def _act(self, step: ModelStep) -> AsyncGenerator[RunEvent, None]:
        ctx, message, finished = self._ctx, step.message, step.finished
        assert finished is not None, "the step has ended"
        ctx.add(message)
        if finished.finish in ("length", "content_filter"):
            ctx.add(*[ResultTurn(c.id, c.name, prompts.CALL_WAS_CUT, is_error=True) for c in message.calls])
            for event in end_step(ctx):
                yield event
            names = ", ".join(call.name for call in message.calls)
            yield Notice("call_cut", f"the call of {names} was cut off and did not run", {"names": names})
            if finished.finish == "content_filter":
                self._end(message.text, "filtered")
            elif self._cut_once and message.text.strip():
                self._end(message.text, "cut")
            elif self._cut_once:
                async for event in self._say_something(None):
                    yield event
            self._cut_once = True
            return
        for event in ctx.enter("executing"):
            yield event
        batch = Batch(ctx, message.calls, hooks=ctx.services.hooks, dialect=finished.dialect)
        async for event in batch.events():
            yield event
        for understood in understood_of_calls(ctx):
            yield understood
        if ctx.state.clarification:
            yield Token(ctx.state.step, ctx.state.clarification)
            self._end(ctx.state.clarification, "clarification")
        self._repeats = self._repeats + 1 if batch.all_repeats else 0
        for call in message.calls:
            for event in self._rounds.measured(ctx.tool(call.name), batch.result_of(call.id)):
                yield event
        texts = [batch.result_of(call.id).for_model() for call in message.calls]
        self._rounds.after_batch([ctx.tool(call.name) for call in message.calls], texts)
        for event in end_step(ctx):
            yield event
        results = (batch.result_of(call.id) for call in message.calls)
        plans = [result.plan for result in results if result.plan is not None]
        if plans and self._takes_plan:
            plan = plan_from_json(plans[-1])
            yield PlanMade(plan.goal, plan.steps, plan.version)
            if ctx.request.interactive:
                self.plan = plan
                self._end("", "answered")

    # ------------------------------------------------------------ the answer

    async def _conclude(self, step: ModelStep, forced: StopReason | None) -> AsyncGenerator[RunEvent, None]:
        ctx, finished = self._ctx, step.finished
        assert finished is not None, "the step has ended"
        message = without_calls(step.message)
        for event in end_step(ctx):
            yield event
        if message.text.strip():
            if line := self._rounds.limitation(message.text, forced):
                yield Token(ctx.state.step, line)
                message = replace(message, text=message.text + line)
            ctx.add(message)
            if not (ctx.services.inbox.said and forced is None):  # else the person has said something to it meanwhile
                self._end(message.text, _reason(finished.finish, forced, self._rounds))
        elif finished.finish == "content_filter":
            self._end("", "filtered")
        else:
            async for event in self._say_something(forced):
                yield event

    async def _say_something(self, forced: StopReason | None) -> AsyncGenerator[RunEvent, None]:
        """One stronger request, then what the tools have found, then an honest error."""
        ctx = self._ctx
        nudge = prompts.ANSWER_NOW_PLAINLY if forced or ctx.state.returned else prompts.SAY_SOMETHING
        step = ModelStep(ctx, nudge=nudge, limit=self._first + self._limit, purpose=self._purpose)
        async for event in speaking(ctx, step):
            yield event
        for event in end_step(ctx):
            yield event
        message = without_calls(step.message)
        if message.text.strip():
            ctx.add(message)
            assert step.finished is not None, "the step has ended"
            self._end(message.text, _reason(step.finished.finish, forced, self._rounds))
        elif any(result.ok for result in ctx.state.returned):
            yield Notice("empty_answer", "the model gave no answer; the results are listed")
            text = fallback_text(ctx, self._rounds.round, self._rounds.limit if self._rounds.enabled else 0)
            yield Token(ctx.state.step, text)
            ctx.add(AssistantTurn(text))
            self._end(text, "fallback")
        else:
            raise EmptyAnswer("the model returned nothing")

    def _end(self, answer: str, reason: StopReason) -> None:
        self.answer, self.stop_reason, self.ended = answer, reason, True


async def speaking(ctx: RunContext, step: ModelStep) -> AsyncGenerator[RunEvent, None]:
    """The step's events, with the answering phase before its first visible text."""
    async for event in step.events():
        if isinstance(event, Token):
            for phase in ctx.enter("answering"):
                yield phase
        yield event


async def keep_budget(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    """The budget levels newly reached; raises BudgetUsedUp past the hard limit.

    Where somebody is there a used-up budget waits for them: raise it, answer now, or stop.
    """
    ctx.services.spending.seconds = ctx.services.clock.whole()
    for level in ctx.services.spending.new_levels():
        asks = level.level == "pause" and ctx.request.interactive
        if asks and ctx.services.inbox.answer_now:
            continue  # of another budget it was said already
        yield level
        if not asks:
            continue
        ctx.services.clock.stop()
        try:
            raised = await ctx.services.inbox.wait(BUDGET)
        finally:
            ctx.services.clock.resume()
        if raised is None:
            ctx.services.inbox.answer_now = True
        else:
            ctx.services.spending.raise_limit(level.kind, float(raised), level.scope)
    if (scope := ctx.overdrawn) is not None and not ctx.services.inbox.answer_now:
        raise BudgetUsedUp(scope)


def _reason(finish: str, forced: StopReason | None, rounds: Rounds) -> StopReason:
    if finish == "length":
        return "cut"
    if finish == "content_filter":
        return "filtered"
    if forced:
        return forced
    return "enough" if rounds.enabled and rounds.round else "answered"
