"""check_game_safety, save_game_plan and list_game_plans: no game is kept that the safety codes block."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.text_model import TEXT_MODEL, TextModel
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.documents import store_of
from app.domains.kit.tables import Column, table_card
from app.domains.kit.wording import N_, clauses, say_in

from ..cards import findings_as_data, game_card
from ..model.child import ChildProfile
from ..model.plan import GamePlan
from ..rules.final import plan_faults
from ..rules.safety import Flags, SafetyFinding, check_game_safety, is_blocked, second_look
from ..store import PLANS, body_of, child, stored_child

PlanStatus = Literal["pending", "completed", "aborted"]


class ProfileFlags(TypedDict, total=False):
    allergies: list[str]
    cautions: list[str]
    avoids: list[str]
    mouths_things: bool


def keeping(args: Mapping[str, Any], language: str) -> str:
    plan = args.get("plan")
    title = plan.get("title", "") if isinstance(plan, Mapping) else ""
    return say_in(language, "Keep the game “{title}”", title=str(title)[:120])


def flags_of(profile: ChildProfile) -> Flags:
    avoids = tuple(sense for sense, trait in profile.sensory.items() if trait == "avoids")
    return Flags(profile.allergies, profile.cautions, avoids, profile.sensory.get("oral") == "seeks")


@tool("pure", name="check_game_safety", title=N_("Check the safety of a game"))
async def check_safety(
    ctx: ToolContext,
    plan: Annotated[dict[str, Any], Field(description="a game plan, whole or not")],
    age_months: Annotated[int, Field(ge=0, le=216)] | None = None,
    profile_flags: ProfileFlags | None = None,
) -> ToolResult:
    """Fifteen safety codes over the plan of a game, each with severity, place and what to change. Age and cautions of
    the stored profile hold too: a call cannot make a child older or an allergy go away.
    """
    age, flags = await _of_the_child(ctx, age_months, profile_flags)
    findings = check_game_safety(plan, age, flags)
    return ToolResult.success(
        {"findings": findings_as_data(ctx, findings), "blocked": is_blocked(findings)}, _summary(ctx, findings),
        display=_checklist(ctx, findings),
    )  # fmt: skip


EXAMPLE = {
    "title": "Rolling talk", "summary": "A ball goes back and forth.", "goal": "three turns in a row",
    "target_capacities": [3], "target_dimensions": ["motor"], "strategy": "leverage", "age_range_months": [24, 60],
    "duration_min": 15, "environment": "indoor", "materials": [{"name": "a soft ball larger than a head"}],
    "steps": [
        {"title": "Sit", "instruction": "Sit face to face on the floor."},
        {"title": "Roll", "instruction": "Roll the ball slowly and wait with open hands."},
        {"title": "Copy", "instruction": "Copy the way the child sends it back."},
        {"title": "Goodbye", "instruction": "Roll it behind the sofa and wave."},
    ],
    "calm_down_plan": "Sit close and breathe slowly.", "safety_notes": ["Clear the floor."],
    "stop_signs": ["turns away"], "ending_ritual": "Wave to the ball.",
    "review_questions": ["What made you both smile?", "How many turns?", "What next?"],
}  # fmt: skip


@tool(
    "app.write", title=N_("Keep a game"), approval_text=keeping, concludes=True, example={"plan": EXAMPLE},
    asks_model=True,
)  # fmt: skip
async def save_game_plan(ctx: ToolContext, plan: Annotated[GamePlan, Also("game", "game_plan")]) -> ToolResult:
    """Keep the plan of a game and show it as a card. One that the safety codes block is refused with its findings."""
    profile = await child(ctx)
    if faults := plan_faults(plan):
        raise ToolError("SCHEMA", clauses(ctx.language, faults))
    age = profile.age_in_months(ctx.today or datetime.now(UTC).date())
    findings = check_game_safety(plan, age, flags_of(profile))
    if not is_blocked(findings):
        findings += await _second_look(ctx, plan)
    if is_blocked(findings):
        lines = [f"{one.code} {one.where}: {ctx.say(one.message)} ({one.words})" for one in findings if _blocks(one)]
        hints = dict.fromkeys(ctx.say(one.fix) for one in findings if _blocks(one))
        raise ToolError("SAFETY_BLOCK", clauses(ctx.language, lines), hint=clauses(ctx.language, hints))
    body = {"plan": dict(plan), "status": "pending"}
    id = PLANS.id_of(body)
    await PLANS.put(ctx, id, body)
    text = ctx.say("The game is kept as {id}", id=id)
    data = {"id": id, "warnings": findings_as_data(ctx, findings)}
    return ToolResult.success(data, text, display=game_card(ctx, plan, findings, id))


@tool("app.read", title=N_("List the games"), private=True)
async def list_game_plans(ctx: ToolContext, status: PlanStatus | None = None) -> ToolResult:
    """The games that were kept, newest first."""
    rows = []
    for document in await PLANS.all(ctx):
        body = body_of(document.body)
        plan = body_of(body.get("plan"))
        if status in (None, body.get("status")):
            names = {name: plan.get(name, "") for name in ("title", "goal")}
            rows.append({"id": document.id, **names, "status": body.get("status", "")})
    columns = [Column("title", ctx.say("Game")), Column("goal", ctx.say("Goal")), Column("status", ctx.say("State"))]
    card = table_card(ctx.say("Games"), columns, rows)
    return ToolResult.success({"games": rows}, ctx.say("{n} games", n=len(rows)), display=card)


async def _of_the_child(ctx: ToolContext, age: int | None, given: ProfileFlags | None) -> tuple[int | None, Flags]:
    """The stricter of what was said and what is stored."""
    report = given or {}
    flags = Flags(
        tuple(report.get("allergies", ())), tuple(report.get("cautions", ())), tuple(report.get("avoids", ())),
        report.get("mouths_things", False),
    )  # fmt: skip
    profile = await stored_child(store_of(ctx)) if ctx.documents is not None else None
    if profile is None:
        return age, flags
    own, months = flags_of(profile), profile.age_in_months(ctx.today or datetime.now(UTC).date())
    return min(age, months) if age is not None else months, Flags(
        own.allergies + flags.allergies, own.cautions + flags.cautions, own.avoids + flags.avoids,
        own.mouths_things or flags.mouths_things,
    )  # fmt: skip


async def _second_look(ctx: ToolContext, plan: Mapping[str, Any]) -> list[SafetyFinding]:
    """Where no model answers, the word lists have decided alone."""
    model: TextModel | None = ctx.resources.get(TEXT_MODEL)
    if model is None:
        return []
    answer = ""
    try:
        async for piece in model(second_look.RULES, second_look.material(plan)):
            answer += piece
    except ToolError:
        return []
    return second_look.findings(answer, plan)


def _blocks(one: SafetyFinding) -> bool:
    return one.severity == "block"


def _summary(ctx: ToolContext, found: list[SafetyFinding]) -> str:
    blocks = sum(map(_blocks, found))
    if not found:
        return ctx.say("no code applies; that is no promise: look at the room and the child")
    return ctx.say("{blocks} must change, {warnings} to watch", blocks=blocks, warnings=len(found) - blocks)


def _checklist(ctx: ToolContext, found: list[SafetyFinding]) -> Card:
    items = [
        {
            "text": f"{one.code} · {ctx.say(one.message)} · {one.words}", "hint": ctx.say(one.fix),
            "state": "error" if _blocks(one) else "warn",
        }
        for one in found
    ]  # fmt: skip
    items = items or [{"text": _summary(ctx, found), "state": "ok"}]
    return Card("checklist", {"title": ctx.say("Safety"), "items": items})
