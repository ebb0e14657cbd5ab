"""What a run asks of the person, asked in the editor: approvals, a plan to look at, questions, a used-up budget."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from acp import helpers
from acp.exceptions import RequestError
from acp.schema import (
    AllowedOutcome,
    ElicitationFormSessionMode,
    ElicitationSchema,
    ElicitationStringPropertySchema,
    PermissionOption,
    ToolCallUpdate,
)

from app.core.errors import TriptychError
from app.core.run.events import Approval, BudgetLevel, Question
from app.core.run.plan import Plan
from app.core.run.run_handle import RunHandle
from app.core.run.view import WaitItem
from app.core.text.globs import exactly
from app.core.text.hidden import harmless
from app.core.text.i18n import _, current_language
from app.core.wording.notices import budget_text
from app.core.wording.permissions import rule_text
from app.core.wording.tools import tool_title

from .parts import AcpParts, EditorSession
from .updates import differences, kind_of, locations

if TYPE_CHECKING:
    from acp.interfaces import Client
    from acp.schema import PermissionOptionKind


class Asking:
    """Asks for one run. Whatever goes wrong with the asking is a no."""

    def __init__(self, client: Client, parts: AcpParts, session: EditorSession, run: RunHandle) -> None:
        self._client, self._parts, self._session, self._run = client, parts, session, run

    @property
    def has_forms(self) -> bool:
        can = self._session.can.elicitation
        return can is not None and can.form is not None

    async def ask(self, wait: WaitItem, agent: str, plan: Plan | None) -> None:
        if wait.approval is not None:
            await self._approve(wait.approval, agent)
        elif wait.question is not None:
            await self._question(wait.question)
        elif wait.budget is not None:
            await self._budget(wait.budget)
        else:
            await self._review(plan)

    async def _approve(self, approval: Approval, agent: str) -> None:
        tool, folder = self._parts.tools.named(approval.name), self._session.folder
        lines = [rule_text(approval.rule)]
        if approval.sources:
            lines.append(_("Text of others is in this run: {sources}").format(sources=", ".join(approval.sources)))
        if approval.private:
            private = _("This is private and would leave this computer: {what}")
            lines.append(private.format(what="; ".join(approval.private)))
        # ASCII: nothing invisible and no change of direction can hide in what is approved.
        lines.append(json.dumps(dict(approval.args), ensure_ascii=True, indent=2))
        content = [helpers.tool_content(helpers.text_block("\n\n".join(lines)))]
        call = ToolCallUpdate(
            tool_call_id=approval.tool_call_id or approval.id, title=_sentence(approval), status="pending",
            kind=kind_of(approval.name, tool), raw_input=dict(approval.args),
            locations=locations(approval.args, folder), content=[*differences(approval.preview, folder), *content],
        )  # fmt: skip
        subject = self._parts.tools.rule_subject(approval.name, approval.args)
        can_last = "always" in approval.choices and bool(approval.tool_call_id) and subject is not None
        ways: list[tuple[str, str, PermissionOptionKind]] = [("once", _("Allow once"), "allow_once")]
        if "run" in approval.choices:
            ways.append(("run", _("Allow for this run"), "allow_always"))
        if can_last and not approval.careful:
            ways.append(("always", _("Allow always"), "allow_always"))
        choice = await self._choose(call, [*ways, ("deny", _("Deny"), "reject_once")])
        if choice == "always" and subject is not None:
            try:
                await self._parts.grants.add(agent, approval.name, exactly(subject))
            except (TriptychError, OSError):
                choice = "once"
        self._run.approve(approval.id, choice or "deny")

    async def _review(self, plan: Plan | None) -> None:
        """Nobody answered, or not with yes: the plan does not run."""
        steps = [] if plan is None else plan.steps
        text = "\n".join(f"{step.step}. {step.description}" for step in steps)
        call = ToolCallUpdate(
            tool_call_id=f"plan {self._run.id}", title=_("Run this plan?"), kind="switch_mode", status="pending",
            content=[helpers.tool_content(helpers.text_block(text))],
        )  # fmt: skip
        choice = await self._choose(
            call, [("once", _("Run the plan"), "allow_once"), ("deny", _("Stop"), "reject_once")]
        )
        if choice == "once" and plan is not None:
            self._run.submit_plan(plan.goal, [step.to_json() for step in plan.steps])
        else:
            self._run.cancel()

    async def _budget(self, level: BudgetLevel) -> None:
        call = ToolCallUpdate(
            tool_call_id=f"budget {self._run.id}", kind="other", status="pending",
            title=budget_text(level.kind, level.used, level.limit, level.scope),
        )  # fmt: skip
        more = max(level.limit, level.used) * 2
        raise_it = _("Raise to {limit:.10g}").format(limit=more)
        choice = await self._choose(call, [("once", raise_it, "allow_once"), ("deny", _("Answer now"), "reject_once")])
        if choice == "once":
            self._run.raise_budget(more)
        else:
            self._run.answer_now()

    async def _question(self, question: Question) -> None:
        """In a form of the editor; a question to an editor without forms ends the prompt instead (`turn`)."""
        field = ElicitationStringPropertySchema(
            type="string", title=question.text[:200], enum=list(question.options) or None
        )
        schema = ElicitationSchema(properties={"answer": field}, required=["answer"])
        answer = ""
        try:
            reply: Any = await self._client.create_elicitation(
                question.text, ElicitationFormSessionMode(session_id=self._session.id, requested_schema=schema)
            )
            if reply.action == "accept":
                answer = str((reply.content or {}).get("answer", ""))
        except (RequestError, ConnectionError, ValueError):
            pass
        self._run.answer(question.id, answer)

    async def _choose(self, call: ToolCallUpdate, ways: list[tuple[str, str, PermissionOptionKind]]) -> str:
        """ "": nobody chose."""
        options = [PermissionOption(option_id=id, name=name, kind=kind) for id, name, kind in ways]
        try:
            reply = await self._client.request_permission(session_id=self._session.id, tool_call=call, options=options)
        except (RequestError, ConnectionError, ValueError):  # an editor that cannot ask, or answers something else
            return ""
        chosen = reply.outcome.option_id if isinstance(reply.outcome, AllowedOutcome) else ""
        return chosen if chosen in {id for id, _name, _kind in ways} else ""


def _sentence(approval: Approval) -> str:
    sentence = approval.text.get(current_language()) or approval.text.get("en", "")
    return harmless(sentence or _("Run: {tool}").format(tool=tool_title(approval.name)))
