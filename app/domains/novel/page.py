"""The manuscript beside the chat: chapters read and written one by one, and what the book knows of their words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.core.errors import ToolError
from app.core.page import (
    DRAFT,
    PageAction,
    PageBoard,
    PageContents,
    PageEntry,
    PageShare,
    PageTerm,
    PageText,
)  # fmt: skip
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext
from app.domains.kit.folder.root import Root, open_root
from app.domains.kit.wording import N_, say_in

from .boards import (
    BOARDS,
    CONTINUITY,
    FORESHADOWS,
    TIMELINE,
    continuity_board,
    foreshadow_board,
    people_board,
    timeline_board,
)
from .export.pages import name_of_untitled
from .model.patch import hunks_of
from .model.project import Book, Chapter, Version
from .model.words import count_words
from .slices import Slices, named, read_id
from .store.folder import NovelFolder, is_novel, read_chapter, read_folder
from .store.index import PATH as INDEX
from .store.versions import keep, sha_of, versions_of, write_version
from .tools.base import now_of, outside_changes

_INSTRUCTIONS = {
    "rewrite": "",
    "expand": "Expand it to about twice its length with concrete detail; nothing new happens.",
    "shorten": "Shorten it to about half its length; nothing that happens is lost.",
    "tone": "Keep what happens and change the tone: ",
}
"""For the model; the person's own words follow."""
_ACTIONS = (
    ("rewrite", N_("Rewrite"), True),
    ("expand", N_("Expand"), False),
    ("shorten", N_("Shorten"), False),
    ("tone", N_("Change the tone"), True),
    ("sample", N_("Use as sample of the style"), False),
    ("forbid", N_("Never use these words"), False),
)
_SECTIONS = {
    "step": N_("plan"), "outline": N_("outline"), "style": N_("style"), "last_text": N_("text before"),
    "characters": N_("people and things named"), "threads": N_("foreshadows due"), "passages": N_("passages found"),
    "summaries": N_("summaries"),
}  # fmt: skip
_MOST_ABOUT = 600
_LONGEST_PASSAGE = 20_000


