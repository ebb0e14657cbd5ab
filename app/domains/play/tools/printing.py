"""print_game, and what else of the child goes on paper: the window prints, a run without one has no PDF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from app.core import detached
from app.core.errors import ToolError
from app.core.tools.picture import CardPictures
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.files import file_name, write_file
from app.domains.kit.wording import N_, say_in

from ..cards import printed
from ..export.page import page_of
from ..store import PLANS, body_of
from .shown import evidence_of, findings_of


def printing(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Write the game as a new PDF file of one page")


@tool(
    "fs.write", title=N_("Print a game"), read_only=False, only_exports=True, approval_text=printing,
    example={"plan_id": "game-0123456789ab"},
)  # fmt: skip
async def print_game(ctx: ToolContext, plan_id: Annotated[str, Field(max_length=60)]) -> ToolResult:
    """Write a kept game as a PDF of one page in the export folder, to lie on the floor beside you. Needs the window."""
    plan = body_of(body_of((await PLANS.get(ctx, plan_id)).body).get("plan"))
    game = printed(ctx, plan, await findings_of(ctx, plan), await evidence_of(ctx, plan))
    page = await detached.in_thread(page_of, game, ctx.language)
    content = await pdf_of(ctx, page, str(plan["title"]), one_page=True)
    file = await write_file(ctx, f"{file_name(str(plan['title']), 'game')}.pdf", ".pdf", content, example="game.pdf")
    text = ctx.say("Wrote {file} in {parent}", file=file.path.name, parent=file.path.parent)
    return ToolResult.success(file.data(), text, display=file.card(ctx.say("one page")))


async def pdf_of(ctx: ToolContext, page: str, title: str, *, one_page: bool) -> bytes:
    """Raises ToolError UNAVAILABLE where no window prints."""
    pictures = ctx.resources.get("pictures")
    if not isinstance(pictures, CardPictures) or pictures.printer is None:
        message = ctx.say("a PDF is printed by the window, and there is none")
        raise ToolError("UNAVAILABLE", message, hint=ctx.say("md and json need no window"))
    return await detached.in_thread(pictures.printer, page, title, one_page)
