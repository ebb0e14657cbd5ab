"""The game as a card: one step at a time, what to say, easier and harder, when to stop; keys: core/tools/card.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext
from app.domains.kit.cards import as_answer
from app.domains.kit.wording import N_

from .rules.safety import SafetyFinding

KIND = "activity"
LABELS = {
    "goal": N_("Goal"),
    "materials": N_("You need"),
    "preparation": N_("Before you begin"),
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


def game_card(ctx: ToolContext, plan: Mapping[str, Any], findings: Sequence[SafetyFinding], plan_id: str = "") -> Card:
    """The stop signs and the safety box have no state in which they are hidden: the renderer gets them always."""
    payload = {
        "title": plan["title"], "summary": plan["summary"], "goal": plan["goal"], "minutes": plan["duration_min"],
        "age": plan["age_range_months"], "preparation": plan.get("preparation", []),
        "materials": [
            {"name": one["name"], "instead": one.get("household_alternative", "")} for one in plan["materials"]
        ],
        "steps": [_step(one) for one in plan["steps"]],
        "stop_signs": plan["stop_signs"], "safety": plan["safety_notes"], "calm_down": plan["calm_down_plan"],
        "ending": plan["ending_ritual"], "evidence": plan.get("evidence", []), "questions": plan["review_questions"],
        "findings": findings_as_data(ctx, findings),
        "labels": {name: ctx.say(label) for name, label in LABELS.items()},
    }  # fmt: skip
    actions = []
    if plan_id:
        actions.append(CardAction("start", ctx.say("Start playing"), "start_session", {"plan_id": plan_id}, "primary"))
    return as_answer(Card(KIND, payload), str(plan["summary"]).splitlines()[0][:200], actions)


def findings_as_data(ctx: ToolContext, findings: Sequence[SafetyFinding]) -> list[dict[str, str]]:
    return [
        {
            "code": one.code, "severity": one.severity, "where": one.where, "words": one.words,
            "message": ctx.say(one.message), "fix": ctx.say(one.fix),
        }
        for one in findings
    ]  # fmt: skip


def _step(one: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": one["title"], "text": one["instruction"], "guidance": one.get("guidance", ""),
        "say": one.get("say_examples", []), "watch": one.get("watch_for", []), "refuses": one.get("if_refuses", ""),
        "easier": one.get("easier", ""), "harder": one.get("harder", ""), "minutes": one.get("minutes"),
    }  # fmt: skip