class NovelPage:
    def __init__(self) -> None:
        self._slices = Slices()

    @property
    def writers(self) -> frozenset[str]:
        return frozenset(("write_chapter", "write_step"))

    # ------------------------------------------------------------ what there is

    def contents(self, folder: Path, language: str) -> PageContents | None:
        ctx = _context(folder, language)
        with open_root(folder) as root:
            if not is_novel(root):
                return None
            novel = read_folder(root)
            if not root.sha(INDEX):
                novel.save_index(root)  # what is changed from now on is known; who tells the agent writes it anew
        book, details = novel.book, outside_changes(ctx, novel)
        remarks = [str(details["changed_outside"])] if "changed_outside" in details else []
        remarks += [f"{one['path']}: {one['why']}" for one in details.get("unreadable", ())]
        written = [one for one in book.chapters if one.text.strip()] or book.chapters[:1]
        return PageContents(
            book.project.title,
            tuple(entry for one in book.chapters for entry in self._entries(folder, novel, one)),
            tuple(_terms(ctx, book)),
            tuple(PageBoard(id, ctx.say(label)) for id, label in BOARDS.items()),
            tuple(PageAction(id, ctx.say(label), wants) for id, label, wants in _ACTIONS),
            tuple(remarks),
            written[-1].id if written else "",
        )

    def text(self, folder: Path, id: str, language: str) -> PageText:
        chapter_id, number = read_id(id)
        with open_root(folder) as root:
            chapter = _chapter(read_chapter(root, chapter_id))
            draft = _pending(root, chapter)
        text = self._slice(folder, chapter, number)
        label = ""
        if draft is not None:
            label = say_in(language, "Draft") if draft.complete else say_in(language, "Draft, not finished")
        goal = chapter.word_count_goal if len(text) == len(chapter.text) else 0
        return PageText(id, text, sha_of(text), goal, label, _is_chinese(text))

    def part(self, folder: Path, id: str, quote: str) -> str:
        chapter_id, _number = read_id(id)
        line = quote.split("\n", maxsplit=1)[0]
        with open_root(folder) as root:
            text = _chapter(read_chapter(root, chapter_id)).text
        place = text.find(line) if line else 0
        numbers = enumerate(self._slices.of(folder, chapter_id, text))
        return next((named(chapter_id, n) for n, (start, end) in numbers if start <= place < end), chapter_id)

    def _slice(self, folder: Path, chapter: Chapter, number: int) -> str:
        places = self._slices.of(folder, chapter.id, chapter.text)
        return chapter.text[slice(*places[min(number, len(places) - 1)])]

    def _entries(self, folder: Path, novel: NovelFolder, chapter: Chapter) -> Iterator[PageEntry]:
        whole = _entry(novel, chapter)
        places = self._slices.of(folder, chapter.id, chapter.text)
        if len(places) == 1:
            yield whole
            return
        for number, (start, end) in enumerate(places):
            title = f"{whole.title} · {number + 1}/{len(places)}"
            count = count_words(chapter.text[start:end])
            yield PageEntry(named(chapter.id, number), title, whole.group, count)

    def shares(self, folder: Path, id: str, language: str) -> tuple[tuple[PageShare, ...], int]:
        from .planning.plan import minimal_plan
        from .writing.context import BUDGET, sections_of

        with open_root(folder) as root:
            book = read_folder(root).book
        chapter = book.chapter(read_id(id)[0])
        if chapter is None:
            return (), BUDGET
        plan = minimal_plan(book, chapter, chapter.word_count_goal or 2_000)
        sections = sections_of(book, chapter, plan, 0, chapter.text)
        return tuple(PageShare(say_in(language, _SECTIONS[one.name]), len(one.text)) for one in sections), BUDGET

    def sha(self, folder: Path, id: str) -> str:
        chapter_id, number = read_id(id)
        with open_root(folder) as root:
            try:
                chapter = _chapter(read_chapter(root, chapter_id))
                return sha_of(self._slice(folder, chapter, number))
            except ToolError as error:
                if error.tool_code == "NO_CHAPTER":
                    return ""
                raise

    # ------------------------------------------------------------ writing

    def save(self, folder: Path, id: str, text: str, base: str, *, keeps: bool) -> str:
        chapter_id, number = read_id(id)
        with open_root(folder) as root:
            novel = read_chapter(root, chapter_id)
            chapter = _chapter(novel)
            sha = sha_of(text)
            if sha_of(self._slice(folder, chapter, number)) == sha:
                return sha
            place = self._slices.place(folder, chapter_id, number, chapter.text, base)
            if place is None:
                _keep_own(root, chapter, text)
                raise ToolError("STALE", N_("the chapter was changed elsewhere; what you wrote is kept as a version"))
            previous = keep(root, chapter, now_of(_context(folder, ""))) if keeps and chapter.text else ""
            status = "in-progress" if chapter.status == "draft" and text.strip() else chapter.status
            whole = f"{chapter.text[: place[0]]}{text}{chapter.text[place[1] :]}"
            novel.save_chapter(root, replace(chapter, text=whole, status=status, previous=previous or chapter.previous))
            self._slices.replaced(folder, chapter_id, number, place, len(text), len(chapter.text))
            if len(novel.index.files) > 1:
                novel.save_index(root)
            return sha

    # ------------------------------------------------------------ boards and actions

    def board(self, folder: Path, board: str, id: str, language: str) -> Card:
        ctx = _context(folder, language)
        with open_root(folder) as root:
            novel = read_folder(root)
            if board == DRAFT:
                return _draft_card(ctx, root, novel, read_id(id)[0])
        book = novel.book
        if board == FORESHADOWS:
            return foreshadow_board(ctx, book)
        if board == TIMELINE:
            return timeline_board(ctx, book)
        if board == CONTINUITY:
            from .continuity.check import check_book
            from .tools.checking import sentence

            findings = check_book(book)
            return continuity_board(ctx, findings, [sentence(ctx, one) for one in findings])
        return people_board(ctx, book)

    def action(
        self, folder: Path, action: str, id: str, passage: tuple[int, int], wish: str, language: str
    ) -> CardAction:
        """Raises ToolError BAD_ARGUMENTS where nothing is selected, or too much."""
        label = next((words for key, words, _wants in _ACTIONS if key == action), "")
        chapter_id, number = read_id(id)
        with open_root(folder) as root:
            text = _chapter(read_chapter(root, chapter_id)).text
            first = self._slices.of(folder, chapter_id, text)[number][0]
            passage = (first + passage[0], first + passage[1])
            selected = text[slice(*passage)]
            if not label or not selected.strip():
                raise ToolError("BAD_ARGUMENTS", N_("select a passage first"))
            tool, args = self._call(root, action, chapter_id, _only_place(text, *passage), selected.strip(), wish)
        return CardAction(action, say_in(language, label), tool, args)

    def _call(
        self, root: Root, action: str, id: str, passage: str, selected: str, wish: str
    ) -> tuple[str, Mapping[str, Any]]:
        if action == "sample":
            return "upsert_card", {"kind": "project", "data": {"style_sample": selected[:4_000]}}
        if action == "forbid":
            terms = list(dict.fromkeys((*read_folder(root).book.project.forbidden_terms, selected[:80])))
            return "upsert_card", {"kind": "project", "data": {"forbidden_terms": terms}}
        if len(passage) > _LONGEST_PASSAGE:
            raise ToolError("BAD_ARGUMENTS", N_("the passage is too long to be rewritten at once"))
        words = f"{_INSTRUCTIONS[action]}{wish.strip()}"
        if not words:
            raise ToolError("BAD_ARGUMENTS", N_("say what is to be changed"))
        args = {"mode": "rewrite_selection", "chapter_id": id, "selection": passage, "instruction": words[:2_000]}
        return "write_chapter", args

    def count(self, text: str) -> int:
        return count_words(text)

    def count_text(self, count: int, goal: int, language: str) -> str:
        if goal:
            return say_in(language, "{n} of {goal} words", n=count, goal=goal)
        return say_in(language, "{n} words", n=count)


