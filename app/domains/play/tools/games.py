"""check_game_safety, save_game_plan, show_game and list_game_plans: no game is kept that the safety codes block."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card, CardAction
from app.core.tools.text_model import TEXT_MODEL, TextModel
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.documents import store_of
from app.domains.kit.wording import N_, clauses, count_in, say_in

from ..cards import findings_as_data, place_of
from ..model.plan import GamePlan
from ..rules.final import plan_faults
from ..rules.safety import Flags, SafetyFinding, check_game_safety, is_blocked, second_look
from ..store import PLANS, body_of, child, stored_child
from .shown import card_of_game, flags_of, running_session

PlanStatus = Literal["pending", "completed", "aborted"]
STATES = {"pending": N_("not played yet"), "completed": N_("played"), "aborted": N_("ended early")}


class ProfileFlags(TypedDict, total=False):
    allergies: list[str]
    cautions: list[str]
    avoids: list[str]
    mouths_things: bool


def keeping(args: Mapping[str, Any], language: str) -> str:
    plan = args.get("plan")
    title = plan.get("title", "") if isinstance(plan, Mapping) else ""
    return say_in(language, "Keep the game “{title}”", title=str(title)[:120])


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


async def _refused_unasked(ctx: ToolContext, args: dict[str, Any]) -> None:
    """Nobody is asked whether to keep what could hurt the child: the refusal comes instead of the question."""
    await _safe(ctx, args["plan"])


@tool(
    "app.write", title=N_("Keep a game"), approval_text=keeping, concludes=True, example={"plan": EXAMPLE},
    asks_model=True, preview=_refused_unasked,
)  # fmt: skip
async def save_game_plan(ctx: ToolContext, plan: Annotated[GamePlan, Also("game", "game_plan")]) -> ToolResult:
    """Keep the plan of a game and show it as a card. One that the safety codes block is refused with its findings."""
    age, findings = await _safe(ctx, plan)
    findings += await _second_look(ctx, plan, age)
    _refuse_blocked(ctx, findings)
    body = {"plan": dict(plan), "status": "pending"}
    id = PLANS.id_of(body)
    await PLANS.put(ctx, id, body)
    text = ctx.say("The game is kept as {id}", id=id)
    data = {"id": id, "warnings": findings_as_data(ctx, findings)}
    return ToolResult.success(data, text, display=await card_of_game(ctx, id, plan, findings=findings))


@tool("app.read", title=N_("Show a game"), private=True)
async def show_game(
    ctx: ToolContext, plan_id: Annotated[str, Also("plan", "game"), Field(max_length=60)]
) -> ToolResult:
    """A kept game as its card, to play it or to go on with it. Its safety is looked at by the child's age of today."""
    document = await PLANS.get(ctx, plan_id)
    plan = body_of(body_of(document.body).get("plan"))
    running = await running_session(ctx, plan_id)
    card = await card_of_game(ctx, plan_id, plan, running[0] if running is not None else None)
    data = {"id": plan_id, "plan": plan, "session": running[0].id if running is not None else ""}
    return ToolResult.success(data, str(plan["summary"])[:600], display=card)


@tool("app.read", title=N_("List the games"), private=True)
async def list_game_plans(ctx: ToolContext, status: PlanStatus | None = None) -> ToolResult:
    """The games that were kept, newest first, each with a button that shows it."""
    rows, items, buttons = [], [], []
    for document in await PLANS.all(ctx):
        body = body_of(document.body)
        plan = body_of(body.get("plan"))
        state = str(body.get("status", "pending"))
        if status not in (None, state):
            continue
        names = {name: plan.get(name, "") for name in ("title", "goal")}
        rows.append({"id": document.id, **names, "status": state})
        show = CardAction(f"open.{document.id}", ctx.say("Show"), "show_game", {"plan_id": document.id})
        hint = f"{ctx.say(STATES.get(state, state))} · {plan.get('goal', '')}"
        mark = "ok" if state == "completed" else "todo"
        items.append({"text": plan.get("title", ""), "hint": hint, "state": mark, "actions": [show.id]})
        buttons.append(show)
    counted = count_in(ctx.language, "{n} game", "{n} games", len(rows))
    text = counted if rows else ctx.say("no game is kept yet")
    card = as_answer(Card("checklist", {"title": ctx.say("Games"), "items": items}), text, buttons)
    return ToolResult.success({"games": rows}, text, display=card if rows else None)


async def _safe(ctx: ToolContext, plan: Mapping[str, Any]) -> tuple[int, list[SafetyFinding]]:
    """The child's age in months and what is to be watched; ToolError where a field is missing or a code blocks."""
    profile = await child(ctx)
    if faults := plan_faults(plan):
        raise ToolError("SCHEMA", clauses(ctx.language, faults))
    age = profile.age_in_months(ctx.today or datetime.now(UTC).date())
    findings = check_game_safety(plan, age, flags_of(profile))
    _refuse_blocked(ctx, findings)
    return age, findings


def _refuse_blocked(ctx: ToolContext, findings: list[SafetyFinding]) -> None:
    if is_blocked(findings):
        raise refusal(ctx, ctx.say("The game is not kept, because it could hurt the child:"), findings)


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


async def _second_look(ctx: ToolContext, plan: Mapping[str, Any], age: int) -> list[SafetyFinding]:
    """Where no model answers, the word lists have decided alone."""
    model: TextModel | None = ctx.resources.get(TEXT_MODEL)
    if model is None:
        return []
    answer = ""
    try:
        async for piece in model(second_look.RULES, second_look.material(plan, age)):
            answer += piece
    except ToolError:
        return []
    return second_look.findings(answer, plan)


def refusal(ctx: ToolContext, sentence: str, findings: list[SafetyFinding]) -> ToolError:
    """One line for each thing that blocks: read by the model that changes it, and by the parent if it does not."""
    lines = [
        "- "
        + ctx.say(
            "{what}: “{words}” ({code}, {place}). {fix}.",
            what=ctx.say(one.message),
            words=one.words,
            code=one.code,
            place=place_of(ctx, one.where),
            fix=ctx.say(one.fix),
        )
        for one in findings
        if _blocks(one)
    ]
    return ToolError("SAFETY_BLOCK", "\n".join([sentence, *lines]))


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
