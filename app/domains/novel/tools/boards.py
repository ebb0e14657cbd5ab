"""show_board: foreshadows, timeline or people of the book as a card."""

from __future__ import annotations

from typing import Literal

from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.wording import N_

from ..boards import foreshadow_board, people_board, timeline_board
from .base import in_novel

BoardKind = Literal["foreshadows", "timeline", "people"]
_BUILDERS = {"foreshadows": foreshadow_board, "timeline": timeline_board, "people": people_board}


@tool("app.read", title=N_("Show a board"), example={"board": "foreshadows"})
async def show_board(ctx: ToolContext, board: BoardKind) -> ToolResult:
    """Show a board of the whole book: foreshadows (planted, due, overdue, paid), the timeline of events, or the people
    and how they are tied to each other. What contradicts itself shows check_continuity.
    """
    card, more = await in_novel(ctx, lambda _root, novel: _BUILDERS[board](ctx, novel.book))
    rows = next(value for key, value in card.payload.items() if isinstance(value, list) and key != "edges")
    summary = ctx.say("{title}: {n}", title=str(card.payload["title"]), n=len(rows))
    return ToolResult.success({**card.payload, **more}, summary, display=as_answer(card, summary), private=True)


TOOLS = (show_board,)
