"""The memory of an agent, as its model uses it: looking up facts, and proposing new ones."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.core.errors import ToolError
from app.core.memory import LONGEST_FACT, OWN_MEMORY, Memory, MemoryFact
from app.core.text.i18n import N_, count_in
from app.core.text.moments import utc_time
from app.core.tools.tool import ToolContext, ToolResult, tool


@tool("app.read", title=N_("Look up memory"), icon="database", private=True)
async def fetch_memory(
    ctx: ToolContext,
    query: Annotated[str, Field(max_length=2_000, description="What to look for; empty lists the newest facts")] = "",
    limit: Annotated[int, Field(ge=1, le=100)] = 15,
    kinds: Annotated[list[Literal["fact", "observation", "session", "review"]], Field(max_length=4)] = [],  # noqa: B006 - pydantic copies it
) -> ToolResult:
    """Facts remembered about the person from earlier sessions that fit the query, best first."""
    own = ctx.resources.get(OWN_MEMORY)
    recalled = await (
        own(query, limit, tuple(kinds))
        if own is not None
        else _memory(ctx).recall(ctx.agent, query, limit, kinds=tuple(kinds))
    )
    facts = [
        {"id": one.fact.id, "date": _day(one.fact), "text": one.fact.text, "kind": one.fact.kind, "score": one.score}
        for one in recalled
    ]
    if not facts:
        return ToolResult.success({"facts": []}, ctx.say("nothing is remembered about this"))
    return ToolResult.success(
        {"facts": facts}, count_in(ctx.language, "{n} remembered fact", "{n} remembered facts", len(facts))
    )


@tool("app.write", title=N_("Remember"), icon="database")
async def remember(
    ctx: ToolContext,
    text: Annotated[str, Field(min_length=2, max_length=LONGEST_FACT, description="One fact, one sentence")],
    about: Annotated[
        str,
        Field(max_length=40, description="A short key where only one value is true at a time, such as home or work"),
    ] = "",
    replaces: Annotated[str, Field(max_length=40, description="Id of a fact that is not true any more")] = "",
) -> ToolResult:
    """Propose a lasting fact about the person to remember for later sessions. The person confirms it."""
    fact = MemoryFact("", ctx.agent, text, about=about, session=ctx.session, run=ctx.run, replaces=replaces)
    added = await _memory(ctx).propose(fact)
    if added is None:
        return ToolResult.success({"state": "known"}, ctx.say("this is known already"))
    if added.state == "kept":
        return ToolResult.success({"id": added.id, "state": "kept"}, ctx.say("remembered: {text}", text=added.text))
    summary = ctx.say("proposed to the person: {text}", text=added.text)
    return ToolResult.success({"id": added.id, "state": "proposed"}, summary)


def _memory(ctx: ToolContext) -> Memory:
    memory: Memory | None = ctx.resources.get("memory")
    if memory is None:
        raise ToolError("NO_MEMORY", ctx.say("there is no memory here"))
    return memory


def _day(fact: MemoryFact) -> str:
    return utc_time(fact.valid_from).date().isoformat()
