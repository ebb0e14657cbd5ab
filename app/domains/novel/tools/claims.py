"""find_contradictions: the model looks for what the rules cannot see; code checks what it claims."""

from __future__ import annotations

from typing import Any

from app.core.errors import ToolError
from app.core.tools.text_model import TEXT_MODEL, TextModel
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.wording import N_

from ..boards import continuity_board
from ..model.project import Book, Chapter
from ..planning.agent import object_in
from .base import ChapterOrNewest, chapter_of, in_novel
from .checking import row, sentence


@tool("app.read", title=N_("Look for contradictions"), exclusive=True, timeout=900, asks_model=True,
      example={"chapter_id": "3"})  # fmt: skip
async def find_contradictions(ctx: ToolContext, chapter_id: ChapterOrNewest = "") -> ToolResult:
    """Read a chapter against what stands before it with the model, for contradictions that check_continuity cannot
    see: who knows what, who is where, motives told otherwise. Only what two passages of the book show is taken.
    """
    model: TextModel | None = ctx.resources.get(TEXT_MODEL)
    if model is None:
        raise ToolError("NO_MODEL", ctx.say("this needs a language model"))

    def read(book: Book) -> tuple[Book, Chapter, str]:
        from ..continuity.cast import with_cast
        from ..continuity.claims import request_of

        chapter = chapter_of(ctx, book, chapter_id)
        return book, chapter, request_of(with_cast(book, book.chapters), chapter)

    (book, chapter, request), more = await in_novel(ctx, lambda _root, novel: read(novel.book))
    from ..continuity.claims import RULES, checked

    answer = "".join([piece async for piece in model(RULES, request)])
    body = object_in(answer)
    if body is None or not isinstance(body.get("contradictions"), list):
        raise ToolError("UPSTREAM", ctx.say("the model gave no list of contradictions"), retryable=True)
    claims = checked(body, book, chapter)
    found, title = claims.findings, chapter.title or chapter.id
    summary = ctx.say("{title}: {n} contradictions shown by two passages", title=title, n=len(found))
    if claims.dropped:
        summary = ctx.say("{summary}; {n} claims left out, which the book does not show", summary=summary,
                          n=claims.dropped)  # fmt: skip
    card = continuity_board(ctx, found, [sentence(ctx, one) for one in found]) if found else None
    data: dict[str, Any] = {"findings": [row(ctx, one) for one in found], "dropped": claims.dropped, **more}
    return ToolResult.success(data, summary, display=card, private=True)


TOOLS = (find_contradictions,)
