"""What a run asks of the person at a terminal: approvals, a plan to look at, questions, a used-up budget.

Everything is said on stderr; stdout belongs to the answer.
"""

from __future__ import annotations

import json
import sys

from app.core.run.events import Approval, BudgetLevel, Question
from app.core.run.plan import Plan
from app.core.run.run_handle import RunHandle
from app.core.run.view import RunView, WaitItem
from app.core.text.hidden import harmless
from app.core.text.i18n import _, current_language
from app.core.wording.mended import mended_text
from app.core.wording.permissions import rule_text
from app.core.wording.tools import tool_title

from .output import tell
from .style import Style
from .typed import line

_LINE = 74
"""Characters of arguments that stand in a line of their own."""
_CHOICES = dict.fromkeys(("y", "yes", "o", "once"), "once") | dict.fromkeys(("r", "run"), "run")
"""What is typed; anything else denies."""


class Terminal:
    """Answers the approvals, questions and budgets of one run on the terminal."""

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
        """The sentence of the card in the window; the exact arguments at once where no code of ours says one, where
        they do not fit a line, and where a second look is due.
        """
        code = current_language()
        sentence = approval.text.get(code) or approval.text.get("en", "")
        err = Style(sys.stderr)
        words = sentence or _("Run: {tool}").format(tool=tool_title(approval.name))
        _say(f"\n{err.paint('?', 'warn')} {err.paint(harmless(words), 'bold')}\n")
        short = json.dumps(dict(approval.args), ensure_ascii=True)
        is_long = len(short) > _LINE
        is_open = not sentence or is_long or bool(approval.sources or approval.private or approval.careful)
        if is_open:
            self._details(approval)
        else:
            _say(f"  {err.paint(short, 'dim')}\n")
        if mended:
            tell("  " + _plain(mended))
        if approval.sources:
            tell(_("Text of others is in this run: {sources}").format(sources=_plain(", ".join(approval.sources))))
        if approval.private:
            private = _("This is private and would leave this computer: {what}")
            tell(private.format(what=_plain("; ".join(approval.private))))
        ways = [_("[y] Allow once"), _("[n] Deny"), _("[d] Details")]
        if "run" in approval.choices:
            ways.insert(1, _("[r] Allow for this run"))
        while True:
            _say(f"  {err.paint('  '.join(ways), 'dim')} ")
            typed = (await line()).strip().lower()
            if typed not in ("d", "details"):
                break
            self._details(approval)
        self._handle.approve(approval.id, _CHOICES.get(typed, "deny"))

    @staticmethod
    def _details(approval: Approval) -> None:
        tell("  " + _("Tool: {name}").format(name=approval.name))
        tell("  " + rule_text(approval.rule))
        # ASCII: nothing invisible and no change of direction can hide in what is approved.
        tell(json.dumps(dict(approval.args), ensure_ascii=True, indent=2))

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


def _say(painted: str) -> None:
    """With its colours; what others wrote in it has been made harmless before."""
    sys.stderr.write(painted)
    sys.stderr.flush()


def _plain(text: str) -> str:
    """ASCII, as the arguments are shown."""
    return json.dumps(text, ensure_ascii=True)[1:-1]
