"""export_child_data and delete_child_data: everything of the child in one file, and everything gone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer, key_values_card
from app.domains.kit.files import write_file
from app.domains.kit.wording import N_, say_in

from ..store import body_of, child, delete_everything, everything
from . import record
from .printing import pdf_of


def exporting(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Write all data of the child to a new {format} file", format=str(args.get("format", "")))


def deleting(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Delete the child's profile and everything kept of it, for good")


@tool("fs.write", title=N_("Export the child's data"), only_exports=True, approval_text=exporting)
async def export_child_data(
    ctx: ToolContext,
    format: Literal["json", "md", "pdf"] = "json",
    path: Annotated[str, Field(max_length=300, description="a file name inside the export folder")] = "",
) -> ToolResult:
    """Write everything kept of the child to one file: the guardian's own copy, with the nickname."""
    await child(ctx)
    kept = await everything(ctx)
    if format == "json":
        bodies = {kind: [body_of(document.body) for document in documents] for kind, documents in kept.items()}
        text = json.dumps({"format": "triptych.play", "version": 1, **bodies}, ensure_ascii=False, indent=2)
        content = text.encode()
    elif format == "md":
        content = record.markdown(ctx, kept).encode()
    else:
        page = record.html(record.markdown(ctx, kept))
        content = await pdf_of(ctx, page, ctx.say("Everything kept"), one_page=False)
    name = path or f"play-{_day(ctx)}.{format}"
    file = await write_file(ctx, name, f".{format}", content, example="play.json")
    text = ctx.say("Wrote {file} in {parent}", file=file.path.name, parent=file.path.parent)
    return ToolResult.success(file.data(), text, display=file.card())


@tool("app.write", title=N_("Delete the child's data"), approval_text=deleting, asks=lambda _args: True)
async def delete_child_data(
    ctx: ToolContext,
    confirm_text: Annotated[str, Field(max_length=80, description="the nickname, as the guardian types it")],
) -> ToolResult:
    """Delete profile, observations, games and sessions for good. The guardian types the nickname to confirm."""
    profile = await child(ctx)
    if confirm_text.strip() != profile.nickname:
        message = ctx.say("nothing was deleted: what was typed is not the nickname")
        raise ToolError("NOT_CONFIRMED", message, hint=ctx.say("the guardian types the nickname"))
    counts = await delete_everything(ctx)
    card = key_values_card(
        ctx.say("Deleted"), [(ctx.say(record.NAMES[kind]), number) for kind, number in counts.items()]
    )
    text = ctx.say("Everything of the child is deleted")
    # In the place of the form it was asked from, which shows what is gone now.
    return ToolResult.success({"deleted": counts}, text, display=as_answer(card, text))


def _day(ctx: ToolContext) -> str:
    return (ctx.today or datetime.now(UTC).date()).isoformat()
