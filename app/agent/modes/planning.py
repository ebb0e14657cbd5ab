"""Making a plan: a few read-only look-ups, then the JSON, checked against the real tools.

A plan that cannot be used is repaired once, with every fault named.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping
from typing import Any

from app.core.chat_model import AssistantTurn
from app.core.events import RunEvent
from app.core.plan import NO_TOOL, Plan, PlanFaults, parse_reference, read_plan

from .. import prompts
from ..context import RunContext
from ..executor import Batch
from ..finish import find_json
from ..step import Step, end_step
from .loop import check_budget

PLANNING_STEPS = 3
"""Requests for one plan, look-ups included; the last one is without tools."""


class Planning:
    """Afterwards `plan` is the plan, or None: the model did not write a usable one."""

    def __init__(self, ctx: RunContext, *, version: int = 1, request: str = "") -> None:
        self._ctx, self._version = ctx, version
        self._request = request or prompts.plan_request(ctx.offered_tools())
        self.plan: Plan | None = None
        self.faults: tuple[str, ...] = ()

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        ctx = self._ctx
        text = ""
        for number in range(1, PLANNING_STEPS + 1):
            step = self._step(self._request, look_ups=number < PLANNING_STEPS)
            async for event in self._run(step):
                yield event
            text = step.message.text or step.message.reasoning
            if not step.message.calls or number == PLANNING_STEPS:
                break
        if not self._read(text):
            mark = len(ctx.turns)
            ctx.add(AssistantTurn(text or "(nothing)"))
            step = self._step(prompts.plan_repair(self.faults), look_ups=False)
            async for event in self._run(step):
                yield event
            del ctx.turns[mark:]
            self._read(step.message.text or step.message.reasoning)

    def _step(self, nudge: str, *, look_ups: bool) -> Step:
        tools = [t for t in self._ctx.offered_tools() if self._ctx.tools[t.name].read_only] if look_ups else []
        return Step(self._ctx, tools=tools, nudge=nudge, purpose="plan", limit=PLANNING_STEPS, hidden=True)

    async def _run(self, step: Step) -> AsyncGenerator[RunEvent, None]:
        ctx = self._ctx
        for event in check_budget(ctx):
            yield event
        async for event in step.events():
            yield event
        message = step.message
        if message.calls and step.finished and step.finished.finish not in ("length", "content_filter"):
            ctx.add(message)
            batch = Batch(ctx, message.calls, hooks=ctx.hooks, dialect=step.finished.dialect)
            async for event in batch.events():
                yield event
        for event in end_step(ctx):
            yield event

    def _read(self, text: str) -> bool:
        try:
            plan = read_plan(find_json(text), self._ctx.tools, version=self._version)
        except PlanFaults as error:
            self.faults = error.faults
            return False
        except ValueError as error:
            self.faults = (f"the reply holds no plan as JSON: {error}",)
            return False
        self.faults = tuple(argument_faults(plan, self._ctx))
        if self.faults:
            return False
        self.plan = plan
        return True


def argument_faults(plan: Plan, ctx: RunContext) -> Iterator[str]:
    """What the tools' own checks say; a value that is a reference is not known yet and passes."""
    for step in plan.steps:
        if step.action == NO_TOOL:
            continue
        later = tuple(_reference_paths(step.params))
        for fault in ctx.tools[step.action].check(step.params):
            if not any(fault.path == path or fault.path.startswith(f"{path}.") for path in later):
                yield f"step {step.step} ({step.action}): {fault.path or 'params'}: {fault.message}"


def _reference_paths(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, str) and parse_reference(value):
        yield path
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _reference_paths(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _reference_paths(item, f"{path}.{place}" if path else str(place))