def _context(folder: Path, language: str) -> ToolContext:
    return ToolContext(language=language, workspace=folder)


def _chapter(novel: NovelFolder) -> Chapter:
    return novel.book.chapters[0]


def _entry(novel: NovelFolder, chapter: Chapter) -> PageEntry:
    seen = novel.index.files.get(novel.paths[chapter.id])
    untitled = "" if chapter.title else name_of_untitled(chapter, "zh_CN" if _is_chinese(chapter.text) else "en")
    title = f"{chapter.number} {chapter.title}".strip() if chapter.number else chapter.title or untitled
    return PageEntry(chapter.id, title, chapter.volume, seen.words if seen else 0, chapter.word_count_goal)


def _terms(ctx: ToolContext, book: Book) -> list[PageTerm]:
    terms = [PageTerm(word, ctx.say("not to be used"), True) for word in book.project.forbidden_terms if word.strip()]
    for who in book.characters:
        state = who.state_at(10**6)
        rows = [
            " / ".join(who.names), " · ".join(filter(None, (who.role, who.gender, who.age))), who.description,
            "、".join(who.personality), f"{state.status} {state.place}".strip() if state is not None else "",
        ]  # fmt: skip
        about = "\n".join(filter(None, rows))[:_MOST_ABOUT]
        terms += [PageTerm(name, about) for name in who.names]
    for note in book.world:
        terms += [PageTerm(name, f"{note.title} · {note.kind}\n{note.text}"[:_MOST_ABOUT]) for name in note.names]
    return terms


def _is_chinese(text: str) -> bool:
    start = text[:2_000]
    return sum("\u4e00" <= char <= "\u9fff" for char in start) * 3 > len(start)


def _pending(root: Root, chapter: Chapter) -> Version | None:
    """The newest text of the agent's that neither entered the chapter nor was turned away."""
    from .tools.versions import REJECTED

    waiting = [
        one for one in versions_of(root, chapter.id)
        if one.author == "agent" and not one.accepted and one.note != REJECTED and one.text and one.text != chapter.text
        and (not one.edits or any(hunk.state == "pending" for hunk in hunks_of(chapter.text, one.edits)))
    ]  # fmt: skip
    return waiting[-1] if waiting else None


def _draft_card(ctx: ToolContext, root: Root, novel: NovelFolder, id: str) -> Card:
    from .tools.versions import version_card
    from .tools.writing import manuscript_card

    chapter = novel.book.chapter(id)
    version = _pending(root, chapter) if chapter is not None else None
    if chapter is None or version is None:
        raise ToolError("NOT_FOUND", N_("no version waits to be accepted"))
    card = version_card(ctx, chapter, version) if version.edits or not version.plan else None
    return card or manuscript_card(ctx, chapter, version, _goal(root, version), [])


def _goal(root: Root, version: Version) -> int:
    from .store.plans import read_plan

    return read_plan(root, version.plan).target_words if version.plan else 0


def _keep_own(root: Root, chapter: Chapter, text: str) -> None:
    """What the person wrote while somebody else changed the file."""
    version = Version(
        f"own-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}", chapter.id,
        now_of(_context(Path(), "")), "user", text,
    )  # fmt: skip
    write_version(root, version)


def _only_place(text: str, start: int, end: int) -> str:
    """The passage, widened to whole paragraphs until it stands in the text once."""
    start, end = max(0, start), min(len(text), end)
    while text.count(text[start:end]) > 1:
        before, behind = text.rfind("\n", 0, max(0, start - 1)), text.find("\n", min(len(text), end + 1))
        widened = (before + 1, len(text) if behind < 0 else behind)
        if widened == (start, end):
            break
        start, end = widened
    return text[start:end]
