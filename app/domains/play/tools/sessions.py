"""start_session, log_event, finish_session: one playing of a game at a time."""

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
from app.core.tools.card import CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer, key_values_card
from app.domains.kit.wording import N_, say_in

from ..model.session import EventKind, PlayEvent, PlaySession, Recommendation, session_from_json
from ..store import PLANS, SESSIONS, body_of, child

Score = Annotated[int, Field(ge=0, le=100)]
MOST_EVENTS = 500
EVENTS = {
    "smile": N_("Smile"), "circle": N_("Circle"), "protest": N_("Protest"), "flashpoint": N_("Meltdown"),
    "note": N_("Note"),
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
    kind = EVENTS.get(str(args.get("kind", "")), "Note")
    return say_in(language, "Note in the session: {kind}", kind=say_in(language, kind))


def finishing(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Finish the session and keep the review")


@tool("app.write", title=N_("Start playing"), approval_text=starting)
async def start_session(
    ctx: ToolContext, plan_id: Annotated[str, Also("plan", "game"), Field(max_length=60)]
) -> ToolResult:
    """Start playing a game that was kept. Refused while another session runs."""
    await child(ctx)
    await PLANS.get(ctx, plan_id)
    for document in await SESSIONS.all(ctx):
        if body_of(document.body).get("status") == "running":
            message = ctx.say("the session {id} is still running", id=document.id)
            raise ToolError("BAD_STATE", message, hint=ctx.say("finish it first"))
    session = PlaySession(f"{SESSIONS.kind}-{new_id()[:12]}", plan_id, datetime.now(UTC))
    await SESSIONS.put(ctx, session.id, session.to_json())
    return _shown(ctx, session, ctx.say("The timer runs"))


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
    return _shown(ctx, changed, ctx.say("Noted"))


@tool("app.write", title=N_("Finish the session"), approval_text=finishing)
async def finish_session(
    ctx: ToolContext,
    session_id: Annotated[str, Field(max_length=60)],
    scores: Scores | None = None,
    notes: Annotated[str, Field(max_length=4_000)] = "",
    recommendation: Recommendation | None = None,
    next_step: Annotated[str, Field(max_length=1_000)] = "",
    aborted: bool = False,
) -> ToolResult:
    """Stop the timer and keep the review. Stopping early is no failure: `aborted` says only that it ended before the
    last step.
    """
    session, document = await _running(ctx, session_id)
    done = replace(
        session, status="aborted" if aborted else "completed", ended=datetime.now(UTC),
        scores={str(name): int(str(score)) for name, score in scores.items()} if scores else None, notes=notes,
        recommendation=recommendation, next_step=next_step,
    )  # fmt: skip
    await SESSIONS.put(ctx, session.id, done.to_json(), base=document.version)
    plan = await PLANS.find(ctx, session.plan)
    if plan is not None:
        await PLANS.put(ctx, plan.id, {**body_of(plan.body), "status": done.status}, base=plan.version)
    return _shown(ctx, done, ctx.say("The session is kept"))


async def _running(ctx: ToolContext, id: str) -> tuple[PlaySession, Document]:
    document = await SESSIONS.get(ctx, id)
    session = session_from_json(body_of(document.body))
    if session.status != "running":
        raise ToolError("BAD_STATE", ctx.say("the session {id} has ended", id=id))
    return session, document


def _shown(ctx: ToolContext, session: PlaySession, text: str) -> ToolResult:
    facts = [
        (ctx.say("Minutes"), round(session.minutes) if session.ended else ""),
        (ctx.say("Circles"), session.circles),
        (ctx.say("Smiles"), sum(one.kind == "smile" for one in session.log)),
        (ctx.say("Protests"), sum(one.kind == "protest" for one in session.log)),
    ]
    actions = []
    if session.status == "running":
        actions = [
            CardAction(kind, ctx.say(label), "log_event", {"session_id": session.id, "kind": kind})
            for kind, label in EVENTS.items()
            if kind != "note"
        ]
        actions.append(CardAction("finish", ctx.say("Finish"), "finish_session", {"session_id": session.id}, "primary"))
    card = as_answer(key_values_card(ctx.say("Playing"), facts), text, actions)
    data = {"id": session.id, "status": session.status, "circles": session.circles}
    return ToolResult.success(data, text, display=card)
