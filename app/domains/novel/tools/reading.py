"""What is there: latest_content_get, get_character_info, get_outline, get_open_threads, rag_query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError, near_names
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import key_values_card
from app.domains.kit.folder.root import Root
from app.domains.kit.tables import Column, table_card
from app.domains.kit.wording import N_, clauses, count_in, listed

from ..model.project import Book, Chapter, Character
from ..model.search import search
from ..model.words import count_words
from ..store.folder import NovelFolder
from .base import ChapterOrNewest, chapter_of, in_novel

_MOST_TAIL = 4_000
_UNRESOLVED = 0.34
STATUS = {
    "draft": N_("draft"), "in-progress": N_("in progress"), "completed": N_("completed"), "edited": N_("edited"),
}  # fmt: skip
_LIFE = {"alive": N_("alive"), "dead": N_("dead"), "absent": N_("absent"), "unknown": N_("unknown")}
_PHASES = {
    "planned": N_("planned"), "planted": N_("planted"), "due": N_("due"), "overdue": N_("overdue"), "paid": N_("paid"),
    "dropped": N_("dropped"),
}  # fmt: skip


@tool("app.read", title=N_("Read the latest text"), example={"chapter_id": "3"})
async def latest_content_get(
    ctx: ToolContext,
    chapter_id: ChapterOrNewest = "",
    word_count: Annotated[
        int, Field(ge=1, le=_MOST_TAIL, description="字 from the end"), Also("wordCount", "words", "length")
    ] = 800,
) -> ToolResult:
    """The newest text of a chapter, from its end; of the chapter before it where it is still empty."""

    def find(book: Book) -> tuple[Chapter, Chapter]:
        chapter = chapter_of(ctx, book, chapter_id)
        written = [one for one in book.before(chapter) if one.text.strip()]
        return chapter, chapter if chapter.text.strip() or not written else written[-1]

    (chapter, source), more = await in_novel(ctx, lambda _root, novel: find(novel.book))
    text = tail(source.text, word_count)
    data = {
        "text": text, "from_chapter": source.id, "is_previous": source is not chapter, "words": count_words(text),
        **more,
    }  # fmt: skip
    if not text:
        return ToolResult.success(data, ctx.say("nothing is written yet"), private=True)
    words = (
        N_("the last {n} words of {title}, the chapter before")
        if source is not chapter
        else N_("the last {n} words of {title}")
    )
    return ToolResult.success(data, ctx.say(words, n=data["words"], title=source.title or source.id), private=True)


def tail(text: str, words: int) -> str:
    """The last `words` 字, from the beginning of a paragraph where that is near."""
    plain = text.rstrip()
    low, high = 0, len(plain)
    while low < high:
        middle = (low + high) // 2
        if count_words(plain[middle:]) > words:
            low = middle + 1
        else:
            high = middle
    start = plain.find("\n", low, low + 120)
    return plain[start + 1 if low and start >= 0 else low :].strip("\n")


@tool("app.read", title=N_("Look up a character"), example={"name": "林舟"})
async def get_character_info(
    ctx: ToolContext,
    name: Annotated[str, Field(min_length=1, max_length=80, description="name or alias"), Also("character")],
    as_of_chapter: Annotated[int, Field(ge=1, le=100_000, description="number of a chapter"), Also("chapter")]
    | None = None,
) -> ToolResult:
    """The card of a character with relationships and the state at a chapter; the newest state otherwise."""

    def find(book: Book) -> Character:
        who = book.character(name)
        if who is None:
            near = near_names(name, [one for each in book.characters for one in each.names])
            hint = ctx.say("did you mean {names}?", names=listed(ctx.language, near)) if near else ""
            raise ToolError("NOT_FOUND", ctx.say("no card has the name {name}", name=name), hint=hint)
        return who

    who, more = await in_novel(ctx, lambda _root, novel: find(novel.book))
    state = who.state_at(as_of_chapter or 1_000_000)
    data = {
        **{key: value for key, value in asdict(who).items() if value and key != "state_by_chapter"},
        "state": asdict(state) if state is not None else None, "as_of_chapter": as_of_chapter, **more,
    }  # fmt: skip
    return ToolResult.success(data, _summary(ctx, who, data), display=_character_card(ctx, who, data), private=True)


def _summary(ctx: ToolContext, who: Character, data: dict[str, Any]) -> str:
    state = data["state"]
    parts = [who.name, who.role, who.description[:120]]
    if state is not None:
        parts.append(ctx.say("since chapter {n}: {status}", n=state["chapter"], status=ctx.say(_LIFE[state["status"]])))
    return listed(ctx.language, filter(None, parts))


def _character_card(ctx: ToolContext, who: Character, data: dict[str, Any]) -> Card:
    kin = [f"{one.type} {one.name}".strip() for one in who.relationships]
    state = data["state"] or {}
    life = ctx.say(_LIFE[state["status"]]) if state else ""
    facts = {
        ctx.say("Also called"): listed(ctx.language, who.aliases), ctx.say("Role"): who.role,
        ctx.say("Age"): who.age, ctx.say("Personality"): listed(ctx.language, who.personality),
        ctx.say("Goals"): listed(ctx.language, who.goals), ctx.say("Relationships"): listed(ctx.language, kin),
        ctx.say("State"): listed(ctx.language, filter(None, (life, state.get("place", "")))),
    }  # fmt: skip
    return key_values_card(who.name, facts)


@tool("app.read", title=N_("Read the outline"), example={"chapter_id": "3"})
async def get_outline(
    ctx: ToolContext,
    chapter_id: Annotated[str, Field(max_length=120), Also("chapter", "chapterId")] = "",
    first: Annotated[int, Field(ge=0, le=100_000, description="number of the first chapter of a range")] = 0,
    last: Annotated[int, Field(ge=0, le=100_000)] = 0,
) -> ToolResult:
    """Outline and beats of a chapter with its neighbours, or of a range of chapters (at most 20)."""

    def find(book: Book) -> list[Chapter]:
        if chapter_id:
            chapter = chapter_of(ctx, book, chapter_id)
            place = book.chapters.index(chapter)
            return book.chapters[max(0, place - 1) : place + 2]
        wanted = [one for one in book.chapters if (first or 0) <= one.number <= (last or 1_000_000)]
        return wanted[:20]

    def both(_root: Root, novel: NovelFolder) -> tuple[list[Chapter], dict[str, Any]]:
        return find(novel.book), _totals(novel.book)

    (chapters, totals), more = await in_novel(ctx, both)
    rows = [
        {"id": one.id, "number": one.number, "title": one.title, "status": one.status, "summary": one.summary[:400],
         "word_count_goal": one.word_count_goal, "words": count_words(one.text), **asdict(one.outline)}
        for one in chapters
    ]  # fmt: skip
    beats = sum(len(one.outline.beats) for one in chapters)
    summary = count_in(
        ctx.language, "{n} chapter, {beats} beats", "{n} chapters, {beats} beats", len(rows), beats=beats
    )
    data = {"book": totals, "chapters": rows, **more}
    return ToolResult.success(data, summary, display=_outline_card(ctx, totals["title"], chapters), private=True)


def _totals(book: Book) -> dict[str, Any]:
    words = sum(count_words(one.text) for one in book.chapters)
    return {"title": book.project.title, "chapters": len(book.chapters), "words": words,
            "word_count_goal": book.project.word_count_goal}  # fmt: skip


def _outline_card(ctx: ToolContext, title: str, chapters: Sequence[Chapter]) -> Card | None:
    columns = [
        Column("number", "#", is_number=True), Column("title", ctx.say("Chapter")),
        Column("words", ctx.say("Words"), is_number=True), Column("goal", ctx.say("Goal"), is_number=True),
        Column("status", ctx.say("State")), Column("beats", ctx.say("Beats")),
    ]  # fmt: skip
    rows = [
        {"number": one.number, "title": one.title or one.id, "words": count_words(one.text),
         "goal": one.word_count_goal or None,
         "status": ctx.say(STATUS[one.status]),
         "beats": clauses(ctx.language, one.outline.beats)}
        for one in chapters
    ]  # fmt: skip
    return table_card(title or ctx.say("Outline"), columns, rows) if rows else None


@tool("app.read", title=N_("Look for open threads"), example={"chapter_id": "3"})
async def get_open_threads(ctx: ToolContext, chapter_id: ChapterOrNewest = "") -> ToolResult:
    """Foreshadows that are due or overdue at a chapter, and beats of earlier outlines that their texts do not show."""

    def find(book: Book) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        from ..continuity.time.order import beat_share

        chapter = chapter_of(ctx, book, chapter_id)
        threads = [
            {**asdict(one), "phase": phase}
            for one in book.foreshadows
            if (phase := one.phase_at(chapter.number)) not in ("paid", "dropped", "planned")
        ]
        names = {name for who in book.characters for name in who.names}
        beats = [
            {"chapter": one.id, "beat": beat}
            for one in book.before(chapter)[-20:]
            if one.text.strip()
            for beat in one.outline.beats
            if beat_share(beat, one.text.casefold(), names) < _UNRESOLVED
        ]
        return threads, beats

    (threads, beats), more = await in_novel(ctx, lambda _root, novel: find(novel.book))
    rank = ["overdue", "due", "planted"]
    threads.sort(key=lambda one: (rank.index(one["phase"]), one["expected_by"] or 0))
    late = sum(one["phase"] != "planted" for one in threads)
    items = [
        {"text": one["title"], "state": {"overdue": "error", "due": "warn"}.get(one["phase"], "todo"),
         "hint": ctx.say(_PHASES[one["phase"]])}
        for one in threads
    ]  # fmt: skip
    items += [{"text": one["beat"], "state": "warn", "hint": one["chapter"]} for one in beats]
    summary = ctx.say("{n} open foreshadows, {late} due or overdue; {beats} beats not found", n=len(threads), late=late,
                      beats=len(beats))  # fmt: skip
    card = Card("checklist", {"title": ctx.say("Open threads"), "items": items}) if items else None
    data = {"foreshadows": threads, "beats": beats, **more}
    return ToolResult.success(data, summary, display=card, private=True)


@tool("app.read", title=N_("Search the book"), example={"query": "玉佩 来历"})
async def rag_query(
    ctx: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=500)],
    kinds: list[Literal["chapter", "summary", "character", "world", "fact", "foreshadow"]] | None = None,
    before_chapter: Annotated[
        str, Field(max_length=120, description="id or number: nothing of this chapter or later"), Also("before")
    ] = "",
    limit: Annotated[int, Field(ge=1, le=20)] = 8,
) -> ToolResult:
    """Passages of chapters, summaries, cards and facts that fit a question; never from later than before_chapter."""

    def find(book: Book) -> list[dict[str, Any]]:
        before = chapter_of(ctx, book, before_chapter).order if before_chapter else None
        return [asdict(one) for one in search(book, query, kinds or (), before, limit)]

    passages, more = await in_novel(ctx, lambda _root, novel: find(novel.book))
    summary = count_in(ctx.language, "{n} passage", "{n} passages", len(passages))
    return ToolResult.success({"passages": passages, **more}, summary, private=True)


TOOLS = (latest_content_get, get_character_info, get_outline, get_open_threads, rag_query)
