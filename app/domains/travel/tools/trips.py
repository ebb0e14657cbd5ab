"""The tools of stored trips: save_trip, load_trip, list_trips, edit_trip. Every change is a new version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.stores import Document
from app.core.text.moments import utc_time
from app.core.tools.tool import ToolContext, ToolResult, tool

from ...kit.tables import Column, table_card
from ..answer_card import answer_card
from ..booking_rules import booking_rules, unsure_sights
from ..rules.edits import apply, replayed, restored
from ..rules.estimate import cost_data
from ..rules.itinerary import scheduled
from ..rules.lookups import dataset_of, sources
from ..wording import N_, say_in
from . import approvals
from . import argument_groups as groups
from . import arguments as kinds
from .check import as_data as check_data
from .check import checked, given_trip
from .check import summary as check_summary
from .newest import TRIPS, meant_or_stored, remember

RESTORED = "restored"
"""In a stored trip: the older version that its newest one is."""


@tool("app.write", title=N_("Save the trip"), icon="check", rules=kinds.within_reason, approval_text=approvals.keeping)
async def save_trip(
    ctx: ToolContext,
    itinerary: kinds.Itinerary | None = None,
    title: Annotated[str, Field(max_length=120), Also("name", "标题")] | None = None,
    id: Annotated[kinds.TripId, Field(description="an existing trip: this becomes its next version")] | None = None,
    keep_edits: Annotated[bool, Field(description="with id: what edit_trip changed in it is done again")] = False,
) -> ToolResult:
    """Keep an itinerary as a trip, or as the next version of one. Older versions stay."""
    plan = await meant_or_stored(ctx, itinerary)
    given_trip(ctx, plan)
    if id is not None:
        before = await TRIPS.get(ctx, id)
        if keep_edits:
            plan = replayed(plan, before.body["itinerary"], dataset_of(ctx), ctx.language).itinerary
    document = await _put(ctx, plan, title, id or TRIPS.id_of(plan))
    remember(ctx, document.body["itinerary"])
    key, name, version = document.id, document.body["title"], document.version
    text = ctx.say("Saved “{name}” ({key}, version {version})", name=name, key=key, version=version)
    card = answer_card(document.body["itinerary"], ctx.language, dataset_of(ctx), version=version)
    return ToolResult.success({"id": key, "title": name, "version": version}, text, display=card, **sources())


@tool("app.read", title=N_("Open the trip"), icon="folder", rules=kinds.within_reason)
async def load_trip(ctx: ToolContext, id: kinds.TripId, version: kinds.Version | None = None) -> ToolResult:
    """A stored trip with its itinerary; an older version if one is named."""
    document = await TRIPS.get(ctx, id, version)
    itinerary, title = document.body["itinerary"], document.body["title"]
    remember(ctx, itinerary)
    text = ctx.say("“{title}”, version {version}", title=title, version=document.version)
    data = {
        "id": id, "version": document.version, "title": title, "itinerary": itinerary,
        "scheduled": scheduled(itinerary), "cost": cost_data(itinerary, dataset_of(ctx)),
        "bookings": booking_rules(itinerary, dataset_of(ctx), ctx.language),
        "unsure": unsure_sights(itinerary, dataset_of(ctx), ctx.language),
    }  # fmt: skip
    card = answer_card(itinerary, ctx.language, dataset_of(ctx), version=document.version)
    return ToolResult.success(data, text, display=card, **sources())


@tool("app.read", title=N_("List the trips"), icon="list")
async def list_trips(ctx: ToolContext) -> ToolResult:
    """The stored trips, the newest first."""
    language, rows = ctx.language, []
    for document in await TRIPS.all(ctx):
        itinerary = document.body["itinerary"]
        rows.append(
            {
                "id": document.id,
                "title": document.body["title"],
                "version": document.version,
                "days": len(itinerary.get("days_list") or ()),
                "start_date": itinerary.get("start_date"),
                "saved": utc_time(document.created).isoformat(timespec="seconds"),
            }
        )
    columns = [
        Column("title", say_in(language, "Trip")),
        Column("days", say_in(language, "Days"), is_number=True),
        Column("start_date", say_in(language, "Start date")),
        Column("version", say_in(language, "Version"), is_number=True),
        Column("id", "id"),
    ]
    names = "; ".join(f"{row['title']} ({row['id']})" for row in rows[:10])
    text = say_in(language, "{count} trips", count=len(rows)) + (f": {names}" if rows else "")
    card = table_card(say_in(language, "Stored trips"), columns, rows)
    return ToolResult.success({"trips": rows, "count": len(rows)}, text, display=card, **sources())


@tool(
    "app.write",
    title=N_("Change the trip"),
    rules=kinds.within_reason,
    more=kinds.at_most_one("id", "itinerary"),
    approval_text=approvals.editing,
    example={"id": "trip-0123456789ab", "ops": [{"op": "remove", "day": 1, "stop": "故宫"}]},
)
async def edit_trip(
    ctx: ToolContext,
    ops: Annotated[list[groups.Op], Field(min_length=1, max_length=40), Also("operations", "op", "edits", "changes")],
    id: kinds.TripId | None = None,
    version: Annotated[
        kinds.Version, Field(description="the version the edit was made on; refused if there is a newer one")
    ]
    | None = None,
    itinerary: Annotated[
        kinds.Itinerary, Field(description="in place of id: it is stored first; neither: the newest plan")
    ]
    | None = None,
) -> ToolResult:
    """Change a trip: move, remove, swap, add, retime or lock stops, ease a day, redate it, restore an older version.

    The days concerned are arranged anew and checked. The fixes of check_itinerary can be given as they are.
    """
    if id is None:
        id = await _first_version(ctx, await meant_or_stored(ctx, itinerary))
    document, older = await TRIPS.get(ctx, id), None
    if len(ops) == 1 and ops[0]["op"] == "restore":
        # A second "undo" goes behind what the first one brought back.
        current = document.body.get(RESTORED) or document.version
        older = await TRIPS.get(ctx, id, ops[0].get("version") or max(1, current - 1))
        edited = restored(document.body["itinerary"], older.body["itinerary"])
    else:
        edited = apply(document.body["itinerary"], ops, dataset_of(ctx), ctx.language)
    report = checked(ctx, given_trip(ctx, edited.itinerary), {})
    same = edited.itinerary == document.body["itinerary"] and version in (None, document.version)
    body = {**document.body, "itinerary": edited.itinerary, RESTORED: older.version if older else None}
    newest = document if same else await TRIPS.put(ctx, id, body, base=version or document.version)
    remember(ctx, edited.itinerary)
    data = {
        "id": id,
        "version": newest.version,
        "itinerary": edited.itinerary,
        "diff": edited.diff,
        "unsolved_days": edited.unsolved,
        "cost": cost_data(edited.itinerary, dataset_of(ctx)),
        "check": check_data(report),
    }
    return ToolResult.success(
        data,
        _edit_summary(ctx, newest.version, edited.diff, edited.unsolved) + "\n" + check_summary(report),
        display=answer_card(edited.itinerary, ctx.language, dataset_of(ctx), version=newest.version),
        **sources(),
    )


def _edit_summary(ctx: ToolContext, version: int, diff: list[dict[str, Any]], unsolved: list[int]) -> str:
    words = {
        "added": ctx.say("added"),
        "removed": ctx.say("removed"),
        "moved": ctx.say("moved"),
        "retimed": ctx.say("retimed"),
    }
    parts = [
        f"{words[change['change']]} {change['stop']}"
        + ctx.say(" (day {day} {time})", day=change["day"], time=change["time"])
        for change in diff[:6]
    ]
    text = ctx.say("Version {version}", version=version)
    text += ": " + ("; ".join(parts) or ctx.say("nothing changed"))
    if unsolved:
        days = ", ".join(map(str, unsolved))
        text += ctx.say(". Day {days} does not fit: times as given", days=days)
    return text


async def _first_version(ctx: ToolContext, itinerary: Mapping[str, Any]) -> str:
    """An itinerary that is not a stored trip yet becomes one; one that is keeps its newest version."""
    key = TRIPS.id_of(itinerary)
    if await TRIPS.find(ctx, key) is None:
        given_trip(ctx, itinerary)
        await _put(ctx, itinerary, None, key)
    return key


async def _put(ctx: ToolContext, itinerary: Mapping[str, Any], title: str | None, key: str) -> Document:
    name = title or str(itinerary.get("title") or "") or key
    return await TRIPS.put(ctx, key, {"title": name, "itinerary": {**itinerary, "id": key, "title": name}})
