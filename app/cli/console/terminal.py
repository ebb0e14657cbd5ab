"""What a run asks of the person at a terminal: approvals, a plan to look at, questions, a used-up budget.

Everything is said on stderr; stdout belongs to the answer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from app.core.errors import TriptychError
from app.core.run.events import Approval, BudgetLevel, Question
from app.core.run.plan import Plan
from app.core.run.run_handle import RunHandle
from app.core.run.view import RunView, WaitItem
from app.core.text.globs import exactly
from app.core.text.hidden import harmless
from app.core.text.i18n import _, current_language
from app.core.wording.errors import fault_text
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


SubjectOf = Callable[[str, Mapping[str, Any]], str | None]


def no_subject(_name: str, _args: Mapping[str, Any]) -> None:
    return None


class Grants(Protocol):
    """What a person may allow for good, as in the window."""

    async def add(self, agent: str, name: str, text: str) -> object: ...


class Terminal:
    """Answers the approvals, questions and budgets of one run on the terminal."""

    def __init__(self, handle: RunHandle, grants: Grants | None = None, subject_of: SubjectOf = no_subject) -> None:
        """`subject_of` tells what a rule about a call is compared with, None for one that always asks."""
        self._handle, self._grants, self._subject_of = handle, grants, subject_of

    async def ask(self, view: RunView, wait: WaitItem) -> None:
        if wait.approval is not None:
            agent = view.start.agent if view.start is not None else ""
            await self._approve(wait.approval, mended_text(wait.mended), agent)
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

    async def _approve(self, approval: Approval, mended: str, agent: str) -> None:
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
        subject = self._lasting(approval)
        if subject is not None:
            ways.insert(-2, _("[a] Always…"))
        while True:
            _say(f"  {err.paint('  '.join(ways), 'dim')} ")
            typed = (await line()).strip().lower()
            if typed in ("a", "always") and subject is not None:
                if not await self._always(approval.name, subject, agent):
                    continue
                typed = "always"
            elif typed in ("d", "details"):
                self._details(approval)
                continue
            break
        self._handle.approve(approval.id, "always" if typed == "always" else _CHOICES.get(typed, "deny"))

    def _lasting(self, approval: Approval) -> str | None:
        """What a lasting permission for this call would be compared with; None where there can be none."""
        is_call = bool(approval.tool_call_id) and "always" in approval.choices and self._grants is not None
        return self._subject_of(approval.name, approval.args) if is_call else None

    async def _always(self, tool: str, subject: str, agent: str) -> bool:
        """True once the permission is stored. Only a word of the person stores one, not the end of what is typed."""
        assert self._grants is not None
        words = _("{tool} would run without asking, for {agent}, where its arguments match: {pattern}")
        tell("  " + words.format(tool=tool, agent=_plain(agent), pattern=_plain(exactly(subject))))
        ways = _("[y] Exactly this  [n] Back  or another pattern: * stands for anything, ? for one character")
        _say(f"  {Style(sys.stderr).paint(ways, 'dim')} ")
        typed = (await line()).strip()
        if typed.lower() in ("", "n", "no"):
            return False
        pattern = exactly(subject) if typed.lower() in ("y", "yes") else typed
        try:
            await self._grants.add(agent, tool, pattern)
        except TriptychError as error:
            tell("  " + _plain(fault_text(error)))
            return False
        tell("  " + _("{agent} may now use {tool} without asking where it matches: {pattern}").format(
            agent=_plain(agent), tool=tool, pattern=_plain(pattern)
        ))  # fmt: skip
        return True

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
