"""What a run asks of the person at a terminal: approvals, a plan to look at, questions, a used-up budget.

Everything is said on stderr; stdout belongs to the answer.
"""

from __future__ import annotations

import json

from app.core.run.events import Approval, BudgetLevel, Question
from app.core.run.plan import Plan
from app.core.run.run_handle import RunHandle
from app.core.run.view import RunView, WaitItem
from app.core.text.i18n import _
from app.core.wording.mended import mended_text
from app.core.wording.permissions import rule_text

from .output import tell
from .typed import line


class Terminal:
    """Answers for one run; is told everything it waits for."""

    def __init__(self, handle: RunHandle) -> None:
        self._handle = handle

    async def ask(self, view: RunView, wait: WaitItem) -> None:
        if wait.approval is not None:
            await self._approve(wait.approval, mended_text(wait.mended))
        elif wait.question is not None:
            await self._question(wait.question)
        elif wait.budget is not None:
            await self._budget(wait.budget)
        else:
            await self._review(view.plan.plan if view.plan is not None else None)

    async def _review(self, plan: Plan | None) -> None:
        """Nobody answered, or not with yes: the plan does not run."""
        tell("\n" + _("Run this plan? [y]es, anything else stops: "), end="")
        if plan is not None and (await line()).lower() in ("y", "yes"):
            self._handle.submit_plan(plan.goal, [step.to_json() for step in plan.steps])
        else:
            self._handle.cancel()

    async def _approve(self, approval: Approval, mended: str) -> None:
        words = _("The agent wants to run {name} with exactly these arguments. {rule}")
        tell("\n" + words.format(name=approval.name, rule=rule_text(approval.rule)))
        # ASCII: nothing invisible and no change of direction can hide in what is approved.
        tell(json.dumps(dict(approval.args), ensure_ascii=True, indent=2))
        if mended:
            tell(_plain(mended))
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
