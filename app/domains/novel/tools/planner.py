"""plan_chapter: the planning agent of a chapter (planning/agent.py), with the look-ups of the book."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from app.core.errors import ToolError
from app.core.run.events import ToolText
from app.core.tools.text_model import TEXT_MODEL, TextModel
from app.core.tools.tool import Tool, ToolContext, ToolResult, mend_call, tool
from app.domains.kit.wording import N_

from ..model.project import Book, Chapter
from ..planning.handed import handed_plan
from ..planning.plan import ChapterPlan, ChapterStep, faults_of, minimal_plan
from ..store.plans import write_plan
from .base import ChapterId, approval, chapter_of, in_novel
from .planning import faults_told, plan_card
from .reading import get_character_info, get_open_threads, get_outline, latest_content_get, rag_query

if TYPE_CHECKING:
    from ..planning.agent import Lookup, Thought

_LOOKUPS = (latest_content_get, get_character_info, get_outline, get_open_threads, rag_query)
_LONGEST_RESULT = 4_000


@tool("app.write", title=N_("Plan the chapter"), exclusive=True, timeout=1_800, asks_model=True,
      approval_text=approval(N_("Make and store a plan of the chapter {chapter_id}"), "chapter_id"),
      example={"chapter_id": "3", "target_words": 2000})  # fmt: skip
async def plan_chapter(
    ctx: ToolContext,
    chapter_id: ChapterId,
    target_words: Annotated[int, Field(ge=0, le=100_000, description="0: the goal of the chapter, else 2000")] = 0,
    wishes: Annotated[str, Field(max_length=4_000, description="what the person wants of the chapter")] = "",
) -> ToolResult:
    """Plan a chapter: look up what bears on it in at most three rounds, then make a plan that is checked and stored. If
    none can be used, the beats of the outline make a minimal one. The person agrees to it before it is written.
    """
    from ..planning.agent import RULES
    from ..planning.agent import plan_chapter as make

    model: TextModel | None = ctx.resources.get(TEXT_MODEL)
    if model is None:
        raise ToolError("NO_MODEL", ctx.say("this needs a language model"))
    text_model = model
    (book, chapter), more = await in_novel(
        ctx, lambda _root, novel: (novel.book, chapter_of(ctx, novel.book, chapter_id))
    )
    target = target_words or chapter.word_count_goal or 2_000

    async def ask(request: str) -> str:
        return "".join([piece async for piece in text_model(RULES, request)])

    def faults(body: dict[str, Any]) -> str:
        try:
            plan = _plan_of(body, chapter, target)
        except (TypeError, ValueError, KeyError) as error:
            return str(error)
        return faults_told(ctx, faults_of(plan, book, chapter))

    def tell(thought: Thought) -> None:
        wishes = (f"→ {name}: {why}" for name, why, _args in thought.calls)
        words = "\n".join(filter(None, (thought.reasoning, *wishes)))
        if ctx.tell is not None and ctx.call and words:
            ctx.tell(ToolText(0, ctx.call, f"{words}\n"))

    planned = await make(_brief(book, chapter, target, wishes), target, ask, _lookups(ctx), faults, tell)
    plan = minimal_plan(book, chapter, target) if planned.body is None else _plan_of(planned.body, chapter, target)
    plan.based_on = planned.used or plan.based_on
    id, _more = await in_novel(ctx, lambda root, _novel: write_plan(root, plan))
    summary = ctx.say("plan {id}: {n} steps, {words} words", id=id, n=len(plan.steps), words=plan.target_words)
    if plan.minimal:
        summary = ctx.say("{plan}; no usable plan came, so it is made of the outline", plan=summary)
    rounds = [
        {"hasEnoughInfo": one.has_enough, "reasoning": one.reasoning, "tools": [name for name, *_rest in one.calls]}
        for one in planned.rounds
    ]
    data = {"plan_id": id, "state": "COMPLETED", "chapter": plan.chapter, "steps": len(plan.steps),
            "minimal": plan.minimal, "rounds": rounds, **more}  # fmt: skip
    result = ToolResult.success(data, summary, display=plan_card(ctx, plan, id), private=True)
    return replace(result, plan=handed_plan(ctx, plan, id).to_json())


def _lookups(ctx: ToolContext) -> dict[str, Lookup]:
    def lookup(one: Tool) -> Lookup:
        async def look(parameters: dict[str, Any]) -> str:
            args = mend_call(one, parameters, ctx.today or date.min, drops_unknown=True).args
            if wrong := one.check(args):
                return "; ".join(map(str, wrong))
            try:
                outcome = one.body(ctx, args)
                result = await outcome if inspect.isawaitable(outcome) else outcome
            except ToolError as error:
                return f"{error.tool_code}: {error.worded(ctx.language)[0]}"
            return result.for_model()[:_LONGEST_RESULT]

        return look

    return {f"{one.name}({', '.join(one.parameters.get('properties', ()))})": lookup(one) for one in _LOOKUPS}


def _plan_of(body: Mapping[str, Any], chapter: Chapter, target: int) -> ChapterPlan:
    """Raises ValueError, TypeError or KeyError for what is no plan."""
    steps = [
        ChapterStep(
            str(one["title"]), str(one["content"]), int(one["goal_words"]),
            [str(name) for name in one.get("characters") or ()],
            str(one.get("place") or ""), str(one.get("purpose") or ""), str(one.get("hook") or ""),
        )
        for one in body["steps"]
    ]  # fmt: skip
    threads = body.get("foreshadow") or {}
    lists = {key: [str(one) for one in body.get(key) or ()] for key in ("must_include", "avoid", "new_characters")}
    return ChapterPlan(
        str(body["goal"]), chapter.id, target, steps, lists["must_include"], lists["avoid"],
        [str(one) for one in threads.get("plant") or ()], [str(one) for one in threads.get("pay") or ()],
        str(body.get("ending_hook") or ""), lists["new_characters"],
    )  # fmt: skip


def _brief(book: Book, chapter: Chapter, target: int, wishes: str) -> str:
    outline, project = chapter.outline, book.project
    rows = [
        f"book: {project.title} ({project.genre}; {project.style})",
        f"chapter: {chapter.id} {chapter.title}, {target} words",
        f"purpose: {outline.purpose}", f"beats: {'; '.join(outline.beats)}", f"people: {', '.join(outline.characters)}",
        f"place: {outline.place}", f"time: {outline.time_in_story}", f"hook: {outline.hook}",
        f"known people: {', '.join(who.name for who in book.characters[:60])}", f"the author wishes: {wishes}",
    ]  # fmt: skip
    return "<<The chapter to plan>>\n" + "\n".join(row for row in rows if not row.endswith((": ", ":")))


TOOLS = (plan_chapter,)
