"""The text of an inquiry that is a document and no sheet; the reading process of the knowledge bases reads it."""

from __future__ import annotations

from pathlib import Path

from app.core import detached
from app.core.errors import ToolError
from app.core.tools.tool import ToolContext
from app.core.wording.knowledge import FAULTS

SUFFIXES = (".pdf",)


async def text_of_document(ctx: ToolContext, path: Path) -> str:
    """Its lines, page after page. Raises ToolError FORMAT, NOT_FOUND."""
    reader = getattr(ctx.resources.get("knowledge"), "passages_of", None)
    if reader is None:
        raise ToolError("FORMAT", ctx.say("files of this kind cannot be read here"))
    if not await detached.in_thread(path.is_file):
        raise ToolError("NOT_FOUND", ctx.say("the file cannot be read: {why}", why="no file"))
    try:
        passages = await reader(path)
    except Exception as error:
        # The room behind the seam is not imported here: its refusal is known by its code.
        code = getattr(error, "code", None)
        if code is None:
            raise
        raise ToolError("FORMAT", f"{path.name}: {ctx.say(FAULTS.get(code, FAULTS['damaged']))}") from error
    return "\n".join(one.text for one in passages)
