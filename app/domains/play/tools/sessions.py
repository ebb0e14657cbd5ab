"""start_session, log_event, finish_session, review_session: one playing of a game at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.ids import new_id
from app.core.stores import Document
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer, key_values_card
from app.domains.kit.wording import N_, count_in, say_in

from ..cards import COUNTED, EVENTS
from ..model.session import SCORES, EventKind, PlayEvent, PlaySession, Recommendation, session_from_json
from ..store import PLANS, SESSIONS, body_of, child
from .shown import card_of_game, running_session

Score = Annotated[int, Field(ge=0, le=100)]
MOST_EVENTS = 500
SCORE_LABELS = dict(zip(SCORES, (
    N_("Shared attention: how much you were together in it"), N_("How far the game was played"),
    N_("How close you were"), N_("How much was said back and forth"), N_("What was new for the child"),
    N_("How it went for you"),
), strict=True))  # fmt: skip
SCORE_FIELDS = ("engagement", "completion", "connection", "communication", "skills", "own_part")
"""Arguments of review_session, in the order of the scores."""
LEVELS = {"0": N_("not at all"), "25": N_("a little"), "50": N_("half"), "75": N_("much"), "100": N_("fully")}
RECOMMENDATIONS: dict[Recommendation, str] = {
    "continue": N_("play it again as it is"), "adjust": N_("play it again, changed"), "avoid": N_("leave it for now"),
}  # fmt: skip


class Scores(TypedDict, total=False):
    childEngagement: Score
    gameCompletion: Score
    emotionalConnection: Score
    communicationLevel: Score
    skillProgress: Score
    parentExecution: Score


def starting(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Start the timer of a game")


def logging(args: Mapping[str, Any], language: str) -> str:
    kind = next((label for kind, label in EVENTS.items() if kind == args.get("kind")), EVENTS["note"])
    return say_in(language, "Note in the session: {kind}", kind=say_in(language, kind))


def finishing(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Finish the session and keep the review")


def reviewing(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Keep what you say of the session")


@tool("app.write", title=N_("Start playing"), approval_text=starting)
async def start_session(
    ctx: ToolContext, plan_id: Annotated[str, Also("plan", "game"), Field(max_length=60)]
) -> ToolResult:
    """Start playing a game that was kept. Refused while another session runs."""
    await child(ctx)
    await PLANS.get(ctx, plan_id)
    if (running := await running_session(ctx)) is not None:
        message = ctx.say("the session {id} is still running", id=running[0].id)
        raise ToolError("BAD_STATE", message, hint=ctx.say("finish it first: show_game shows it"))
    session = PlaySession(f"{SESSIONS.kind}-{new_id()[:12]}", plan_id, datetime.now(UTC))
    await SESSIONS.put(ctx, session.id, session.to_json())
    return await _playing(ctx, session, ctx.say("The timer runs"))


@tool("app.write", title=N_("Note what happens"), approval_text=logging)
async def log_event(
    ctx: ToolContext,
    session_id: Annotated[str, Field(max_length=60)],
    kind: EventKind,
    text: Annotated[str, Field(max_length=1_000)] = "",
    step: Annotated[int, Field(ge=1, le=6, description="of the game, when it is done")] | None = None,
) -> ToolResult:
    """Note a smile, a closed circle, a protest, a meltdown or a remark while the game is played."""
    session, document = await _running(ctx, session_id)
    if len(session.log) >= MOST_EVENTS:
        raise ToolError("BAD_STATE", ctx.say("a session holds at most {n} notes", n=MOST_EVENTS))
    seconds = max(0, int((datetime.now(UTC) - session.started).total_seconds()))
    steps = (*session.steps_done, step) if step is not None and step not in session.steps_done else session.steps_done
    changed = replace(session, log=(*session.log, PlayEvent(seconds, kind, text)), steps_done=steps)
    await SESSIONS.put(ctx, session.id, changed.to_json(), base=document.version)
    return await _playing(ctx, changed, ctx.say("Noted"))


@tool("app.write", title=N_("Finish the session"), approval_text=finishing)
async def finish_session(
    ctx: ToolContext,
    session_id: Annotated[str, Field(max_length=60)],
    scores: Scores | None = None,
    notes: Annotated[str, Field(max_length=4_000)] = "",
    recommendation: Recommendation | None = None,
    next_step: Annotated[str, Field(max_length=1_000)] = "",
    aborted: bool = False,
    steps_done: Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(max_length=6)] | None = None,
) -> ToolResult:
    """Stop the timer and keep the review; without scores its form is shown. Stopping early is no failure: `aborted`
    says only that it ended before the last step.
    """
    session, document = await _running(ctx, session_id)
    steps = sorted({*session.steps_done, *(steps_done or ())})
    done = replace(
        session, status="aborted" if aborted else "completed", ended=datetime.now(UTC),
        scores={str(name): int(str(score)) for name, score in scores.items()} if scores else None, notes=notes,
        recommendation=recommendation, next_step=next_step, steps_done=tuple(steps),
    )  # fmt: skip
    await SESSIONS.put(ctx, session.id, done.to_json(), base=document.version)
    plan = await PLANS.find(ctx, session.plan)
    if plan is not None:
        await PLANS.put(ctx, plan.id, {**body_of(plan.body), "status": done.status}, base=plan.version)
    if done.scores is None and not notes:
        return await _review_form(ctx, done)
    return _shown(ctx, done, ctx.say("The session is kept"))


@tool("app.write", title=N_("Keep the review"), approval_text=reviewing)
async def review_session(
    ctx: ToolContext,
    session_id: Annotated[str, Field(max_length=60)],
    engagement: Score | None = None,
    completion: Score | None = None,
    connection: Score | None = None,
    communication: Score | None = None,
    skills: Score | None = None,
    own_part: Score | None = None,
    notes: Annotated[str, Field(max_length=4_000)] = "",
    recommendation: Recommendation | None = None,
    next_step: Annotated[str, Field(max_length=1_000)] = "",
) -> ToolResult:
    """Keep what the grown-up says of a session that has ended: up to six scores of 0 to 100, notes, what comes next."""
    document = await SESSIONS.get(ctx, session_id)
    session = session_from_json(body_of(document.body))
    if session.status == "running":
        raise ToolError("BAD_STATE", ctx.say("the session {id} is still running", id=session_id))
    answers = (
        engagement, completion, connection, communication, skills, own_part
    )  # fmt: skip
    scores = {name: score for name, score in zip(SCORES, answers, strict=True) if score is not None}
    reviewed = replace(
        session, scores=scores or session.scores, notes=notes or session.notes,
        recommendation=recommendation or session.recommendation, next_step=next_step or session.next_step,
    )  # fmt: skip
    await SESSIONS.put(ctx, session.id, reviewed.to_json(), base=document.version)
    return _shown(ctx, reviewed, ctx.say("The review is kept"))


async def _running(ctx: ToolContext, id: str) -> tuple[PlaySession, Document]:
    document = await SESSIONS.get(ctx, id)
    session = session_from_json(body_of(document.body))
    if session.status != "running":
        raise ToolError("BAD_STATE", ctx.say("the session {id} has ended", id=id))
    return session, document


async def _playing(ctx: ToolContext, session: PlaySession, text: str) -> ToolResult:
    """The game's own card, with its time and what was noted."""
    data = {"id": session.id, "status": session.status, "circles": session.circles}
    plan = await PLANS.find(ctx, session.plan)
    if plan is None:
        return _shown(ctx, session, text)
    card = await card_of_game(ctx, session.plan, body_of(body_of(plan.body).get("plan")), session)
    return ToolResult.success(data, text, display=card)


