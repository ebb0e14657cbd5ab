"""fetch_knowledge: activities that ship with the program. A query that names the child never goes to the web."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.documents import store_of
from app.domains.kit.wording import N_

from ..model.activity import activities
from ..model.vocabulary import DIMENSIONS, Dimension, Environment
from ..rules.privacy import pseudonyms_of
from ..rules.search import Wanted, find_activities
from ..store import stored_child


@tool("pure", title=N_("Look up activities"))
async def fetch_knowledge(
    ctx: ToolContext,
    query: Annotated[str, Field(max_length=500)],
    fedc: Annotated[int, Field(ge=1, le=6)] | None = None,
    dimensions: Annotated[list[Dimension], Field(max_length=8)] | None = None,
    age_months: Annotated[int, Field(ge=0, le=216)] | None = None,
    environment: Environment | None = None,
    limit: Annotated[int, Field(ge=1, le=20)] = 5,
    web: bool = False,
) -> ToolResult:
    """Activities for floor time by words, capacity, interest, age and place. Write the query without names, dates,
    places or a diagnosis; one that names the child is refused when the web is asked.
    """
    if web:
        await _may_leave(ctx, query)
        # Searching goes out by the program's own search tool, with its permission; this one only has the cards.
        raise ToolError("NETWORK_OFF", ctx.say("the web is searched by web_search"), hint=ctx.say("ask without web"))
    wanted = Wanted(fedc, tuple(dimensions or ()), age_months, environment)
    matches = find_activities(query, activities(), wanted, limit)
    cards = [one.to_json(ctx.language) for one in matches]
    items = [
        {
            "title": one.text("title", ctx.language), "text": one.text("idea", ctx.language),
            "sub": ctx.say("{n} minutes", n=one.minutes),
            "chips": [ctx.say(DIMENSIONS[name]) for name in one.dimensions],
        }
        for one in matches
    ]  # fmt: skip
    text = ctx.say("{n} activities", n=len(matches)) if matches else ctx.say("no activity fits")
    display = Card("gallery", {"title": ctx.say("Activities"), "items": items})
    return ToolResult.success({"cards": cards}, text, display=display if matches else None)


async def _may_leave(ctx: ToolContext, query: str) -> None:
    """Raises ToolError PII_BLOCKED."""
    pseudonyms = pseudonyms_of(await stored_child(store_of(ctx)) if ctx.documents is not None else None)
    if pseudonyms.profile_terms(query) or pseudonyms.outgoing(query) != query:
        raise ToolError(
            "PII_BLOCKED", ctx.say("the query names the child or its diagnosis; it was not sent"),
            hint=ctx.say("ask again with the interest and the kind of play only"),
        )  # fmt: skip
