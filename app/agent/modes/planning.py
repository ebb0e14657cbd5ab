"""Making a plan: a few read-only look-ups, then the JSON, checked against the real tools.

A plan that cannot be used is repaired once, with every fault named.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import replace
from typing import Any

from app.core.arguments.references import parse_reference
from app.core.arguments.refusal import worded
from app.core.run.chat_model import AssistantTurn
from app.core.run.events import RunEvent
from app.core.run.plan import NO_TOOL, Plan, PlanFaults, read_plan
from app.core.text.i18n import N_, say_in
from app.core.tools.tool import Tool, mend_call

from ..context import RunContext
from ..finish import fault_in, find_json
from ..policy.hooks import Hooks
from ..request import prompts
from ..step import ModelStep, end_step
from ..tools.executor import Batch
from .loop import keep_budget

PLANNING_STEPS = 3
"""Requests for one plan, look-ups included; the last one is without tools."""


class Planning:
    """Afterwards `plan` is the plan, or None: the model did not write a usable one."""

    def __init__(self, ctx: RunContext, *, after: Plan | None = None) -> None:
        """`after`: a plan of which a step failed; what is asked for is the rest, another way."""
        self._ctx, self._after = ctx, after
        self._last = ctx.state.step + PLANNING_STEPS
        self._request = self._first_request()
        self.plan: Plan | None = None
        self.faults: tuple[str, ...] = ()

    def _first_request(self) -> str:
        tools = self._ctx.offered_tools()
        if self._after is None:
            return "\n\n".join([prompts.plan_request(tools), *self._lessons()])
        failed = [step.step for step in self._after.steps if step.status == "failed"]
        return prompts.replan_request(self._after, failed, tools)

    def _lessons(self) -> Iterator[str]:
        lessons, known = self._ctx.request.lessons, self._ctx.services.tools
        if lessons.plans:
            yield prompts.earlier_plans(lessons.plans)
        if orders := [order for order in lessons.sequences if all(name in known for name in order)]:
            yield prompts.tool_hint(orders)

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        ctx = self._ctx
        text = ""
        for number in range(1, PLANNING_STEPS + 1):
            look_ups = number < PLANNING_STEPS
            step = self._step(self._request, look_ups=look_ups)
            async for event in self._run(step, look_ups=look_ups):
                yield event
            text = step.message.text or step.message.reasoning
            if not step.message.calls or number == PLANNING_STEPS:
                break
        if not self._read(text):
            mark = len(ctx.state.turns)
            ctx.add(AssistantTurn(text or "(nothing)"))
            step = self._step(prompts.plan_repair(self.faults), look_ups=False)
            async for event in self._run(step, look_ups=False):
                yield event
            del ctx.state.turns[mark:]
            self._read(step.message.text or step.message.reasoning)

    def _step(self, nudge: str, *, look_ups: bool) -> ModelStep:
        tools = [t for t in self._ctx.offered_tools() if self._reads(t.name)] if look_ups else []
        return ModelStep(self._ctx, tools=tools, nudge=nudge, purpose="plan", limit=self._last, hidden=True)

    def _only_reads(self, name: str, args: dict[str, Any]) -> dict[str, Any] | None:
        """What changes something waits for the plan, also when the model calls what was not offered."""
        return args if self._reads(name) else None

    def _reads(self, name: str) -> bool:
        tool = self._ctx.tool(name)
        return tool is not None and tool.read_only

    async def _run(self, step: ModelStep, *, look_ups: bool) -> AsyncGenerator[RunEvent, None]:
        ctx = self._ctx
        async for event in keep_budget(ctx):
            yield event
        async for event in step.events():
            yield event
        message = step.message
        whole = step.finished is not None and step.finished.finish not in ("length", "content_filter")
        if message.calls and look_ups and whole:
            ctx.add(message)
            hooks = Hooks((self._only_reads, *ctx.services.hooks.before), ctx.services.hooks.after)
            batch = Batch(ctx, message.calls, hooks=hooks, dialect=step.finished.dialect if step.finished else "")
            async for event in batch.events():
                yield event
        for event in end_step(ctx):
            yield event

    def _read(self, text: str) -> bool:
        try:
            version = self._after.version + 1 if self._after else 1
            known, language = self._ctx.services.tools, self._ctx.request.language
            plan = read_plan(find_json(text), known, version=version, after=self._after, language=language)
        except PlanFaults as error:
            self.faults = error.faults
            return False
        except ValueError as error:
            language, words = self._ctx.request.language, N_("the reply holds no plan as JSON: {error}")
            self.faults = (say_in(language, words, error=fault_in(language, error)),)
            return False
        plan = mended(plan, self._ctx)
        self.faults = (*argument_faults(plan, self._ctx), *self._repeats(plan))
        if self.faults:
            return False
        self.plan = plan
        return True

    def _repeats(self, plan: Plan) -> Iterator[str]:
        """A new step that is a failed one again leads nowhere."""
        failed = [s for s in plan.steps if s.status == "failed"]
        for step in plan.steps:
            if step.status == "pending" and any((step.action, step.params) == (f.action, f.params) for f in failed):
                yield say_in(self._ctx.request.language, "step {n} repeats a step that failed", n=step.step)


def mended(plan: Plan, ctx: RunContext) -> Plan:
    """The plan with the arguments of its open steps in the form they will run in."""
    steps = [
        replace(step, params=_mended(ctx.services.tools[step.action], step.params, ctx))
        if step.action != NO_TOOL and step.status == "pending"
        else step
        for step in plan.steps
    ]
    return replace(plan, steps=tuple(steps))


def _mended(tool: Tool, params: Mapping[str, Any], ctx: RunContext) -> dict[str, Any]:
    return mend_call(
        tool, params, ctx.day, drops_unknown=tool.drops_unknown and not ctx.services.hooks.before, references=True
    ).args


def argument_faults(plan: Plan, ctx: RunContext) -> Iterator[str]:
    """What the tools' own checks say; a value that is a reference is not known yet and passes."""
    for step in plan.steps:
        if step.action == NO_TOOL or step.status != "pending":
            continue
        later = tuple(_reference_paths(step.params))
        tool = ctx.services.tools[step.action]
        for fault in tool.check(step.params):
            if not any(fault.path == path or fault.path.startswith(f"{path}.") for path in later):
                what = worded([fault], tool.form, step.params, ctx.request.language)
                yield say_in(
                    ctx.request.language, "step {n} ({tool}): {what}", n=step.step, tool=step.action, what=what
                )


def _reference_paths(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, str) and parse_reference(value):
        yield path
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _reference_paths(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _reference_paths(item, f"{path}.{place}" if path else str(place))
