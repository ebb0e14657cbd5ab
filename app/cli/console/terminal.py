"""What a run asks of the person at a terminal: approvals, a plan to look at, questions, a used-up budget.

Everything is said on stderr; stdout belongs to the answer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from app.core.errors import TriptychError
from app.core.run.events import Approval
from app.core.run.plan import Plan
from app.core.text.globs import exactly
from app.core.text.i18n import _
from app.core.wording.errors import fault_text
from app.core.wording.permissions import rule_text
from app.services.runs.asking import AskedApproval

from .output import tell
from .style import Style
from .typed import line

_LINE = 74
"""Characters of arguments that stand in a line of their own."""
_CHOICES = dict.fromkeys(("y", "yes", "o", "once"), "once") | dict.fromkeys(("r", "run"), "run")
"""What is typed; anything else denies."""


class Terminal:
    """A person at the terminal (`Person` of `app.services.runs.asking`)."""

    async def accepts(self, _plan: Plan) -> bool:
        """It has been shown already."""
        tell("\n" + _("Run this plan? [y]es, anything else stops: "), end="")
        return (await line()).lower() in ("y", "yes")

    async def approve(self, asked: AskedApproval) -> str:
        """The sentence of the card in the window; the exact arguments at once where no code of ours says one, where
        they do not fit a line, and where a second look is due.
        """
        approval, err = asked.approval, Style(sys.stderr)
        _say(f"\n{err.paint('?', 'warn')} {err.paint(asked.title, 'bold')}\n")
        short = json.dumps(dict(approval.args), ensure_ascii=True)
        is_long = len(short) > _LINE
        is_open = not asked.sentence or is_long or bool(approval.sources or approval.private or approval.careful)
        if is_open:
            self._details(approval)
        else:
            _say(f"  {err.paint(short, 'dim')}\n")
        if asked.mended:
            tell("  " + _plain(asked.mended))
        for warning in asked.warnings:
            tell(warning)
        ways = [_("[y] Allow once"), _("[n] Deny"), _("[d] Details")]
        if "run" in approval.choices:
            ways.insert(1, _("[r] Allow for this run"))
        if asked.lasting is not None:
            ways.insert(-2, _("[a] Always…"))
        while True:
            _say(f"  {err.paint('  '.join(ways), 'dim')} ")
            typed = (await line()).strip().lower()
            if typed in ("a", "always") and asked.lasting is not None:
                if await self._always(asked, asked.lasting):
                    return "always"
            elif typed in ("d", "details"):
                self._details(approval)
            else:
                return _CHOICES.get(typed, "deny")

    async def _always(self, asked: AskedApproval, subject: str) -> bool:
        """True once the permission is stored. Only a word of the person stores one, not the end of what is typed."""
        tool, agent = asked.approval.name, asked.agent
        words = _("{tool} would run without asking, for {agent}, where its arguments match: {pattern}")
        tell("  " + words.format(tool=tool, agent=_plain(agent), pattern=_plain(exactly(subject))))
        ways = _("[y] Exactly this  [n] Back  or another pattern: * stands for anything, ? for one character")
        _say(f"  {Style(sys.stderr).paint(ways, 'dim')} ")
        typed = (await line()).strip()
        if typed.lower() in ("", "n", "no"):
            return False
        pattern = exactly(subject) if typed.lower() in ("y", "yes") else typed
        try:
            await asked.keep(pattern)
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

    async def answer(self, text: str, options: Sequence[str]) -> str:
        tell(f"\n{text}")
        for number, option in enumerate(options, 1):
            tell(f"  {number}. {option}")
        reply = await line()
        return options[int(reply) - 1] if reply.isdecimal() and 1 <= int(reply) <= len(options) else reply

    async def raised(self, kind: str, used: float, limit: float, scope: str) -> float | None:
        budgets = {
            "session": _("The budget of this session is used up: {kind} {used:.10g} of {limit:.10g}."),
            "day": _("Today's budget is used up: {kind} {used:.10g} of {limit:.10g}."),
        }
        words = budgets.get(scope, _("The budget is used up: {kind} {used:.10g} of {limit:.10g}."))
        tell("\n" + words.format(kind=kind, used=used, limit=limit))
        tell(_("A new limit, or Enter to answer now: "), end="")
        try:
            return float(await line())
        except ValueError:
            return None


def _say(painted: str) -> None:
    """With its colours; what others wrote in it has been made harmless before."""
    sys.stderr.write(painted)
    sys.stderr.flush()


def _plain(text: str) -> str:
    """ASCII, as the arguments are shown."""
    return json.dumps(text, ensure_ascii=True)[1:-1]
