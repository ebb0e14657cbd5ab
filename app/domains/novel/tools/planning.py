"""submit_plan: a plan of a chapter, checked, stored and shown. Nothing is written into the chapter by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import key_values_card
from app.domains.kit.folder.root import Root
from app.domains.kit.wording import N_, clauses, listed

from ..planning.handed import handed_plan
from ..planning.plan import ChapterPlan, ChapterPlanFault, ChapterStep, faults_of
from ..store.folder import NovelFolder
from ..store.plans import write_plan
from .base import ChapterId, approval, chapter_of, in_novel

_FAULTS = {
    "SCHEMA": N_("{where} is {found}, it must be {expected}"),
    "WORDS_MISMATCH": N_("the steps add up to {found} words, the target is {expected} ±10 %"),
    "UNKNOWN_CHARACTER": N_("{where}: no card has the name {found}; name it in new_characters if it is new"),
    "BEAT_MISSING": N_("no step has this beat of the outline: {found}"),
    "UNKNOWN_FORESHADOW": N_("{where}: there is no foreshadow {found}"),
}
Names = Annotated[list[str], Field(max_length=40)]


class StepArgument(TypedDict):
    title: Annotated[str, Field(min_length=1, max_length=120)]
    content: Annotated[str, Field(min_length=1, max_length=4_000, description="what happens"), Also("planContent")]
    goal_words: Annotated[int, Field(ge=1, le=20_000), Also("goalWordCount", "words")]
    characters: NotRequired[Names]
    place: NotRequired[Annotated[str, Field(max_length=200)]]
    purpose: NotRequired[Annotated[str, Field(max_length=1_000)]]
    hook: NotRequired[Annotated[str, Field(max_length=1_000)]]


class ForeshadowArgument(TypedDict):
    plant: NotRequired[Names]
    pay: NotRequired[Names]


@tool("app.write", title=N_("Submit the plan"), exclusive=True, concludes=True,
      approval_text=approval(N_("Store the plan of the chapter {chapter_id}"), "chapter_id"),
      example={"goal": "过江", "chapter_id": "3", "target_words": 1500, "steps": [
          {"title": "渡口", "content": "林舟在渡口等船", "goal_words": 500},
          {"title": "江心", "content": "船到江心漏水", "goal_words": 500},
          {"title": "上岸", "content": "两人上岸", "goal_words": 500}]})  # fmt: skip
async def submit_plan(
    ctx: ToolContext,
    goal: Annotated[str, Field(min_length=1, max_length=2_000)],
    chapter_id: ChapterId,
    target_words: Annotated[int, Field(ge=100, le=100_000), Also("targetWords", "words")],
    steps: Annotated[list[StepArgument], Field(min_length=1, max_length=20), Also("planList", "plan")],
    must_include: Names | None = None,
    avoid: Names | None = None,
    foreshadow: ForeshadowArgument | None = None,
    ending_hook: Annotated[str, Field(max_length=1_000)] = "",
    new_characters: Annotated[list[str], Field(max_length=20, description="names that the plan brings in")]
    | None = None,
    based_on: Annotated[list[str], Field(max_length=40, description="tools whose results it rests on")] | None = None,
) -> ToolResult:
    """Hand in the plan of a chapter: three to six steps whose lengths add up to the target, every beat of the outline,
    and only names the book knows. All faults are told at once; mend them and hand it in again.
    """
    threads: dict[str, Any] = dict(foreshadow or {})

    def work(root: Root, novel: NovelFolder) -> tuple[ChapterPlan, str]:
        chapter = chapter_of(ctx, novel.book, chapter_id)
        plan = ChapterPlan(
            goal, chapter.id, target_words, [_step(one) for one in steps], list(must_include or ()), list(avoid or ()),
            list(threads.get("plant", ())), list(threads.get("pay", ())), ending_hook, list(new_characters or ()),
            list(based_on or ()),
        )  # fmt: skip
        if faults := faults_of(plan, novel.book, chapter):
            # The gravest names the error; its message has them all.
            hint = ctx.say("mend all of them and hand it in again")
            raise ToolError(faults[0].code, faults_told(ctx, faults), hint=hint, retryable=True)
        return plan, write_plan(root, plan)

    (plan, id), more = await in_novel(ctx, work)
    summary = ctx.say("plan {id}: {n} steps, {words} words", id=id, n=len(plan.steps), words=plan.target_words)
    data = {"plan_id": id, "state": "COMPLETED", "chapter": plan.chapter, "steps": len(plan.steps), **more}
    result = ToolResult.success(data, summary, display=plan_card(ctx, plan, id), private=True)
    return replace(result, plan=handed_plan(ctx, plan, id).to_json())


def _step(one: StepArgument) -> ChapterStep:
    return ChapterStep(
        one["title"], one["content"], one["goal_words"], list(one.get("characters", ())), one.get("place", ""),
        one.get("purpose", ""), one.get("hook", ""),
    )  # fmt: skip


def faults_told(ctx: ToolContext, faults: Sequence[ChapterPlanFault]) -> str:
    rows = []
    for one in faults:
        values = {"where": one.where, "found": one.found, "expected": one.expected or ctx.say("filled in")}
        words = _FAULTS[one.code]
        rows.append(f"{one.code}: " + ctx.say(words, **{k: v for k, v in values.items() if f"{{{k}}}" in words}))
    return clauses(ctx.language, rows)


def plan_card(ctx: ToolContext, plan: ChapterPlan, id: str) -> Card:
    """What holds for the whole chapter, and a button for later; its steps are in the plan card of the window."""
    facts = (
        (ctx.say("Chapter"), plan.chapter), (ctx.say("Length"), ctx.say("{n} words", n=plan.target_words)),
        (ctx.say("Must be in it"), listed(ctx.language, plan.must_include)),
        (ctx.say("To be avoided"), listed(ctx.language, plan.avoid)),
        (ctx.say("Plants"), listed(ctx.language, plan.plant)), (ctx.say("Pays"), listed(ctx.language, plan.pay)),
        (ctx.say("New people"), listed(ctx.language, plan.new_characters)), (ctx.say("Ends with"), plan.ending_hook),
    )  # fmt: skip
    write = CardAction("write", ctx.say("Write it"), "write_chapter", {"plan_id": id, "mode": "draft"})
    return replace(key_values_card(plan.goal, facts), actions=(write,))


TOOLS = (submit_plan,)
