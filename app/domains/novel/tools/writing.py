"""write_chapter: a plan becomes text, step by step, as it comes into a version beside the chapter; and a passage of a
chapter rewritten as a change to accept. Nothing of it enters the book before the person has accepted it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from app.core import detached
from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.run.events import ToolText
from app.core.tools.card import Card, CardAction
from app.core.tools.text_model import TEXT_MODEL, TextModel
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.folder.root import Root, open_root
from app.domains.kit.wording import N_, say_in

from ..boards import STATES, passage
from ..model.patch import Edit
from ..model.project import Book, Chapter, Version
from ..model.words import count_words
from ..planning.plan import ChapterPlan
from ..store.folder import NovelFolder
from ..store.plans import read_plan
from ..store.versions import sha_of, versions_of, write_version
from .base import ChapterOrNewest, chapter_of, folder_of, in_novel, now_of
from .checking import sentence

if TYPE_CHECKING:
    from ..writing.context import Section
    from ..writing.writer import StepRequest

Mode = Literal["draft", "continue", "rewrite_selection"]
TOLD_AT = 24
"""Characters that are told at once while text comes."""
_busy: set[tuple[Path, str]] = set()
"""Chapters that are being written."""


def writing(args: Mapping[str, Any], language: str) -> str:
    mode, chapter = args.get("mode"), str(args.get("chapter_id", ""))[:60]
    if mode == "rewrite_selection":
        return say_in(language, "Rewrite a passage of the chapter {chapter} as a proposed change", chapter=chapter)
    plan = str(args.get("plan_id", ""))[:60]
    return say_in(language, "Write by the plan {plan}; it stays beside the chapter until you accept it", plan=plan)


@tool("app.write", title=N_("Write the chapter"), exclusive=True, timeout=7_200, asks_model=True,
      asks=lambda args: args.get("mode") != "rewrite_selection", approval_text=writing,
      example={"plan_id": "plan-0123456789", "mode": "draft"})  # fmt: skip
async def write_chapter(
    ctx: ToolContext,
    plan_id: Annotated[str, Field(max_length=60, description="of a submitted plan"), Also("plan", "planId")] = "",
    mode: Mode = "draft",
    chapter_id: ChapterOrNewest = "",
    selection: Annotated[
        str, Field(max_length=20_000, description="rewrite_selection: the passage as it stands, exactly once")
    ] = "",
    instruction: Annotated[str, Field(max_length=2_000, description="rewrite_selection: what to change")] = "",
) -> ToolResult:
    """Write a chapter by its approved plan: one text per step, streamed into a version beside the chapter (draft).
    Stopped or cut off it goes on in the step it was in (continue). Or rewrite a passage (rewrite_selection).
    """
    model: TextModel | None = ctx.resources.get(TEXT_MODEL)
    if model is None:
        raise ToolError("NO_MODEL", ctx.say("this needs a language model"))
    if mode == "rewrite_selection":
        return await _rewrite(ctx, model, chapter_id, selection, instruction)
    job, more = await in_novel(ctx, lambda root, novel: _prepare(ctx, root, novel, plan_id, mode))
    return await carry_out(ctx, model, job, more)


async def carry_out(
    ctx: ToolContext, model: TextModel, job: Job, more: dict[str, Any], until: int | None = None
) -> ToolResult:
    """Write the plan of `job` on, at most to the step `until`; what is stopped or fails is kept, with its card."""
    key = (folder_of(ctx), job.chapter.id)
    if key in _busy:
        raise ToolError("BUSY", ctx.say("this chapter is being written already"), retryable=True)
    _busy.add(key)
    try:
        await _write(ctx, model, job, until)
    except asyncio.CancelledError:
        if ctx.leave is not None and job.version.text:
            ctx.leave(_broken_off(ctx, job, "CANCELLED", ""))
        raise
    except ToolError as error:
        if not job.version.text:
            raise
        return _broken_off(ctx, job, error.tool_code, *error.worded(ctx.language))
    finally:
        _busy.discard(key)
    if not job.version.complete:
        title = job.plan.steps[len(job.version.marks) - 1].title
        words, goal = count_words(job.version.text), job.plan.target_words
        summary = ctx.say("{step}: {n} of {goal} words are written so far", step=title, n=words, goal=goal)
        data = {"version": job.version.id, "chapter": job.chapter.id, "words": words, "complete": False, **more}
        return ToolResult.success(data, summary, private=True)
    return await _written(ctx, job, more)


def _broken_off(ctx: ToolContext, job: Job, code: str, message: str, hint: str = "") -> ToolResult:
    """What was written is kept, and its card goes on from there."""
    card = manuscript_card(ctx, job.chapter, job.version, job.plan.target_words, [])
    failure = ToolResult.failure(code, message, hint=hint, retryable=True, private=True)
    return replace(failure, summary=card.summary, display=card)


# ---------------------------------------------------------------- draft and continue


@dataclass(slots=True)
class Job:
    book: Book
    chapter: Chapter
    plan: ChapterPlan
    version: Version


def _prepare(ctx: ToolContext, root: Root, novel: NovelFolder, id: str, mode: Mode) -> Job:
    if not id:
        raise ToolError("BAD_ARGUMENTS", ctx.say("writing needs a plan"), hint="plan_id: submit_plan")
    plan = read_plan(root, id)
    chapter = chapter_of(ctx, novel.book, plan.chapter)
    drafts = [one for one in versions_of(root, chapter.id) if one.plan == id]
    unfinished = [one for one in drafts if not one.complete]
    if mode == "continue":
        if not unfinished:
            raise ToolError("NOT_FOUND", ctx.say("no draft of this plan was broken off"))
        return Job(novel.book, chapter, plan, unfinished[-1])
    version = begun(ctx, chapter, id, len(drafts))
    write_version(root, version)
    return Job(novel.book, chapter, plan, version)


def begun(ctx: ToolContext, chapter: Chapter, plan: str, number: int) -> Version:
    """A draft without a word; `number`: of the drafts of this plan."""
    seed = f"{plan}\0{number}\0{ctx.run}"
    return Version(
        f"d-{hashlib.sha256(seed.encode()).hexdigest()[:12]}", chapter.id, now_of(ctx), "agent", "", plan=plan,
        complete=False, base=sha_of(chapter.text),
    )  # fmt: skip


async def _write(ctx: ToolContext, model: TextModel, job: Job, until: int | None) -> None:
    """The version on the disk follows the text; what was stopped or failed stays there, marked as unfinished."""
    from ..writing.context import sections_of
    from ..writing.prompts import request_of, rules_of
    from ..writing.writer import write

    rules = rules_of(job.book.project)

    def sections(number: int, written: str) -> list[Section]:
        return sections_of(job.book, job.chapter, job.plan, number, written)

    def ask(request: StepRequest) -> AsyncIterator[str]:
        return model(rules, request_of(request))

    async def save(version: Version) -> None:
        job.version = version
        await detached.in_thread(lambda: _save(folder_of(ctx), version))

    teller = Teller(ctx)
    if job.version.text:
        teller.tell(job.version.text)
    try:
        async with aclosing(write(job.plan, job.version, ask, save, sections, until)) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                teller.tell(piece)
    finally:
        teller.flush()


def _save(folder: Path, version: Version) -> None:
    with open_root(folder) as root:
        write_version(root, version)


class Teller:
    """Tells the run what is written, a few words at a time."""

    def __init__(self, ctx: ToolContext) -> None:
        self._ctx, self._held = ctx, ""

    def tell(self, text: str) -> None:
        self._held += text
        if len(self._held) >= TOLD_AT:
            self.flush()

    def flush(self) -> None:
        if self._held and self._ctx.tell is not None and self._ctx.call:
            self._ctx.tell(ToolText(0, self._ctx.call, self._held))
        self._held = ""


async def _written(ctx: ToolContext, job: Job, more: dict[str, Any]) -> ToolResult:
    from ..continuity.check import check_chapter

    def look(_root: Root, novel: NovelFolder) -> list[dict[str, Any]]:
        chapter = chapter_of(ctx, novel.book, job.chapter.id)
        findings = check_chapter(novel.book, chapter, job.version.text)
        return [
            {"code": one.code, "level": one.level, "text": sentence(ctx, one), "quote": one.quote} for one in findings
        ]

    findings, _more = await in_novel(ctx, look)
    words = count_words(job.version.text)
    title = job.chapter.title or job.chapter.id
    summary = ctx.say("{title}: {n} of {goal} words are written; {m} places to look at", title=title, n=words,
                      goal=job.plan.target_words, m=len(findings))  # fmt: skip
    data = {
        "version": job.version.id, "chapter": job.chapter.id, "words": words, "goal": job.plan.target_words,
        "complete": job.version.complete, "state": "COMPLETED", "findings": findings[:40], **more,
    }  # fmt: skip
    card = manuscript_card(ctx, job.chapter, job.version, job.plan.target_words, findings)
    return ToolResult.success(data, summary, display=card, private=True)


def manuscript_card(
    ctx: ToolContext, chapter: Chapter, version: Version, goal: int, findings: list[dict[str, Any]]
) -> Card:
    title = chapter.title or chapter.id
    args = {"chapter_id": chapter.id, "version_id": version.id}
    actions = [
        CardAction("accept", ctx.say("Put it into {title}", title=title), "accept_version", args, "primary"),
        CardAction("parts", ctx.say("By paragraph"), "review_version", args),
        CardAction("reject", ctx.say("Reject"), "reject_version", args),
    ]  # fmt: skip
    if not version.complete and version.plan:
        label = ctx.say("Go on writing")
        actions.insert(0, CardAction("continue", label, "write_chapter", {"plan_id": version.plan, "mode": "continue"}))
    words = count_words(version.text)
    payload = {
        "title": title, "text": version.text, "words": words, "goal": goal,
        "complete": version.complete, "version": version.id, "passage": passage(chapter.id),
        "state": "" if version.complete else ctx.say("not finished"),
        "count": ctx.say("{n} of {goal} words", n=words, goal=goal),
        "remarks": [
            {"text": f"{one['code']} · {one['text']}", "state": STATES[one["level"]], "hint": one["quote"]}
            for one in findings[:40]
        ],
    }  # fmt: skip
    summary = ctx.say("{title}: {n} of {goal} words.", title=title, n=words, goal=goal)
    return as_answer(Card("manuscript", payload), summary, actions)


# ---------------------------------------------------------------- a passage


async def _rewrite(ctx: ToolContext, model: TextModel, chapter_id: str, selection: str, wanted: str) -> ToolResult:
    from ..writing.prompts import rewrite_request, rules_of
    from .versions import proposed

    if not selection.strip() or not wanted.strip():
        raise ToolError("BAD_ARGUMENTS", ctx.say("rewriting needs the passage and what to change"),
                        hint="selection, instruction")  # fmt: skip

    def find(_root: Root, novel: NovelFolder) -> tuple[Book, Chapter]:
        chapter = chapter_of(ctx, novel.book, chapter_id)
        places = chapter.text.count(selection)
        if places != 1:
            code = "NOT_FOUND" if not places else "AMBIGUOUS"
            raise ToolError(code, ctx.say("the passage stands there {n} times, not once", n=places), retryable=True)
        return novel.book, chapter

    (book, chapter), _more = await in_novel(ctx, find)
    request, teller, text = rewrite_request(book, chapter, selection, wanted), Teller(ctx), ""
    async with aclosing(model(rules_of(book.project), request)) as pieces:  # type: ignore[type-var]
        async for piece in pieces:
            text += piece
            teller.tell(piece)
    teller.flush()
    if not text.strip():
        raise ToolError("UPSTREAM", ctx.say("the model wrote nothing"), retryable=True)
    return await proposed(ctx, chapter.id, [Edit(selection, _same_ends(selection, text), wanted)])


def _same_ends(old: str, new: str) -> str:
    """White space at the ends belongs to what stands around the passage."""
    begin = old[: len(old) - len(old.lstrip())]
    end = old[len(old.rstrip()) :]
    return f"{begin}{new.strip()}{end}"


TOOLS = (write_chapter,)
