"""The person's documents: found by a question, read in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import Field

from app.core.errors import KnowledgeServerFailed, ToolError, UnknownName
from app.core.knowledge import Hit, Knowledge, Passage
from app.core.sources import Source, keep_source, new_source, text_hash
from app.core.text.i18n import N_, count_in
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool


@tool("app.read", title=N_("Search documents"), icon="book", private=True, outside=True)
async def search_documents(
    ctx: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=500)],
    folder: Annotated[str, Field(max_length=1_000, description="Only files whose path begins so")] = "",
    limit: Annotated[int, Field(ge=0, le=20, description="0: as many as is usual for this agent")] = 0,
) -> ToolResult:
    """Passages of the person's documents that fit the query, each with its document and place."""
    knowledge, bases = _bases(ctx)
    try:
        hits = await knowledge.search(bases, query, limit or ctx.knowledge_limit, folder=folder)
    except KnowledgeServerFailed as error:
        raise _away(ctx, error) from error
    if not hits:
        if not await knowledge.known(bases):
            raise ToolError("NO_INDEX", ctx.say("there is no knowledge base yet"))
        return ToolResult.success({"passages": []}, ctx.say("no passage fits"))
    data: dict[str, Any] = {"passages": [await _shown(ctx, hit) for hit in hits]}
    if knowledge.fault is not None:
        lost = isinstance(knowledge.fault, KnowledgeServerFailed)
        scope = "bases on the server were not searched" if lost else "searched by words alone"
        data["note"] = f"{scope}: {knowledge.fault.message}"
    return ToolResult.success(
        data, count_in(ctx.language, "{n} passage", "{n} passages", len(hits)), display=_card(ctx, query, hits)
    )


@tool("app.read", title=N_("Read a document"), icon="book", private=True, outside=True)
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
    except KnowledgeServerFailed as error:
        raise _away(ctx, error) from error
    path = doc_id.rpartition("#")[0] or doc_id
    source = await _kept(ctx, path, doc_id, _name(path), text, start)
    return ToolResult.success({"text": text, "length": length, "source": source.id}, truncated=len(text) >= chars)


def _card(ctx: ToolContext, query: str, hits: Sequence[Hit]) -> Card:
    """The hits as the person sees them; each opens in its place."""
    items = [
        {
            "n": n, "title": " · ".join(filter(None, [_name(hit.path), _place(ctx, hit.passage)])),
            "note": " ".join(hit.passage.text.split())[:200],
            "passage": {"base": hit.base, "doc": hit.id, "query": query},
        }
        for n, hit in enumerate(hits, 1)
    ]  # fmt: skip
    return Card("sources", {"title": query[:80], "items": items})


def _away(ctx: ToolContext, error: KnowledgeServerFailed) -> ToolError:
    message = ctx.say("the server of the shared knowledge bases does not answer: {why}", why=error.message)
    return ToolError("SERVER_AWAY", message, retryable=True)


def _bases(ctx: ToolContext) -> tuple[Knowledge, Sequence[str]]:
    knowledge: Knowledge | None = ctx.resources.get("knowledge")
    bases: Sequence[str] = ctx.knowledge
    if knowledge is None or not bases:
        raise ToolError("NO_INDEX", ctx.say("this agent has no knowledge base"))
    return knowledge, bases


async def _shown(ctx: ToolContext, hit: Hit) -> dict[str, Any]:
    place = _place(ctx, hit.passage)
    title = " · ".join(filter(None, [_name(hit.path), place]))
    source = await _kept(ctx, hit.path, hit.id, title, hit.passage.text)
    return {
        "doc_id": hit.id, "source": source.id, "document": _name(hit.path), "place": place, "text": hit.passage.text,
        "score": hit.score,
    }  # fmt: skip


async def _kept(ctx: ToolContext, path: str, id: str, title: str, text: str, start: int = 0) -> Source:
    """As a source of the session, cited like a page; by its name, since a report may go to others."""
    key = text_hash(f"{id} {start}")[:8]
    return await keep_source(
        ctx.documents, ctx.session, new_source(f"document:{quote(_name(path))}?passage={key}", title, "document", text)
    )


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _place(ctx: ToolContext, passage: Passage) -> str:
    pieces = [
        ctx.say("page {n}", n=passage.page) if passage.page else "",
        passage.sheet,
        ctx.say("row {n}", n=passage.row) if passage.row and passage.sheet else "",
        passage.heading,
    ]
    return " · ".join(piece for piece in pieces if piece)
