"""Sub-agents: a tool whose body is a run of another agent.

The child has its own history, profile and limits, spends from its parent's budget, may do no
more than its parent and cannot have children. The parent's model sees its last answer only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import aclosing, nullcontext
from dataclasses import replace
from typing import Any, Protocol

from app.core.arguments.judge import ArgumentFault, own_fault
from app.core.errors import ToolError, TriptychError
from app.core.profile import Budget
from app.core.run.events import Answer, Approval, ApprovalAnswer, BudgetLevel, LoopEnd, Question, RunEvent, SubRun
from app.core.run.run_handle import RunHandle
from app.core.text.i18n import N_, say_in
from app.core.tools.tool import TASK, Tool, ToolContext, ToolResult

LONGEST_PROMPT = 20_000
BUDGETS = ("tokens", "seconds", "tool_calls")
LONGEST_TASK = 24 * 3_600.0
"""Seconds; the run inside has a limit of its own, in which waiting for the person does not count."""


class StartChild(Protocol):
    """Starts a run of `agent` on `prompt`, inside the run that asks; `budget` is the part of its budget it may use."""

    def __call__(self, agent: str, prompt: str, budget: Budget | None = None) -> Awaitable[RunHandle]: ...


def task_tool(agents: Mapping[str, str], start: StartChild, places: asyncio.Semaphore | None = None) -> Tool:
    """`agents`: id → what it is good for. The list is part of the description the model reads. `places`: so many of
    them work at the same time, the others wait."""
    listed = "; ".join(f"{id}: {about}" for id, about in agents.items())

    async def body(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
        async with places or nullcontext():
            return await work(ctx, args)

    async def work(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
        try:
            handle = await start(args["agent"], args["prompt"], _budget(args))
        except TriptychError as error:
            message = say_in(ctx.language, "{agent} cannot start: {why}", agent=args["agent"], why=error.message)
            raise ToolError("SUBAGENT_FAILED", message) from error
        tell = ctx.tell or _nobody
        tell(SubRun(handle.id, args["agent"], ctx.call))
        try:
            async with aclosing(handle.events()) as lines:  # type: ignore[type-var]  # a generator, as every run's
                async for line in lines:
                    for event in _for_the_person(line.event, args["agent"]):
                        tell(event)
            end = await handle.result()
        finally:
            handle.cancel()
        if isinstance(end, LoopEnd) and end.stop_reason == "damaged":
            words = N_("the provider of {agent} sent damaged data; its answer is not whole: {answer}")
            message = ctx.say(words, agent=args["agent"], answer=end.answer[:600])
            raise ToolError("SUBAGENT_FAILED", message, retryable=True)
        if isinstance(end, LoopEnd):
            data = {"run": handle.id, "answer": end.answer, "stop_reason": end.stop_reason, "steps": end.steps}
            return ToolResult.success(data, end.answer)
        if end.reason == "budget":
            words = N_("{agent} has used up its budget: {why}")
            raise ToolError("BUDGET", ctx.say(words, agent=args["agent"], why=end.error.message))
        words = N_("{agent} ended with {code}: {why}")
        message = ctx.say(words, agent=args["agent"], code=end.error.code, why=end.error.message)
        raise ToolError("SUBAGENT_FAILED", message)

    return Tool(
        name=TASK,
        description=f"Hand a piece of work to another agent and get its answer. Agents: {listed}",
        # Who lists helpers for an agent has agreed to them, and each of their calls passes the gate with the rights
        # of both; `tools = {task = "ask"}` asks before every one.
        permission="pure",
        body=body,
        schema=lambda: _schema(tuple(agents)),
        check=lambda args: _check(args, tuple(agents)),
        read_only=False,
        timeout=LONGEST_TASK,
        outside=True,
        inner_run=True,
    )


def _for_the_person(event: RunEvent, agent: str) -> Iterator[RunEvent]:
    """What must be answered is asked in the stream people look at; the rest is in the log of the run inside."""
    if isinstance(event, Approval):
        yield replace(event, tool_call_id="", agent=event.agent or agent)
    elif isinstance(event, ApprovalAnswer | Question | Answer | BudgetLevel):
        yield event


def _nobody(_event: RunEvent) -> None:
    return


def _schema(agents: Sequence[str]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["agent", "prompt"],
        "properties": {
            "agent": {"type": "string", "enum": list(agents)},
            "prompt": {"type": "string", "description": "The whole task: the agent sees nothing else."},
            "budget": {
                "type": "object",
                "additionalProperties": False,
                "description": "What it may use at most; at its end it answers with what it has.",
                "properties": {kind: {"type": "integer", "minimum": 1} for kind in BUDGETS},
            },
        },
    }


def _budget(args: Mapping[str, Any]) -> Budget | None:
    return Budget(**args["budget"]) if args.get("budget") else None


def _check(args: Mapping[str, Any], agents: Sequence[str]) -> list[ArgumentFault]:
    unknown = args.keys() - {"agent", "prompt", "budget"}
    faults = [own_fault(name, N_("is not an argument of this tool")) for name in unknown]
    if args.get("agent") not in agents:
        faults.append(own_fault("agent", N_("should be one of {expected}"), expected=", ".join(agents)))
    prompt = args.get("prompt")
    if not isinstance(prompt, str) or not prompt.strip() or len(prompt) > LONGEST_PROMPT:
        faults.append(own_fault("prompt", N_("must be a text of 1 to {n} characters"), n=LONGEST_PROMPT))
    budget = args.get("budget")
    if budget is not None and not isinstance(budget, Mapping):
        faults.append(own_fault("budget", N_("must be an object")))
    for kind, limit in budget.items() if isinstance(budget, Mapping) else ():
        if kind not in BUDGETS:
            faults.append(own_fault(f"budget.{kind}", N_("is not an argument of this tool")))
        elif not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
            faults.append(own_fault(f"budget.{kind}", N_("must be a whole number from 1")))
    return faults
