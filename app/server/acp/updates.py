"""The items of a run as updates of the protocol: texts, thoughts, tool calls with their differences, the plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from acp import helpers
from acp.schema import AgentMessageChunk, AgentThoughtChunk, TextContentBlock, ToolCallLocation

from app.core.run.plan import Plan
from app.core.run.view import CallItem
from app.core.text.i18n import _
from app.core.tools.card_markdown import card_markdown
from app.core.wording.tools import tool_title

if TYPE_CHECKING:
    from acp.schema import AgentPlanUpdate, PlanEntryStatus, ToolCallProgress, ToolCallStart, ToolKind

    from app.core.tools.tool import PermissionClass, Tool

SHOWN: Final = 20_000
"""Characters of a result an editor is sent."""
LIVE: Final = 4_000
"""Characters of what a tool writes while it runs: its end."""
_KINDS: Mapping[PermissionClass, ToolKind] = {
    "fs.read": "read", "fs.write": "edit", "exec": "execute", "net": "fetch", "app.read": "read",
}  # fmt: skip
_KINDS_BY_WORD: Mapping[str, ToolKind] = {
    "search": "search", "find": "search", "move": "move", "delete": "delete", "remove": "delete",
}  # fmt: skip
"""By a word of the tool's name: its permission class does not tell these."""
_STATUS: Mapping[str, PlanEntryStatus] = {"pending": "pending", "running": "in_progress"}


def message_chunk(text: str, id: str) -> AgentMessageChunk:
    return AgentMessageChunk(
        session_update="agent_message_chunk", content=TextContentBlock(type="text", text=text), message_id=id
    )


def thought_chunk(text: str, id: str) -> AgentThoughtChunk:
    return AgentThoughtChunk(
        session_update="agent_thought_chunk", content=TextContentBlock(type="text", text=text), message_id=id
    )


def plan_update(plan: Plan) -> AgentPlanUpdate:
    """The protocol knows no failed step: what became of it is in its words."""
    entries = []
    for step in plan.steps:
        words = {"failed": _("failed"), "skipped": _("skipped")}.get(step.status, "")
        text = f"{step.description} ({words})" if words else step.description
        entries.append(helpers.plan_entry(text, status=_STATUS.get(step.status, "completed")))
    return helpers.update_plan(entries)


def kind_of(name: str, tool: Tool | None) -> ToolKind:
    by_word = next((_KINDS_BY_WORD[word] for word in name.split("_") if word in _KINDS_BY_WORD), None)
    return by_word or (_KINDS.get(tool.permission, "other") if tool is not None else "other")


def call_started(item: CallItem, tool: Tool | None, folder: Path) -> ToolCallStart:
    call = item.call
    return helpers.start_tool_call(
        call.id, tool_title(call.name), kind=kind_of(call.name, tool), status="pending",
        locations=locations(call.args, folder), raw_input=dict(call.args),
    )  # fmt: skip


def call_changed(item: CallItem, folder: Path) -> ToolCallProgress:
    result = item.result
    if result is None:
        written = "".join(item.written)[-LIVE:]
        content = [helpers.tool_content(helpers.text_block(written))] if written else None
        return helpers.update_tool_call(
            item.call.id, status="in_progress" if item.is_started else "pending", content=content
        )
    content = [*differences(result.display, folder)]
    if not content:
        display = result.display or {}
        card = card_markdown(str(display.get("card", "")), display.get("payload") or {}) if display else ""
        content = [helpers.tool_content(helpers.text_block((card or result.text or result.summary)[:SHOWN]))]
    return helpers.update_tool_call(item.call.id, status="completed" if result.ok else "failed", content=content)


def differences(display: Mapping[str, Any] | None, folder: Path) -> Iterator[Any]:
    """Of a card that shows changes of a file: one for each place that changes."""
    if not display or display.get("card") != "diff":
        return
    payload = display.get("payload") or {}
    path = str(folder / str(payload.get("path", "")))
    for hunk in payload.get("hunks") or ():
        old = None if payload.get("is_new") else str(hunk.get("old", ""))
        yield helpers.tool_diff_content(path, str(hunk.get("new", "")), old)


def locations(args: Mapping[str, Any], folder: Path) -> list[ToolCallLocation] | None:
    """The files a call names."""
    paths = [value for name in ("path", "from", "to") if isinstance(value := args.get(name), str) and value]
    return [ToolCallLocation(path=str(folder / path)) for path in paths] or None