async def _review_form(ctx: ToolContext, session: PlaySession) -> ToolResult:
    plan = await PLANS.find(ctx, session.plan)
    questions = body_of(body_of(plan.body).get("plan")).get("review_questions", []) if plan is not None else []
    levels = [{"id": level, "label": ctx.say(words)} for level, words in LEVELS.items()]
    fields: list[dict[str, Any]] = [
        {"name": name, "label": ctx.say(label), "kind": "choice", "value": "", "options": levels}
        for name, label in zip(SCORE_FIELDS, SCORE_LABELS.values(), strict=True)
    ]
    ways = [{"id": id, "label": ctx.say(label)} for id, label in RECOMMENDATIONS.items()]
    fields += [
        {"name": "recommendation", "label": ctx.say("Next time"), "kind": "choice", "value": "", "options": ways},
        {"name": "notes", "label": ctx.say("Notes"), "kind": "text", "value": "", "hint": " · ".join(questions)},
        {"name": "next_step", "label": ctx.say("What you want to try next"), "kind": "text", "value": ""},
    ]
    minutes = count_in(ctx.language, "{n} minute", "{n} minutes", round(session.minutes))
    circles = count_in(ctx.language, "{n} circle", "{n} circles", session.circles)
    text = ctx.say("The session is kept: {minutes}, {circles}", minutes=minutes, circles=circles)
    note = ctx.say("Leave out what you do not want to answer. Nobody is graded, neither you nor the child.")
    names = tuple(field["name"] for field in fields)
    keep = CardAction(
        "save", ctx.say("Keep the review"), "review_session", {"session_id": session.id}, "primary", fills=names
    )
    payload = {
        "id": session.id, "title": ctx.say("How was it?"), "note": note, "fields": fields,
        "timer": {"id": session.id, "ended": True},
    }  # fmt: skip
    data = {"id": session.id, "status": session.status, "circles": session.circles}
    return ToolResult.success(data, text, display=as_answer(Card("form", payload), text, [keep]))


def facts_of(ctx: ToolContext, session: PlaySession) -> list[tuple[str, object]]:
    """Of one that was played: how long, what was counted, what was said of it."""
    facts: list[tuple[str, object]] = [(ctx.say("Minutes played"), round(session.minutes) if session.ended else "")]
    facts += [(ctx.say(label), session.count(kind)) for kind, label in COUNTED.items()]
    facts += [
        (ctx.say(SCORE_LABELS[name]), f"{score} / 100") for name, score in (session.scores or {}).items()
        if name in SCORE_LABELS
    ]  # fmt: skip
    if session.recommendation is not None:
        facts.append((ctx.say("Next time"), ctx.say(RECOMMENDATIONS[session.recommendation])))
    return [*facts, (ctx.say("What you want to try next"), session.next_step), (ctx.say("Notes"), session.notes)]


def _shown(ctx: ToolContext, session: PlaySession, text: str) -> ToolResult:
    actions = [
        CardAction("progress", ctx.say("How it goes over time"), "get_progress"),
        CardAction("again", ctx.say("Show the game"), "show_game", {"plan_id": session.plan}),
    ]
    card = key_values_card(ctx.say("Played"), facts_of(ctx, session))
    card = as_answer(Card(card.kind, {**card.payload, "timer": {"id": session.id, "ended": True}}), text, actions)
    data = {"id": session.id, "status": session.status, "circles": session.circles}
    return ToolResult.success(data, text, display=card)
