"""The plan that is meant where a call names none, or names it by its id: the newest one of the conversation.

A model would have to copy out many thousand characters otherwise, and makes mistakes in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from app.core.arguments.references import parse_reference
from app.core.errors import ToolError
from app.core.tools.session_values import SESSION_VALUES, SessionValues
from app.core.tools.tool import ToolContext

from ...kit.documents import DocumentKind
from ..wording import N_

TRIPS = DocumentKind(
    "trip",
    absent=N_("there is no trip {what}"),
    stale=N_("the trip {id} is at version {newest}, the change was made on {base}"),
)
_PLAN = "travel.plan"


def remember(ctx: ToolContext, itinerary: Mapping[str, Any]) -> None:
    if isinstance(values := ctx.resources.get(SESSION_VALUES), SessionValues):
        values.put(ctx.session, _PLAN, dict(itinerary))


def newest(ctx: ToolContext) -> dict[str, Any] | None:
    values = ctx.resources.get(SESSION_VALUES)
    found = values.get(ctx.session, _PLAN) if isinstance(values, SessionValues) else None
    return dict(found) if found else None


async def meant_or_stored(ctx: ToolContext, given: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """As `meant`; the id may be that of a trip stored before this conversation, too."""
    own = _id_of(given)
    if own and own != (newest(ctx) or {}).get("id") and ctx.documents is not None:
        whole = isinstance(given, Mapping) and given.get("days_list")
        stored = None if whole else await TRIPS.find(ctx, own)
        if stored is not None:
            return dict(stored.body["itinerary"])
    return meant(ctx, given)


def meant(ctx: ToolContext, given: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """The itinerary as it was given, or the one that its id, a reference, a part of it or nothing stands for.

    Raises ToolError NOT_FOUND where this conversation has no plan yet.
    """
    if isinstance(given, str) and given.lstrip().startswith("{"):
        given = _written(given)
    if isinstance(given, Mapping) and given.get("days_list"):
        return dict(given)
    own, last = _id_of(given), newest(ctx)
    if last is None or (own and own != last.get("id")):
        if isinstance(given, Mapping):
            return dict(given)  # refused with what it lacks
        raise ToolError(
            "NOT_FOUND", ctx.say("there is no plan in this conversation yet"), hint=ctx.say("call generate_route first")
        )
    return last


def _written(text: str) -> Mapping[str, Any]:
    """The object that a text writes out; none where it is cut."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, Mapping) else {}


def _id_of(given: Mapping[str, Any] | str | None) -> str:
    """What names a plan; words like "last" and references to results name none."""
    text = given if isinstance(given, str) else str((given or {}).get("id") or "")
    text = text.strip()
    return text if text.startswith("trip-") and parse_reference(text) is None else ""
