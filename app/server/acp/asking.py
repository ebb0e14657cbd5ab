"""What a run asks of the person, asked in the editor: approvals, a plan to look at, questions, a used-up budget."""

from __future__ import annotations

import json
from collections.abc import Sequence
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
from app.core.run.plan import Plan
from app.core.text.globs import exactly
from app.core.text.i18n import _
from app.core.wording.notices import budget_text
from app.core.wording.permissions import rule_text
from app.services.runs.asking import AskedApproval

from .parts import AcpParts, EditorSession
from .updates import differences, kind_of, locations

if TYPE_CHECKING:
    from acp.interfaces import Client
    from acp.schema import PermissionOptionKind


class EditorPerson:
    """A person at the editor (`Person` of `app.services.runs.asking`), asked about the run with the id `run`."""

    def __init__(self, client: Client, parts: AcpParts, session: EditorSession, run: str) -> None:
        self._client, self._parts, self._session, self._run = client, parts, session, run

    @property
    def has_forms(self) -> bool:
        can = self._session.can.elicitation
        return can is not None and can.form is not None

    async def approve(self, asked: AskedApproval) -> str:
        approval, folder = asked.approval, self._session.folder
        tool = self._parts.tools.named(approval.name)
        lines = [rule_text(approval.rule), *asked.warnings, *filter(None, [asked.mended])]
        # ASCII: nothing invisible and no change of direction can hide in what is approved.
        lines.append(json.dumps(dict(approval.args), ensure_ascii=True, indent=2))
        content = [helpers.tool_content(helpers.text_block("\n\n".join(lines)))]
        call = ToolCallUpdate(
            tool_call_id=approval.tool_call_id or approval.id, title=asked.title, status="pending",
            kind=kind_of(approval.name, tool), raw_input=dict(approval.args),
            locations=locations(approval.args, folder), content=[*differences(approval.preview, folder), *content],
        )  # fmt: skip
        ways: list[tuple[str, str, PermissionOptionKind]] = [("once", _("Allow once"), "allow_once")]
        if "run" in approval.choices:
            ways.append(("run", _("Allow for this run"), "allow_always"))
        if asked.lasting is not None and not approval.careful:
            ways.append(("always", _("Allow always"), "allow_always"))
        choice = await self._choose(call, [*ways, ("deny", _("Deny"), "reject_once")])
        if choice == "always" and asked.lasting is not None:
            try:
                await asked.keep(exactly(asked.lasting))
            except (TriptychError, OSError):
                return "once"
        return choice

    async def accepts(self, plan: Plan) -> bool:
        text = "\n".join(f"{step.step}. {step.description}" for step in plan.steps)
        call = ToolCallUpdate(
            tool_call_id=f"plan {self._run}", title=_("Run this plan?"), kind="switch_mode", status="pending",
            content=[helpers.tool_content(helpers.text_block(text))],
        )  # fmt: skip
        ways: list[tuple[str, str, PermissionOptionKind]] = [
            ("once", _("Run the plan"), "allow_once"), ("deny", _("Stop"), "reject_once"),
        ]  # fmt: skip
        return await self._choose(call, ways) == "once"

    async def raised(self, kind: str, used: float, limit: float, scope: str) -> float | None:
        call = ToolCallUpdate(
            tool_call_id=f"budget {self._run}", kind="other", status="pending",
            title=budget_text(kind, used, limit, scope),
        )  # fmt: skip
        more = max(limit, used) * 2
        raise_it = _("Raise to {limit:.10g}").format(limit=more)
        choice = await self._choose(call, [("once", raise_it, "allow_once"), ("deny", _("Answer now"), "reject_once")])
        return more if choice == "once" else None

    async def answer(self, text: str, options: Sequence[str]) -> str:
        """In a form of the editor; a question to an editor without forms ends the prompt instead (`turn`)."""
        field = ElicitationStringPropertySchema(type="string", title=text[:200], enum=list(options) or None)
        schema = ElicitationSchema(properties={"answer": field}, required=["answer"])
        try:
            reply: Any = await self._client.create_elicitation(
                text, ElicitationFormSessionMode(session_id=self._session.id, requested_schema=schema)
            )
        except (RequestError, ConnectionError, ValueError):
            return ""
        return str((reply.content or {}).get("answer", "")) if reply.action == "accept" else ""

    async def _choose(self, call: ToolCallUpdate, ways: list[tuple[str, str, PermissionOptionKind]]) -> str:
        """ "": nobody chose."""
        options = [PermissionOption(option_id=id, name=name, kind=kind) for id, name, kind in ways]
        try:
            reply = await self._client.request_permission(session_id=self._session.id, tool_call=call, options=options)
        except (RequestError, ConnectionError, ValueError):  # an editor that cannot ask, or answers something else
            return ""
        chosen = reply.outcome.option_id if isinstance(reply.outcome, AllowedOutcome) else ""
        return chosen if chosen in {id for id, _name, _kind in ways} else ""
