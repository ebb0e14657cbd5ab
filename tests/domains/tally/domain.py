"""Counts things: one tool, one card, two slots, one setting."""

from __future__ import annotations

from pydantic import BaseModel

from app.core.domain import Domain
from app.core.resources import domain_dir
from app.core.setting import setting
from app.core.text.i18n import N_
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool


class Settings(BaseModel):
    price: int = setting(2, ge=1, le=9, title=N_("Price"), help=N_("Of one thing."))


@tool("pure", title=N_("Count things"))
def tally_up(ctx: ToolContext, thing: str, count: int = 1) -> ToolResult:
    """How many things there are and what they cost."""
    price = count * (ctx.settings.price if ctx.settings else Settings().price)
    rows = [{"label": thing, "value": str(count)}, {"label": ctx.say("Price"), "value": str(price)}]
    card = Card("key_values", {"title": thing, "items": rows}, role="answer", summary=f"{count} {thing}")
    return ToolResult.success(
        {"thing": thing, "count": count, "price": price}, f"{count} {thing}: {price}", display=card
    )


DOMAIN = Domain("tally", (tally_up,), domain_dir("tally"), settings=Settings)
