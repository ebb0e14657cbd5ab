"""The game as a card: one step at a time, what to say, easier and harder, when to stop; keys: core/tools/card.py."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext
from app.domains.kit.cards import as_answer
from app.domains.kit.wording import N_

from .model.session import EventKind, PlaySession
from .rules.safety import SafetyFinding

KIND = "activity"
_TWO_YEARS = 24
LABELS = {
    "goal": N_("Goal"),
    "materials": N_("You need"),
    "preparation": N_("Before you begin"),
    "guidance": N_("How"),
    "say": N_("Say"),
    "watch": N_("Watch for"),
    "refuses": N_("If the child does not want to"),
    "easier": N_("Easier"),
    "harder": N_("Harder"),
    "stop_signs": N_("Stop when"),
    "safety": N_("Safety"),
    "calm_down": N_("To calm down"),
    "ending": N_("To end"),
    "evidence": N_("Why this game"),
    "questions": N_("Afterwards"),
    "disclaimer": N_("A game for home. It is no treatment, and nothing here is a diagnosis."),
}
EVENTS: dict[EventKind, str] = {
    "smile": N_("Smile"), "circle": N_("Circle"), "protest": N_("Protest"), "flashpoint": N_("Meltdown"),
    "note": N_("Note"), "pause": N_("Pause"), "resume": N_("Go on"),
}  # fmt: skip
COUNTED: dict[EventKind, str] = {
    "smile": N_("Smiles"), "circle": N_("Circles"), "protest": N_("Protests"), "flashpoint": N_("Meltdowns"),
}  # fmt: skip


def game_card(
    ctx: ToolContext, plan: Mapping[str, Any], findings: Sequence[SafetyFinding], plan_id: str,
    evidence: Sequence[Mapping[str, str]] = (), session: PlaySession | None = None,
) -> Card:  # fmt: skip
    """The stop signs and the safety box have no state in which they are hidden: the renderer gets them always."""
    payload = {
        "id": session.id if session is not None else plan_id,
        **printed(ctx, plan, findings, evidence),
    }  # fmt: skip
    actions = []
    if session is not None:
        now = datetime.now(UTC)
        payload["timer"] = {
            "id": session.id, "spent": session.played_seconds(now), "planned": plan["duration_min"] * 60,
            "since": None if session.is_paused else now.timestamp(),
        }  # fmt: skip
        payload["counts"] = [{"label": ctx.say(label), "n": session.count(kind)} for kind, label in COUNTED.items()]
        actions = _while_playing(ctx, session)
    elif plan_id:
        actions = [
            CardAction("start", ctx.say("Start playing"), "start_session", {"plan_id": plan_id}, "primary"),
            CardAction("print", ctx.say("Print on one page"), "print_game", {"plan_id": plan_id}),
        ]
    return as_answer(Card(KIND, payload), str(plan["summary"]).splitlines()[0][:200], actions)


def printed(
    ctx: ToolContext, plan: Mapping[str, Any], findings: Sequence[SafetyFinding], evidence: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    """What of a plan is on the card and on its page."""
    return {
        "title": plan["title"], "summary": plan["summary"], "goal": plan["goal"],
        "aside": f"{_ages(ctx, *plan['age_range_months'])} · {ctx.say('{n} min', n=plan['duration_min'])}",
        "preparation": [*plan.get("preparation", []), *plan.get("sensory_adaptations", [])],
        "materials": [
            {"name": one["name"], "instead": one.get("household_alternative", "")} for one in plan["materials"]
        ],
        "steps": [_step(ctx, one) for one in plan["steps"]],
        "stop_signs": plan["stop_signs"], "safety": plan["safety_notes"], "calm_down": plan["calm_down_plan"],
        "ending": plan["ending_ritual"], "evidence": [dict(one) for one in evidence],
        "questions": plan["review_questions"], "findings": findings_as_data(ctx, findings),
        "labels": {name: ctx.say(label) for name, label in LABELS.items()},
    }  # fmt: skip


def _while_playing(ctx: ToolContext, session: PlaySession) -> list[CardAction]:
    kinds: list[EventKind] = ["smile", "circle", "protest", "flashpoint", "resume" if session.is_paused else "pause"]
    actions = [
        CardAction(kind, ctx.say(EVENTS[kind]), "log_event", {"session_id": session.id, "kind": kind}) for kind in kinds
    ]
    end = CardAction(
        "finish",
        ctx.say("End the game"),
        "finish_session",
        {"session_id": session.id},
        "primary",
        fills=("steps_done",),
    )
    return [*actions, end]


_PLACES = {
    "steps": N_("step"), "materials": N_("materials"), "preparation": N_("preparation"), "summary": N_("summary"),
    "title": N_("title"), "goal": N_("goal"), "ending_ritual": N_("the end"), "safety_notes": N_("safety notes"),
    "calm_down_plan": N_("calming down"), "stop_signs": N_("stop signs"), "suggestions": N_("suggestion"),
    "sensory_adaptations": N_("adaptations"), "evidence": N_("reasons"), "review_questions": N_("questions"),
    "environment": N_("place"), "plan": N_("the game"),
}  # fmt: skip
_NUMBERED = re.compile(r"^(\w+)(?:\[(\d+)\])?")


def place_of(ctx: ToolContext, where: str) -> str:
    """`steps[2].instruction` as a parent reads it: "step 3"."""
    hit = _NUMBERED.match(where)
    if hit is None or hit[1] not in _PLACES:
        return where
    name = ctx.say(_PLACES[hit[1]])
    return ctx.say("{place} {n}", place=name, n=int(hit[2]) + 1) if hit[2] else name


def findings_as_data(ctx: ToolContext, findings: Sequence[SafetyFinding]) -> list[dict[str, str]]:
    return [
        {
            "code": one.code, "severity": one.severity, "where": one.where, "words": one.words,
            "message": ctx.say(one.message), "fix": _fix(ctx, one),
        }
        for one in findings
    ]  # fmt: skip


def _fix(ctx: ToolContext, one: SafetyFinding) -> str:
    """With the reason, where what would be a block is a warning."""
    fix = ctx.say(one.fix)
    return ctx.say("{fix} (only a warning: {reason})", fix=fix, reason=ctx.say(one.reason)) if one.reason else fix


def _ages(ctx: ToolContext, low: int, high: int) -> str:
    """In years where both are whole ones, as people say it from two years on."""
    if low >= _TWO_YEARS and low % 12 == 0 and high % 12 == 0:
        return ctx.say("{low}–{high} years", low=low // 12, high=high // 12)
    return ctx.say("{low}–{high} months", low=low, high=high)


def _step(ctx: ToolContext, one: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": one["title"], "text": one["instruction"], "guidance": one.get("guidance", ""),
        "say": one.get("say_examples", []), "watch": one.get("watch_for", []), "refuses": one.get("if_refuses", ""),
        "easier": one.get("easier", ""), "harder": one.get("harder", ""), "minutes": one.get("minutes"),
        "length": ctx.say("{n} min", n=f"{one['minutes']:g}") if one.get("minutes") else "",
    }  # fmt: skip
