"""What every tool of the Novel studio begins with: the author's folder as a book, and a chapter of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field

from app.core import detached
from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.tool import ToolContext
from app.domains.kit.folder.root import Root, open_root
from app.domains.kit.wording import N_, listed, say_in

from ..model.project import Book, Chapter
from ..store.folder import NovelFolder, read_folder

T = TypeVar("T")
ChapterId = Annotated[
    str, Field(min_length=1, max_length=120, description="id of a chapter, its number or its title"),
    Also("chapter", "chapterId", "id"),
]  # fmt: skip
ChapterOrNewest = Annotated[
    str, Field(max_length=120, description="id, number or title; empty: the last chapter that has text"),
    Also("chapter", "chapterId", "id"),
]  # fmt: skip
_CHANGED = {"added": N_("{path} is new"), "changed": N_("{path} was changed"), "removed": N_("{path} is gone")}
_MOST_SAID = 8


def folder_of(ctx: ToolContext) -> Path:
    """Raises ToolError NO_FOLDER."""
    if ctx.workspace is None:
        raise ToolError(
            "NO_FOLDER", ctx.say("no folder is picked for this session"),
            hint=ctx.say("the person picks one above the message field; a command names one with --folder"),
        )  # fmt: skip
    return ctx.workspace


async def in_root(ctx: ToolContext, work: Callable[[Root], T]) -> T:
    """`work` in a thread, with the folder open; there may be no book in it yet."""
    path = folder_of(ctx)

    def run() -> T:
        with open_root(path) as root:
            return work(root)

    return await detached.in_thread(run)


async def in_novel(ctx: ToolContext, work: Callable[[Root, NovelFolder], T]) -> tuple[T, dict[str, Any]]:
    """`work` on the book as its files are now; and what others have changed in them, to be put into the data."""

    def run(root: Root) -> tuple[T, dict[str, Any]]:
        novel = read_folder(root)
        result = work(root, novel)
        novel.save_index(root)
        return result, outside_changes(ctx, novel)

    return await in_root(ctx, run)


def outside_changes(ctx: ToolContext, novel: NovelFolder) -> dict[str, Any]:
    """Empty where nobody else was there and everything could be read."""
    details: dict[str, Any] = {}
    if novel.changes:
        rows = [ctx.say(_CHANGED[change], path=path) for path, change in sorted(novel.changes.items())]
        more = len(rows) - _MOST_SAID
        text = listed(ctx.language, rows[:_MOST_SAID]) + (ctx.say(" and {n} more", n=more) if more > 0 else "")
        details["changed_outside"] = ctx.say("since last time: {changes}", changes=text)
    if novel.faults:
        details["unreadable"] = [{"path": path, "why": ctx.say(why)} for path, why in novel.faults[:_MOST_SAID]]
    return details


def chapter_of(ctx: ToolContext, book: Book, wanted: str) -> Chapter:
    """ "" is the last chapter with text, or the first one where none has any. Raises ToolError NO_CHAPTER with the
    chapters there are."""
    if not wanted and book.chapters:
        written = [one for one in book.chapters if one.text.strip()] or book.chapters[:1]
        return written[-1]
    chapter = book.chapter(wanted)
    if chapter is None:
        choices = ", ".join(f"{one.id} {one.title}".strip() for one in book.chapters[-12:])
        message = (
            ctx.say("there is no chapter {id}", id=wanted[:60]) if wanted else ctx.say("the book has no chapter yet")
        )
        raise ToolError("NO_CHAPTER", message, hint=choices)
    return chapter


def now_of(_ctx: ToolContext) -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def approval(words: str, *names: str) -> Callable[[Mapping[str, Any], str], str]:
    """The sentence of an approval: `words` marked for translation, with these arguments."""

    def say(args: Mapping[str, Any], language: str) -> str:
        return say_in(language, words, **{name: str(args.get(name, ""))[:200] for name in names})

    return say
