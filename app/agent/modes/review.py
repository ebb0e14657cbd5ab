"""A plan waits for the person, if the profile wants it. Approving gives no permission: each step passes the gate."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any

from app.core.run.events import Notice, PlanMade, RunEvent
from app.core.run.plan import NO_TOOL, Plan, PlanFaults, PlanStep, read_plan

from ..context import RunContext
from .planning import argument_faults

REVIEW = "plan"
"""The id under which a plan waits for the person."""
QUIET_CLASSES = frozenset({"pure", "app.read", "fs.read", "user"})
"""Tools that neither write nor go out."""


def shown(made: Plan) -> PlanMade:
    return PlanMade(made.goal, made.steps, made.version)


class PlanReview:
    """Afterwards `plan` is the one to run."""

    def __init__(self, ctx: RunContext, made: Plan, *, after: Plan | None = None) -> None:
        """`after`: what has become of the plan so far; `made` continues with it, and may be turned down."""
        self._ctx, self.plan, self._after = ctx, made, after
        self.is_kept = False
        """The person wants the plan as it was."""

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        ctx = self._ctx
        if not ctx.request.interactive or not self._wanted():
            return
        for event in ctx.enter("approval", again=self._after is not None):
            yield event
        while True:
            ctx.services.clock.stop()
            try:
                edited: Mapping[str, Any] = await ctx.services.inbox.wait(REVIEW)
            finally:
                ctx.services.clock.resume()
            if edited.get("keep") and self._after is not None:
                self.is_kept = True
                return
            changed, faults = self._read(edited)
            if changed is None:
                yield Notice("plan_faults", "; ".join(faults), {"faults": list(faults)})
                continue
            if (changed.goal, changed.steps) != (self.plan.goal, self.plan.steps):
                self.plan = changed
                yield shown(changed)
            return

    def _read(self, edited: Mapping[str, Any]) -> tuple[Plan | None, tuple[str, ...]]:
        """What has run already is not read: it stays."""
        begun = len(self._after.steps) if self._after is not None else 0
        steps = edited.get("steps")
        rest = {**edited, "steps": steps[begun:]} if begun and isinstance(steps, list) else edited
        try:
            language, version = self._ctx.request.language, self.plan.version + 1
            changed = read_plan(rest, self._ctx.services.tools, version=version, after=self._after, language=language)
        except PlanFaults as error:
            return None, error.faults
        faults = tuple(argument_faults(changed, self._ctx))
        return (None if faults else changed), faults

    def _wanted(self) -> bool:
        """By what it would do: of a plan for the rest only that counts."""
        review = self._ctx.request.profile.plan_review
        steps = self.plan.steps[len(self._after.steps) :] if self._after is not None else self.plan.steps
        return review == "always" or (review == "writes" and any(map(self._writes, steps)))

    def _writes(self, step: PlanStep) -> bool:
        return step.action != NO_TOOL and self._ctx.services.tools[step.action].permission not in QUIET_CLASSES
