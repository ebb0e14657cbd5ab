"""What contradicts itself: check_continuity and check_outline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.wording import N_, count_in

from ..boards import MOST_SHOWN, continuity_board
from ..model.project import Book, Chapter
from .base import chapter_of, in_novel

if TYPE_CHECKING:
    from ..continuity.finding import ContinuityFinding

_WORDS = {
    "N01": N_("{subject} speaks and has no card"),
    "N02": N_("{subject} is dead since {other_chapter} and does something here"),
    "N03": N_("{subject}, {attribute}: {expected} before, {found} here"),
    "N04": N_("{found} comes after {expected}, which is later"),
    "N05": N_("chapter {expected} is missing before this one"),
    "N06": N_("the number {found} is used by {other_chapter} too"),
    "N07": N_("{found} words, the goal is {expected}"),
    "N08": N_("this paragraph stands in {other_chapter} already"),
    "N09": N_("the foreshadow {subject} was due by chapter {expected}"),
    "N10": N_("the narrator says {found} in a book told in the third person"),
    "N11": N_("{found}: is {expected} meant?"),
    "N12": N_("this beat of the outline is not in the text: {subject}"),
    "N13": N_("a word that is not to be used: {subject}"),
    "N14": N_("this is about the text and not of it: {found}"),
    "N15": N_("the text ends in the middle of a sentence"),
}
_GONE = N_("{subject} was lost or destroyed in {other_chapter} and is used here")
_ELSEWHERE = N_(
    "{subject} was locked up, bound, unconscious or away in {other_chapter}, and nothing tells how that ended"
)
_CARD = N_("{subject}, {attribute}: {expected} in the author's cards, {found} here")
_MET = N_("{subject} meet for the first time here, and have met in {other_chapter}")


@tool("app.read", title=N_("Check continuity"), timeout=120, example={"chapter_id": "3"})
async def check_continuity(
    ctx: ToolContext,
    chapter_id: Annotated[
        str,
        Field(max_length=120, description="id, number or title; empty: the whole book"),
        Also("chapter", "chapterId"),
    ] = "",
    text: Annotated[str, Field(max_length=200_000, description="a draft in place of the chapter's text")] = "",
    version: Annotated[str, Field(max_length=120, description="id of a version in place of the chapter's text")] = "",
) -> ToolResult:
    """Check a chapter, a draft of it or the whole book against itself: names, the dead, facts, times, numbers, length,
    repetition, foreshadows, point of view, beats, forbidden words, words about the text, a cut end.
    """
    if (text or version) and not chapter_id:
        raise ToolError("BAD_ARGUMENTS", ctx.say("a draft needs the chapter it is for"), hint="chapter_id")

    def find(root: Any, book: Book) -> list[ContinuityFinding]:
        from ..continuity.check import check_book, check_chapter  # hundreds of patterns: not at the start

        if not chapter_id:
            return check_book(book)
        chapter = chapter_of(ctx, book, chapter_id)
        return check_chapter(book, chapter, _draft(root, chapter, text, version))

    findings, more = await in_novel(ctx, lambda root, novel: find(root, novel.book))
    card = continuity_board(ctx, findings, [sentence(ctx, one) for one in findings]) if findings else None
    return ToolResult.success(
        {"findings": [row(ctx, one) for one in findings[:MOST_SHOWN]], "count": len(findings), **more},
        _summary(ctx, findings), display=card, private=True,
    )  # fmt: skip


def _draft(root: Any, chapter: Chapter, text: str, version: str) -> str | None:
    if version:
        from ..store.versions import version_of

        return version_of(root, chapter.id, version).text
    return text or None


def row(ctx: ToolContext, one: ContinuityFinding) -> dict[str, Any]:
    row = {key: value for key, value in asdict(one).items() if value not in ("", 0) and key != "values"}
    return {**row, "name": one.name, "text": sentence(ctx, one)}


def sentence(ctx: ToolContext, one: ContinuityFinding) -> str:
    words = _WORDS[one.code]
    if one.code == "N03" and one.values.get("attribute") == "gone":
        words = _GONE
    elif one.code == "N03" and one.values.get("attribute") == "elsewhere":
        words = _ELSEWHERE
    elif one.code == "N04" and not one.found:
        words = _MET
    if one.code == "N03" and not one.other_chapter and one.other_quote:
        words = _CARD
    values: Mapping[str, object] = {**asdict(one), "attribute": str(one.values.get("attribute", ""))}
    return ctx.say(words, **{key: values[key] for key in _named(words)})


def _named(words: str) -> list[str]:
    return [piece.partition("}")[0] for piece in words.split("{")[1:]]


def _summary(ctx: ToolContext, found: Sequence[ContinuityFinding]) -> str:
    if not found:
        return ctx.say("nothing contradicts itself, as far as this can be seen without a model")
    levels = Counter(one.level for one in found)
    codes = ", ".join(f"{code}×{n}" for code, n in sorted(Counter(one.code for one in found).items()))
    head = count_in(ctx.language, "{n} error", "{n} errors", levels["error"])
    return ctx.say("{errors}, {warnings} warnings, {notes} notes: {codes}", errors=head, warnings=levels["warn"],
                   notes=levels["info"], codes=codes)  # fmt: skip


@tool("app.read", title=N_("Check the outline"), example={})
async def check_outline(
    ctx: ToolContext,
    first: Annotated[
        int, Field(ge=0, le=100_000, description="number of the first chapter; 0: from the beginning")
    ] = 0,
    last: Annotated[int, Field(ge=0, le=100_000, description="0: to the end")] = 0,
) -> ToolResult:
    """Gaps and duplicates among the numbers of chapters, and outlines without purpose, beats or characters."""

    def find(book: Book) -> tuple[list[ContinuityFinding], list[dict[str, Any]]]:
        from ..continuity.time.order import numbers

        wanted = {one.id for one in book.chapters if first <= one.number <= (last or 1_000_000)}
        missing = [
            {"chapter": one.id, "title": one.title, "missing": fields}
            for one in book.chapters
            if one.id in wanted and (fields := _missing(one))
        ]
        return [one for one in numbers(book) if one.chapter in wanted], missing

    (findings, missing), more = await in_novel(ctx, lambda _root, novel: find(novel.book))
    items = [{"text": f"{one.code} · {sentence(ctx, one)}", "state": "error", "hint": one.chapter} for one in findings]
    items += [
        {"text": ctx.say("the outline lacks {fields}", fields=", ".join(row["missing"])), "state": "warn",
         "hint": f"{row['chapter']} {row['title']}"}
        for row in missing
    ]  # fmt: skip
    summary = ctx.say("{n} gaps or duplicates, {m} outlines lack something", n=len(findings), m=len(missing))
    card = Card("checklist", {"title": ctx.say("Outline"), "items": items[:MOST_SHOWN]}) if items else None
    data = {"findings": [row(ctx, one) for one in findings], "missing": missing, **more}
    return ToolResult.success(data, summary, display=card, private=True)


def _missing(chapter: Chapter) -> list[str]:
    """Of a chapter that is still to be written; a written one needs no outline any more."""
    if chapter.text.strip() and chapter.outline.is_empty:
        return []
    outline = chapter.outline
    named = {"purpose": outline.purpose, "beats": outline.beats, "characters": outline.characters}
    return [name for name, value in named.items() if not value]


TOOLS = (check_continuity, check_outline)
