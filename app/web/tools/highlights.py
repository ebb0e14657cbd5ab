"""search_readwise_highlights and import_highlights: the person's own markings."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from app.core.arguments.hints import Also, Words
from app.core.errors import ToolError
from app.core.sources import keep_source, new_source
from app.core.stores import DocumentStore
from app.core.text.i18n import N_, count_in
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

from ..highlights import library, readwise
from ..highlights.read import read
from ..pages.charset import decoded
from .given import web_of
from .search import Text

LARGEST_FILE = 30 * 1024 * 1024


def _store(ctx: ToolContext) -> DocumentStore:
    if ctx.documents is None:
        raise ToolError("UNAVAILABLE", ctx.say("there is no store for highlights here"))
    return ctx.documents


@tool("app.read", title=N_("Search your highlights"), icon="book", private=True)
async def search_readwise_highlights(
    ctx: ToolContext,
    query: Text,
    book: Annotated[str, Field(max_length=200), Also("title")] = "",
    author: Annotated[str, Field(max_length=200)] = "",
    tag: Annotated[str, Field(max_length=100)] = "",
    since: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="a day")] | None = None,
    limit: Annotated[int, Field(ge=1, le=50), Also("count", "n")] = 10,
) -> ToolResult:
    """Search what the person marked while reading (imported from Readwise or a file), by words, book, author or tag."""
    every = await library.every(_store(ctx))
    if not every:
        message = ctx.say("no highlights have been imported yet")
        raise ToolError(
            "NO_LIBRARY", message, hint=ctx.say("import_highlights takes a Readwise token or a csv, md or json file")
        )
    matches = library.search(every, query, book=book, author=author, tag=tag, since=since or "", limit=limit)
    items: list[dict[str, Any]] = []
    for one in matches:
        title = ", ".join(filter(None, [one.title, one.author]))
        source = await keep_source(
            ctx.documents, ctx.session, new_source(f"highlight:{one.id}", title, "highlight", f"{one.text}\n{one.note}")
        )
        items.append({
            "id": one.id, "source": source.id, "text": one.text, "note": one.note, "title": one.title,
            "author": one.author, "location": one.location, "highlighted_at": one.highlighted_at, "tags": one.tags,
        })  # fmt: skip
    rows = [{"n": n, "title": item["title"] or "–", "note": item["text"][:200]} for n, item in enumerate(items, 1)]
    head = count_in(ctx.language, "{shown} of {n} highlight", "{shown} of {n} highlights", len(every), shown=len(items))
    lines = [f"{item['source']} {item['title'][:40]}: {item['text'][:60]}" for item in items[:5]]
    return ToolResult.success(
        {"highlights": items, "total": len(every)}, "\n".join([head, *lines]),
        display=Card("sources", {"title": ctx.say("Highlights"), "items": rows}), source=["highlights"],
    )  # fmt: skip


@tool("fs.read", title=N_("Import highlights"), read_only=False, exclusive=True, timeout=300, outside=True)
async def import_highlights(
    ctx: ToolContext,
    source: Annotated[
        Literal["api", "csv", "md", "json", "txt"],
        Words(api=("readwise", "Readwise"), md=("markdown",), txt=("kindle", "clippings")),
        Also("format", "from"),
    ],
    path: Annotated[str, Field(max_length=4_000, description="the file; not for api"), Also("file")] | None = None,
) -> ToolResult:
    """Import highlights from Readwise (its token is in the settings) or from a file. What is there already stays."""
    if source == "api":
        find: Callable[[], Awaitable[tuple[str, str]]] | None = ctx.resources.get("readwise")
        address, token = await find() if find is not None else ("", "")
        if not token:
            message = ctx.say("no Readwise token is set")
            raise ToolError(
                "AUTH", message, hint=ctx.say("a token is had at readwise.io/access_token; keep it in the settings")
            )
        highlights = await readwise.export(web_of(ctx).http, address, token)
    else:
        if not path:
            raise ToolError("BAD_ARGUMENTS", ctx.say("path names the file to import"))
        highlights = read(await asyncio.to_thread(_file_text, path), source)
    counts = await library.add(_store(ctx), highlights)
    text = ctx.say("{added} added, {updated} updated, {skipped} known already", **counts)
    items = [{"label": ctx.say(label), "value": str(counts[key])} for key, label in _LABELS.items()]
    return ToolResult.success(
        dict(counts), text, display=Card("key_values", {"title": ctx.say("Highlights"), "items": items})
    )


_LABELS = {"added": N_("added"), "updated": N_("updated"), "skipped": N_("known already")}


def _file_text(given: str) -> str:
    try:
        path = Path(given).expanduser()
        if path.stat().st_size > LARGEST_FILE:
            raise ToolError(
                "TOO_BIG", N_("the file is larger than {n} MB"), values={"n": LARGEST_FILE // (1024 * 1024)}
            )
        return decoded(path.read_bytes())[0]
    except (OSError, ValueError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        raise ToolError("NOT_FOUND", N_("the file cannot be read: {why}"), values={"why": why}) from None
