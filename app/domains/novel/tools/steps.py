"""write_step: one step of a plan that the person has accepted in the plan card, written behind those before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.run.plan import PLAN_AT_WORK, Plan, PlanStep
from app.core.tools.text_model import TEXT_MODEL, TextModel
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.folder.root import Root
from app.domains.kit.wording import N_, say_in

from ..model.project import Chapter, Version
from ..planning.handed import WRITE_STEP
from ..planning.plan import ChapterStep
from ..store.folder import NovelFolder
from ..store.plans import read_plan, write_plan
from ..store.versions import versions_of, write_version
from .base import chapter_of, in_novel
from .planning import Names
from .writing import Job, begun, carry_out


def _writing(args: Mapping[str, Any], language: str) -> str:
    step = str(args.get("title", ""))[:120]
    return say_in(language, "Write the step {step}; it stays beside the chapter until you accept it", step=step)


@tool("app.write", title=N_("Write the step"), exclusive=True, timeout=7_200, asks_model=True,
      approval_text=_writing,
      example={"plan_id": "plan-0123456789", "title": "渡口", "content": "林舟等船", "goal_words": 500})  # fmt: skip
async def write_step(
    ctx: ToolContext,
    plan_id: Annotated[str, Field(min_length=1, max_length=60, description="of the stored plan"), Also("planId")],
    title: Annotated[str, Field(min_length=1, max_length=120)],
    content: Annotated[str, Field(min_length=1, max_length=4_000, description="what happens")],
    goal_words: Annotated[int, Field(ge=1, le=20_000), Also("goalWordCount", "words")],
    characters: Names | None = None,
    place: Annotated[str, Field(max_length=200)] = "",
    purpose: Annotated[str, Field(max_length=1_000)] = "",
    hook: Annotated[str, Field(max_length=1_000)] = "",
) -> ToolResult:
    """Write one step of an accepted plan. It runs as a step of that plan only; to plan a chapter call plan_chapter or
    submit_plan, and the person starts the writing there.
    """
    model: TextModel | None = ctx.resources.get(TEXT_MODEL)
    if model is None:
        raise ToolError("NO_MODEL", ctx.say("this needs a language model"))
    whole: Plan | None = ctx.resources.get(PLAN_AT_WORK)
    steps = [one for one in whole.steps if one.action == WRITE_STEP and one.status != "skipped"] if whole else []
    number = next((place for place, one in enumerate(steps) if one.status == "running"), None)
    if whole is None or number is None:
        raise ToolError("PLAN_NOT_APPROVED", ctx.say("a step is written only where its plan was accepted"),
                        hint="plan_chapter, submit_plan")  # fmt: skip
    if any(one.status == "failed" for one in steps[:number]):
        raise ToolError("STEP_BEFORE", ctx.say("the step before this one was not written; try it again or skip it"))
    goal, own = whole.goal, [_own(one) for one in steps]
    own[number] = ChapterStep(title, content, goal_words, list(characters or ()), place, purpose, hook)

    def prepare(root: Root, novel: NovelFolder) -> Job:
        plan = replace(read_plan(root, plan_id), goal=goal, steps=own)
        chapter = chapter_of(ctx, novel.book, plan.chapter)
        version = _draft(ctx, root, chapter, plan_id, write_plan(root, plan), number)
        write_version(root, version)
        return Job(novel.book, chapter, plan, version)

    job, more = await in_novel(ctx, prepare)
    return await carry_out(ctx, model, job, more, until=number + 1)


def _own(step: PlanStep) -> ChapterStep:
    values = step.params
    return ChapterStep(
        str(values.get("title", "")), str(values.get("content", "")), int(values.get("goal_words", 0)),
        [str(name) for name in values.get("characters") or ()], str(values.get("place") or ""),
        str(values.get("purpose") or ""), str(values.get("hook") or ""),
    )  # fmt: skip


def _draft(ctx: ToolContext, root: Root, chapter: Chapter, plan_id: str, stored: str, number: int) -> Version:
    """The draft that this step continues. `stored`: the plan as the person has changed it."""
    drafts = [one for one in versions_of(root, chapter.id) if one.plan in (plan_id, stored) and not one.edits]
    open_ones = [one for one in drafts if not one.complete and len(one.marks) == number]
    if open_ones:
        return replace(open_ones[-1], plan=stored)
    new = begun(ctx, chapter, stored, len(drafts))
    if not number:
        return new
    longer = [one for one in drafts if len(one.marks) >= number]
    if not longer:
        raise ToolError("NOT_FOUND", ctx.say("no draft of this plan holds the steps before this one"))
    marks = longer[-1].marks[:number]
    return replace(new, text=longer[-1].text[: marks[-1]], marks=marks)


TOOLS = (write_step,)
