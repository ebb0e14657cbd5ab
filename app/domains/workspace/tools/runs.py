"""The work as a whole: the list of what is to do, the summary at the end, and taking a run back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.documents import store_of
from app.domains.kit.wording import count_in, say_in

from ..model.changes import FileChange, changes_of
from ..model.journal import UNDO_TOOL
from .base import N_, in_folder, journal_of, seam_of

TODO = "workspace.todo"
MOST_ROWS = 40
"""Of the card; the result has all of them."""
Status = Literal["todo", "doing", "done", "dropped"]
_STATES: Mapping[str, str] = {"todo": "todo", "doing": "warn", "done": "ok", "dropped": "error"}
_OPS = {
    "new": N_("new"), "changed": N_("changed"), "moved": N_("moved"), "trashed": N_("in the bin"),
    "restored": N_("restored"),
}  # fmt: skip
Lines = list[Annotated[str, Field(max_length=500)]]


class Todo(TypedDict):
    text: Annotated[str, Field(min_length=1, max_length=300)]
    status: Status


def _listing(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Keep a list of {n} things to do", n=len(args.get("items") or ()))


@tool("app.write", title=N_("Things to do"), bookkeeping=True, approval_text=_listing, confined=True,
      example={"items": [{"text": "read the notes", "status": "doing"}]})  # fmt: skip
async def todo_write(ctx: ToolContext, items: Annotated[list[Todo], Field(max_length=60), Also("todos")]) -> ToolResult:
    """Keep the list of what is to do: the whole list each time. Use it for work of three steps or more."""
    rows = [{"text": one["text"], "status": one["status"]} for one in items]
    if ctx.documents is not None and ctx.session:
        await store_of(ctx).put(TODO, ctx.session, {"items": rows})
    done = sum(one["status"] == "done" for one in items)
    words = ctx.say("{done} of {all} done", done=done, all=len(items))
    entries = [{"text": one["text"], "state": _STATES[one["status"]]} for one in items]
    card = Card("checklist", {"title": ctx.say("Things to do"), "items": entries})
    return ToolResult.success({"items": rows}, words, display=card)


def _summing(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Show what was changed")


@tool("app.write", title=N_("Summary of the work"), bookkeeping=True, concludes=True, approval_text=_summing,
      confined=True, example={"done": ["sorted the notes"], "not_done": []})  # fmt: skip
async def summarise_work(
    ctx: ToolContext,
    done: Annotated[Lines, Field(max_length=40)],
    not_done: Annotated[Lines, Field(max_length=40)] = [],  # noqa: B006 - pydantic copies it
) -> ToolResult:
    """Show what was done, what was not, and every file that was changed, with a button that undoes all of it.
    Call it once, at the end of work that changed files.
    """
    seam = seam_of(ctx)
    journal = journal_of(ctx)
    changed = await in_folder(ctx, lambda root: changes_of(root, journal))
    data = {
        "done": done, "files": [one.to_json() for one in changed], "not_done": not_done, "undo_id": seam.run,
    }  # fmt: skip
    words = count_in(ctx.language, "{n} file changed", "{n} files changed", len(changed))
    return ToolResult.success(data, words, display=_summary_card(ctx, seam.run, changed, done, not_done))


def _summary_card(ctx: ToolContext, run: str, changed: list[FileChange], done: list[str], not_done: list[str]) -> Card:
    columns = [
        {"key": "op", "label": ctx.say("What")},
        {"key": "path", "label": ctx.say("File")},
        {"key": "added", "label": "+", "align": "right"},
        {"key": "removed", "label": "−", "align": "right"},
    ]
    rows = [_row(ctx, one) for one in changed[:MOST_ROWS]]
    if len(changed) > MOST_ROWS:
        rows.append({"path": ctx.say("and {n} more", n=len(changed) - MOST_ROWS)})
    head = count_in(ctx.language, "{n} file changed", "{n} files changed", len(changed))
    second = "; ".join([*done[:4], *(ctx.say("not done: {what}", what=one) for one in not_done[:3])])
    card = Card("table", {"title": ctx.say("Changes"), "columns": columns, "rows": rows})
    buttons = [CardAction("undo", ctx.say("Undo all of it"), UNDO_TOOL, {"id": run}, "danger")] if changed else []
    return as_answer(card, f"{head}\n{' '.join(second.split())[:300]}" if second else head, buttons)


def _row(ctx: ToolContext, change: FileChange) -> dict[str, Any]:
    counts = {"added": change.added, "removed": change.removed} if change.op in ("new", "changed") else {}
    return {"op": ctx.say(_OPS[change.op]), "path": change.path, **counts}


def _undoing(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Undo every change of the run {id}", id=str(args.get("id") or ""))


@tool("app.write", title=N_("Undo a run"), exclusive=True, confined=True, approval_text=_undoing, timeout=300,
      example={"id": "0199"})  # fmt: skip
async def undo_run(
    ctx: ToolContext,
    id: Annotated[
        str, Field(max_length=80, pattern=r"^[A-Za-z0-9_-]*$", description="undo_id of the summary; empty: this run")
    ] = "",
) -> ToolResult:
    """Undo everything a run has changed in the folder: edits, moves, what went into the bin. What somebody has changed
    since stays as it is and is named.
    """
    journal = journal_of(ctx, id)
    if not journal.exists:
        raise ToolError("NOTHING", ctx.say("there is nothing to undo"))
    outcome = await in_folder(ctx, journal.undo)
    count, kept = len(outcome.restored), [{"path": path, "why": ctx.say(why)} for path, why in outcome.kept]
    words = ctx.say("{n} changes undone", n=count)
    if kept:
        words += "\n" + "; ".join(f"{one['path']}: {one['why']}" for one in kept[:10])
    columns = [{"key": "path", "label": ctx.say("File")}, {"key": "why", "label": ctx.say("State")}]
    back = [{"path": path, "why": ctx.say("as it was")} for path in outcome.restored]
    card = Card("table", {"title": ctx.say("Undone"), "columns": columns, "rows": [*kept, *back]})
    lines = ctx.say("{n} changes undone", n=count)
    more = ctx.say("{n} kept: changed since", n=len(kept)) if kept else ""
    answer = as_answer(card, f"{lines}\n{more}" if more else lines)
    return ToolResult.success({"restored": outcome.restored, "kept": kept}, words[:600], display=answer)
