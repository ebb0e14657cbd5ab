"""Whole books in and out: import_novel and export_novel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from app.core import detached
from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.text.os_errors import os_words
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.files import file_name, write_file
from app.domains.kit.folder.root import Root
from app.domains.kit.tables import Column, table_card
from app.domains.kit.wording import N_, count_in, say_in

from ..model.project import Chapter, Project
from ..model.words import count_words
from ..store.folder import NovelFolder, create, is_novel, read_folder
from .base import folder_of, in_novel, in_root

if TYPE_CHECKING:  # the readers and writers of whole books are loaded when one is used
    from ..reading.book_file import BookFile
    from ..reading.split import Split, SplitFault

_FAULTS = {
    "GAP": N_("chapters {first} to {last} are missing before this one"),
    "DUPLICATE": N_("the number {first} stands twice"),
    "ORDER": N_("the number {first} comes after a higher one"),
    "EMPTY": N_("it has no text"),
    "LONG": N_("{first} words: a heading may have been missed"),
    "SAME_TEXT": N_("its text stands in another chapter too"),
}
_ONE_MISSING = N_("chapter {first} is missing before this one")
_MOST_ROWS = 3_000


@tool(
    "fs.read", title=N_("Import a novel"), read_only=False, exclusive=True, timeout=600, example={"path": "novel.txt"}
)
async def import_novel(
    ctx: ToolContext,
    path: Annotated[str, Field(min_length=1, max_length=4_096, description="txt, md, docx or epub"), Also("file")],
    split_rule: Annotated[
        str, Field(max_length=300, description="what every heading begins with, or a regular expression for its line")
    ] = "",
    confirm: Annotated[bool, Field(description="put the chapters into the folder; else they are only shown")] = False,
) -> ToolResult:
    """Split a book into chapters and show them with gaps, duplicates and lengths. With confirm=true they are put into
    the picked folder as a new book; nothing that is there is written over.
    """
    book, name = await _read(ctx, path, split_rule)
    rows = _rows(ctx, book.split)
    data: dict[str, Any] = {
        "title": book.title, "encoding": book.encoding, "damaged": book.damaged, "words": book.split.words,
        "chapters": len(book.split.parts), "volumes": book.split.volumes,
        "faults": [{"code": one.code, "chapter": book.split.parts[one.part].heading, "text": _told(ctx, one)}
                   for one in book.split.faults[:200]],
    }  # fmt: skip
    summary = _summary(ctx, book)
    if not confirm:
        card = as_answer(_card(ctx, book, rows), summary, [
            CardAction("import", ctx.say("Import {n} chapters", n=len(book.split.parts)), "import_novel",
                       {"path": path, "split_rule": split_rule, "confirm": True}, "primary")
        ])  # fmt: skip
        return ToolResult.success(data, summary, display=card, source=[name], untrusted=True)
    stored = await in_root(ctx, lambda root: _store(ctx, root, book))
    text = ctx.say("{n} chapters are in the folder now: {title}", n=stored, title=book.title)
    return ToolResult.success({**data, "imported": stored}, text, source=[name], untrusted=True)


async def _read(ctx: ToolContext, path: str, rule: str) -> tuple[BookFile, str]:
    def work() -> tuple[BookFile, str]:
        location = Path(path).expanduser()
        file = location if location.is_absolute() or ctx.workspace is None else ctx.workspace / location
        return read(file), file.name

    def read(file: Path) -> BookFile:
        from ..reading.book_file import KINDS, LARGEST, read_book

        try:
            if file.suffix.lower() not in KINDS:
                return read_book(file.name, b"")
            if file.stat().st_size > LARGEST:
                raise ToolError("TOO_BIG", N_("the file is larger than {n} MB"), values={"n": LARGEST // 1_000_000})
            return read_book(file.name, file.read_bytes(), rule=rule)
        except OSError as error:
            words = N_("the file cannot be read: {why}")
            raise ToolError("NOT_FOUND", words, values={"why": os_words(error)}) from error

    return await detached.in_thread(work)


def _store(ctx: ToolContext, root: Root, book: BookFile) -> int:
    """Begun again after a break-off it goes on where it was: a chapter that is there with this text is passed over."""
    if not is_novel(root):
        language = "zh" if sum(count_words(part.text) for part in book.split.parts[:3]) * 2 > sum(
            len(part.text) for part in book.split.parts[:3]
        ) else "en"  # fmt: skip
        create(root, Project(book.title, status="in-progress", language=language))
    novel = read_folder(root)
    chapters = chapters_of(book.split)
    texts = {one.id: one.text for one in novel.book.chapters}
    if any(one.id in texts and texts[one.id] != one.text for one in chapters):
        raise ToolError(
            "EXISTS", ctx.say("there is another book in this folder already"), hint=ctx.say("pick an empty folder")
        )  # fmt: skip
    for chapter in chapters:
        if chapter.id not in texts:
            novel.save_chapter(root, chapter)
    novel.save_index(root)
    return len(chapters)


def chapters_of(split: Split) -> list[Chapter]:
    return [
        Chapter(
            f"ch-{order:04}", part.title or (part.heading if part.number is None else ""), part.number or 0, order,
            part.volume, "completed" if part.text else "draft", text=part.text,
        )
        for order, part in enumerate(split.parts, 1)
    ]  # fmt: skip


def _rows(ctx: ToolContext, split: Split) -> list[dict[str, Any]]:
    faults_by_part: dict[int, list[str]] = {}
    for fault in split.faults:
        faults_by_part.setdefault(fault.part, []).append(_told(ctx, fault))
    return [
        {"n": place, "heading": part.heading or ctx.say("(before the first heading)"), "volume": part.volume,
         "words": part.words, "fault": "; ".join(faults_by_part.get(place - 1, ()))}
        for place, part in enumerate(split.parts, 1)
    ][:_MOST_ROWS]  # fmt: skip


def _told(ctx: ToolContext, fault: SplitFault) -> str:
    words = _FAULTS[fault.code] if fault.code != "GAP" or fault.first != fault.last else _ONE_MISSING
    values = {"first": fault.first, "last": fault.last}
    return ctx.say(words, **{key: value for key, value in values.items() if f"{{{key}}}" in words})


def _summary(ctx: ToolContext, book: BookFile) -> str:
    head = count_in(ctx.language, "“{title}”: {n} chapter, {words} words", "“{title}”: {n} chapters, {words} words",
                    len(book.split.parts), title=book.title, words=book.split.words)  # fmt: skip
    if not book.split.faults:
        return head
    return ctx.say("{head}; {n} places to look at", head=head, n=len(book.split.faults))


def _card(ctx: ToolContext, book: BookFile, rows: Sequence[Mapping[str, Any]]) -> Card:
    columns = [
        Column("n", "#", is_number=True), Column("heading", ctx.say("Heading")), Column("volume", ctx.say("Volume")),
        Column("words", ctx.say("Words"), is_number=True), Column("fault", ctx.say("To look at")),
    ]  # fmt: skip
    return table_card(book.title, columns, rows)


def exporting(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Write the book as a new {format} file", format=str(args.get("format", ""))[:10])


@tool("fs.write", title=N_("Export the novel"), read_only=False, only_exports=True, approval_text=exporting,
      timeout=300, example={"format": "epub"})  # fmt: skip
async def export_novel(
    ctx: ToolContext,
    format: Literal["txt", "md", "docx", "epub"] = "epub",
    first: Annotated[
        int, Field(ge=0, le=100_000, description="number of the first chapter; 0: from the beginning")
    ] = 0,
    last: Annotated[int, Field(ge=0, le=100_000, description="0: to the end")] = 0,
    path: Annotated[str, Field(max_length=300, description="a file name inside the folder")] = "",
) -> ToolResult:
    """Write the book, or a range of its chapters, as a new file with a cover page."""
    folder_of(ctx)
    now = datetime.now(UTC)

    def work(_root: Root, novel: NovelFolder) -> tuple[bytes, str, int]:
        from ..export.epub import to_epub
        from ..export.pages import pages_of
        from ..export.plain import to_markdown, to_txt
        from ..export.word import to_docx

        book = novel.book
        chapters = [
            one for one in book.chapters
            if one.text.strip() and ((not first and not last) or first <= one.number <= (last or 1_000_000))
        ]  # fmt: skip
        if not chapters:
            raise ToolError("NO_CHAPTER", ctx.say("there is no chapter with text in this range"))
        pages = pages_of(book, chapters, ctx.language)
        writers = {"txt": to_txt, "md": to_markdown, "docx": to_docx}
        content = to_epub(pages, now) if format == "epub" else writers[format](pages)
        return content, book.project.title, len(chapters)

    (content, title, n), more = await in_novel(ctx, work)
    file = await write_file(ctx, path or file_name(title, "novel"), f".{format}", content, example=f"novel.{format}")
    text = ctx.say("Wrote {n} chapters to {file} in {parent}", n=n, file=file.path.name, parent=file.path.parent)
    return ToolResult.success({**file.data(), "chapters": n, **more}, text, display=file.card(), private=True)


TOOLS = (import_novel, export_novel)
