"""The person's documents: found by a question, read in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from app.core.errors import ToolError, UnknownName
from app.core.knowledge import Hit, Knowledge, Passage
from app.core.text.i18n import N_
from app.core.tools.tool import ToolContext, ToolResult, tool


@tool("app.read", title=N_("Search documents"), private=True, outside=True)
async def search_documents(
    ctx: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=500)],
    folder: Annotated[str, Field(max_length=1_000, description="Only files whose path begins so")] = "",
    limit: Annotated[int, Field(ge=0, le=20, description="0: as many as is usual for this agent")] = 0,
) -> ToolResult:
    """Passages of the person's documents that fit the query, each with its document and place."""
    knowledge, bases = _bases(ctx)
    hits = await knowledge.search(bases, query, limit or ctx.knowledge_limit, folder=folder)
    if not hits:
        if not await knowledge.known(bases):
            raise ToolError("NO_INDEX", ctx.say("there is no knowledge base yet"))
        return ToolResult.success({"passages": []}, ctx.say("no passage fits"))
    data: dict[str, Any] = {"passages": [_shown(ctx, hit) for hit in hits]}
    if knowledge.fault is not None:
        data["note"] = f"searched by words alone: {knowledge.fault.message}"
    return ToolResult.success(data, ctx.say("{n} passages", n=len(hits)))


@tool("app.read", title=N_("Read a document"), private=True, outside=True)
async def read_document(
    ctx: ToolContext,
    doc_id: Annotated[str, Field(min_length=1, max_length=2_000, description="As `search_documents` gave it")],
    start: Annotated[int, Field(ge=0, description="Characters to pass over")] = 0,
    chars: Annotated[int, Field(ge=100, le=50_000)] = 4_000,
) -> ToolResult:
    """A document's text, from a passage or character on."""
    knowledge, bases = _bases(ctx)
    try:
        text, length = await knowledge.read(bases, doc_id, start, chars)
    except UnknownName as error:
        raise ToolError("UNKNOWN_DOCUMENT", ctx.say("there is no such document: {id}", id=doc_id)) from error
    return ToolResult.success({"text": text, "length": length}, truncated=len(text) >= chars)


def _bases(ctx: ToolContext) -> tuple[Knowledge, Sequence[str]]:
    knowledge: Knowledge | None = ctx.resources.get("knowledge")
    bases: Sequence[str] = ctx.knowledge
    if knowledge is None or not bases:
        raise ToolError("NO_INDEX", ctx.say("this agent has no knowledge base"))
    return knowledge, bases


def _shown(ctx: ToolContext, hit: Hit) -> dict[str, Any]:
    name = hit.path.replace("\\", "/").rpartition("/")[2]
    return {
        "doc_id": hit.id, "document": name, "place": _place(ctx, hit.passage), "text": hit.passage.text,
        "score": hit.score,
    }  # fmt: skip


def _place(ctx: ToolContext, passage: Passage) -> str:
    pieces = [
        ctx.say("page {n}", n=passage.page) if passage.page else "",
        passage.sheet,
        ctx.say("row {n}", n=passage.row) if passage.row and passage.sheet else "",
        passage.heading,
    ]
    return " · ".join(piece for piece in pieces if piece)
