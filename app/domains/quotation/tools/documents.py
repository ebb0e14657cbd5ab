"""Inquiries that are no sheets: the text of a document, which the reading process of the knowledge bases reads, and the
lines of a picture, which the model of the run reads.
"""

from __future__ import annotations

from pathlib import Path

from app.core import detached
from app.core.errors import ToolError
from app.core.tools.text_model import TEXT_MODEL, TextModel
from app.core.tools.tool import ToolContext
from app.core.wording.knowledge import FAULTS
from app.domains.kit.wording import N_

from ..reading.inquiry import Inquiry
from ..reading.picture import REQUEST, RULES, of_answer, picture_url

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


async def inquiry_of_picture(ctx: ToolContext, path: Path) -> Inquiry:
    """Raises ToolError NOT_FOUND, FORMAT, NO_LINES, and those of `TextModel`."""
    image = await detached.in_thread(picture_url, path)
    model: TextModel | None = ctx.resources.get(TEXT_MODEL)
    if model is None:
        hint = N_("set one up in the settings, or type the lines")
        raise ToolError("NO_MODEL", N_("a picture is read by a language model that sees pictures"), hint=hint)
    return of_answer("".join([piece async for piece in model(RULES, REQUEST, (image,))]))
