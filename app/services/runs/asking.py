"""What a run waits for, put to a person outside the window: at a terminal, in an editor.

Who asks says only how (`Person`); what an answer means for the run is decided here, once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.core.run.events import Approval
from app.core.run.plan import Plan
from app.core.run.run_handle import RunHandle
from app.core.run.view import RunView, WaitItem
from app.core.text.hidden import harmless
from app.core.text.i18n import _, current_language
from app.core.wording.mended import mended_text
from app.core.wording.tools import tool_title

SubjectOf = Callable[[str, Mapping[str, Any]], str | None]


class Grants(Protocol):
    """What a person may allow for good, as in the window."""

    async def add(self, agent: str, name: str, text: str) -> object: ...


@dataclass(frozen=True, slots=True)
class AskedApproval:
    approval: Approval
    agent: str
    mended: str
    """What was read forgivingly of the arguments, in words."""
    lasting: str | None
    """What a lasting permission for this call would be compared with; None where there can be none."""
    grants: Grants | None

    async def keep(self, pattern: str) -> None:
        """Such calls are allowed for good. Raises what the grants raise."""
        assert self.grants is not None, "there is a lasting permission to give"
        await self.grants.add(self.agent, self.approval.name, pattern)

    @property
    def sentence(self) -> str:
        """That of the card in the window; "" where no code of ours says one."""
        return harmless(self.approval.text.get(current_language()) or self.approval.text.get("en", ""))

    @property
    def title(self) -> str:
        return self.sentence or harmless(_("Run: {tool}").format(tool=tool_title(self.approval.name)))

    @property
    def warnings(self) -> list[str]:
        lines = []
        if self.approval.sources:
            sources = harmless(", ".join(self.approval.sources))
            lines.append(_("Text of others is in this run: {sources}").format(sources=sources))
        if self.approval.private:
            private = _("This is private and would leave this computer: {what}")
            lines.append(private.format(what=harmless("; ".join(self.approval.private))))
        return lines


class Person(Protocol):
    """Each returns a no where nobody answers, or the asking fails."""

    async def approve(self, asked: AskedApproval) -> str:
        """One of the choices of the approval; "" = no."""

    async def answer(self, text: str, options: Sequence[str]) -> str: ...

    async def raised(self, kind: str, used: float, limit: float, scope: str) -> float | None:
        """The new limit; None = the run answers now."""

    async def accepts(self, plan: Plan) -> bool: ...


class RunQuestions:
    """Those of one run."""

    def __init__(self, run: RunHandle, person: Person, grants: Grants | None, subject_of: SubjectOf) -> None:
        """`subject_of` tells what a rule about a call is compared with, None for one that always asks."""
        self._run, self._person, self._grants, self._subject_of = run, person, grants, subject_of

    async def ask(self, view: RunView, wait: WaitItem) -> None:
        if (approval := wait.approval) is not None:
            agent = view.start.agent if view.start is not None else ""
            asked = AskedApproval(approval, agent, mended_text(wait.mended), self._lasting(approval), self._grants)
            self._run.approve(approval.id, await self._person.approve(asked) or "deny")
        elif (question := wait.question) is not None:
            self._run.answer(question.id, await self._person.answer(question.text, question.options))
        elif (budget := wait.budget) is not None:
            limit = await self._person.raised(budget.kind, budget.used, budget.limit, budget.scope)
            if limit is None:
                self._run.answer_now()
            else:
                self._run.raise_budget(limit)
        else:
            await self._review(view.plan.plan if view.plan is not None else None)

    async def _review(self, plan: Plan | None) -> None:
        """Nobody answered, or not with yes: the plan does not run."""
        if plan is not None and await self._person.accepts(plan):
            self._run.submit_plan(plan.goal, [step.to_json() for step in plan.steps])
        else:
            self._run.cancel()

    def _lasting(self, approval: Approval) -> str | None:
        is_call = bool(approval.tool_call_id) and "always" in approval.choices and self._grants is not None
        return self._subject_of(approval.name, approval.args) if is_call else None
