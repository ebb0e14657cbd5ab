"""What a run asks of the person at a terminal: approvals, a plan to look at, questions, a used-up budget.

Everything is said on stderr; stdout belongs to the answer.
"""

from __future__ import annotations

import json

from app.core.run.events import Approval, BudgetLevel, PhaseStart, PlanMade, Question, RunEvent, RunHandle
from app.core.text.i18n import _

from .output import tell
from .typed import line


class Terminal:
    """Answers for one run; sees every event in order."""

    def __init__(self, handle: RunHandle) -> None:
        self._handle = handle
        self._plan: PlanMade | None = None

    async def hear(self, event: RunEvent) -> None:
        match event:
            case PlanMade():
                self._plan = event
            case PhaseStart("approval"):
                await self._review()
            case Approval():
                await self._approve(event)
            case Question():
                await self._question(event)
            case BudgetLevel(level="pause"):
                await self._budget(event)
            case _:
                pass

    async def _review(self) -> None:
        """Nobody answered, or not with yes: the plan does not run."""
        tell("\n" + _("Run this plan? [y]es, anything else stops: "), end="")
        if self._plan is not None and (await line()).lower() in ("y", "yes"):
            self._handle.submit_plan(self._plan.goal, [step.to_json() for step in self._plan.steps])
        else:
            self._handle.cancel()

    async def _approve(self, approval: Approval) -> None:
        words = _("The agent wants to run {name} ({rule}) with exactly these arguments:")
        tell("\n" + words.format(name=approval.name, rule=approval.rule))
        # ASCII: nothing invisible and no change of direction can hide in what is approved.
        tell(json.dumps(dict(approval.args), ensure_ascii=True, indent=2))
        if approval.sources:
            tell(_("Text of others is in this run: {sources}").format(sources=_plain(", ".join(approval.sources))))
        if approval.private:
            words = _("This is private and would leave this computer: {what}")
            tell(words.format(what=_plain("; ".join(approval.private))))
        for_run = "run" in approval.choices
        ways = _("Allow? [o]nce, for this [r]un, anything else denies: ") if for_run else ""
        tell(ways or _("Allow? [o]nce, anything else denies: "), end="")
        choice = {"o": "once", "once": "once", "r": "run", "run": "run"}.get((await line()).lower(), "deny")
        self._handle.approve(approval.id, choice)

    async def _question(self, question: Question) -> None:
        tell(f"\n{question.text}")
        for number, option in enumerate(question.options, 1):
            tell(f"  {number}. {option}")
        reply = await line()
        if reply.isdecimal() and 1 <= int(reply) <= len(question.options):
            reply = question.options[int(reply) - 1]
        self._handle.answer(question.id, reply)

    async def _budget(self, level: BudgetLevel) -> None:
        budgets = {
            "session": _("The budget of this session is used up: {kind} {used:.10g} of {limit:.10g}."),
            "day": _("Today's budget is used up: {kind} {used:.10g} of {limit:.10g}."),
        }
        words = budgets.get(level.scope, _("The budget is used up: {kind} {used:.10g} of {limit:.10g}."))
        tell("\n" + words.format(kind=level.kind, used=level.used, limit=level.limit))
        tell(_("A new limit, or Enter to answer now: "), end="")
        reply = await line()
        try:
            self._handle.raise_budget(float(reply))
        except ValueError:
            self._handle.answer_now()


def _plain(text: str) -> str:
    """ASCII, as the arguments are shown."""
    return json.dumps(text, ensure_ascii=True)[1:-1]
