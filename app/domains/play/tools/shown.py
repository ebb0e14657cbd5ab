"""A kept game as its card: with what it rests on, with the session in which it is played now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from app.core.stores import Document
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext
from app.domains.kit.documents import store_of

from ..cards import game_card
from ..model.activity import activities
from ..model.child import ChildProfile
from ..model.session import PlaySession, session_from_json
from ..rules.safety import Flags, SafetyFinding, check_game_safety
from ..store import OBSERVATIONS, PLANS, SESSIONS, body_of, stored_child

_LONGEST = 160


def flags_of(profile: ChildProfile) -> Flags:
    avoids = tuple(sense for sense, trait in profile.sensory.items() if trait == "avoids")
    return Flags(profile.allergies, profile.cautions, avoids, profile.sensory.get("oral") == "seeks")


async def findings_of(ctx: ToolContext, plan: Mapping[str, Any]) -> list[SafetyFinding]:
    """By the age and the cautions of today: a game that was kept a year ago is looked at anew."""
    profile = await stored_child(store_of(ctx))
    if profile is None:
        return check_game_safety(plan, None)
    age = profile.age_in_months(ctx.today or datetime.now(UTC).date())
    return check_game_safety(plan, age, flags_of(profile))


async def card_of_game(
    ctx: ToolContext, id: str, plan: Mapping[str, Any], session: PlaySession | None = None,
    findings: list[SafetyFinding] | None = None,
) -> Card:  # fmt: skip
    """`findings` where they are known already."""
    seen = findings if findings is not None else await findings_of(ctx, plan)
    return game_card(ctx, plan, seen, id, await evidence_of(ctx, plan), session)


async def evidence_of(ctx: ToolContext, plan: Mapping[str, Any]) -> list[dict[str, str]]:
    """What the plan names as its reasons, in words; what nobody has kept is left out."""
    items = []
    for one in plan.get("evidence", ()):
        text = await _evidence_text(ctx, str(one["id"]))
        if text:
            items.append({"id": str(one["id"]), "text": text[:_LONGEST], "why": str(one.get("why", ""))})
    return items


async def _evidence_text(ctx: ToolContext, id: str) -> str:
    by_id = {one.id: one for one in activities()}
    if id in by_id:
        return str(by_id[id].text("title", ctx.language))
    if (seen := await OBSERVATIONS.find(ctx, id)) is not None:
        body = body_of(seen.body)
        return f"{body.get('date', '')} {body.get('text', '')}".strip()
    played = await SESSIONS.find(ctx, id.removesuffix("-review"))
    if played is None:
        return ""
    body = body_of(played.body)
    plan = await PLANS.find(ctx, str(body.get("plan", "")))
    title = str(body_of(body_of(plan.body).get("plan")).get("title", "")) if plan is not None else ""
    return f"{str(body.get('started', ''))[:10]} {title}".strip()


async def running_session(ctx: ToolContext, plan: str = "") -> tuple[PlaySession, Document] | None:
    """The one that goes on, of that game or of any."""
    for document in await SESSIONS.all(ctx):
        body = body_of(document.body)
        if body.get("status") == "running" and plan in ("", body.get("plan")):
            try:
                return session_from_json(body), document
            except (KeyError, TypeError, ValueError):
                continue
    return None
