"""The tools of stored trips: save_trip, load_trip, list_trips, edit_trip. Every change is a new version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import BadInput, ToolError
from app.core.stores import Document, DocumentStore
from app.core.text.moments import utc_time
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

from ..answer_card import answer_card
from ..rules.edits import apply, restored
from ..rules.lookups import dataset_of, sources
from ..wording import N_, say_in
from . import approvals
from . import argument_groups as groups
from . import arguments as kinds
from .check import as_data as check_data
from .check import checked, given_trip
from .check import summary as check_summary

KIND = "trip"


@tool("app.write", title=N_("Save the trip"), rules=kinds.within_reason, approval_text=approvals.keeping)
async def save_trip(
    ctx: ToolContext,
    itinerary: kinds.Itinerary,
    title: Annotated[str, Field(max_length=120), Also("name", "标题")] | None = None,
    id: Annotated[kinds.TripId, Field(description="an existing trip: this becomes its next version")] | None = None,
) -> ToolResult:
    """Keep an itinerary as a trip, or as the next version of one. Older versions stay."""
    given_trip(ctx, itinerary)
    if id is not None:
        await stored(ctx, id)
    document = await _put(ctx, itinerary, title, id or own_id(itinerary))
    key, name, version = document.id, document.body["title"], document.version
    text = ctx.say("Saved “{name}” ({key}, version {version})", name=name, key=key, version=version)
    card = answer_card(document.body["itinerary"], ctx.language, dataset_of(ctx), version=version)
    return ToolResult.success({"id": key, "title": name, "version": version}, text, display=card, **sources())


@tool("app.read", title=N_("Open the trip"), rules=kinds.within_reason)
async def load_trip(ctx: ToolContext, id: kinds.TripId, version: kinds.Version | None = None) -> ToolResult:
    """A stored trip with its itinerary; an older version if one is named."""
    document = await stored(ctx, id, version)
    itinerary, title = document.body["itinerary"], document.body["title"]
    text = ctx.say("“{title}”, version {version}", title=title, version=document.version)
    data = {"id": id, "version": document.version, "title": title, "itinerary": itinerary}
    card = answer_card(itinerary, ctx.language, dataset_of(ctx), version=document.version)
    return ToolResult.success(data, text, display=card, **sources())


@tool("app.read", title=N_("List the trips"))
async def list_trips(ctx: ToolContext) -> ToolResult:
    """The stored trips, the newest first."""
    language, rows = ctx.language, []
    for document in await store(ctx).list(KIND):
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
        {"key": "title", "label": say_in(language, "Trip")},
        {"key": "days", "label": say_in(language, "Days"), "align": "right"},
        {"key": "start_date", "label": say_in(language, "Start date")},
        {"key": "version", "label": say_in(language, "Version"), "align": "right"},
        {"key": "id", "label": "id"},
    ]
    rows_shown = [{column["key"]: row[column["key"]] or "" for column in columns} for row in rows]
    names = "; ".join(f"{row['title']} ({row['id']})" for row in rows[:10])
    text = say_in(language, "{count} trips", count=len(rows)) + (f": {names}" if rows else "")
    card = Card("table", {"title": say_in(language, "Stored trips"), "columns": columns, "rows": rows_shown})
    return ToolResult.success({"trips": rows, "count": len(rows)}, text, display=card, **sources())


@tool(
    "app.write",
    title=N_("Change the trip"),
    rules=kinds.within_reason,
    more=kinds.exactly_one("id", "itinerary"),
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
    itinerary: Annotated[kinds.Itinerary, Field(description="in place of id: it is stored first")] | None = None,
) -> ToolResult:
    """Change a trip: move, remove, swap, add, retime or lock stops, ease a day, redate it, restore an older version.

    The days concerned are arranged anew and checked. The fixes of check_itinerary can be given as they are.
    """
    if id is None:
        id = await _first_version(ctx, itinerary or {})
    document = await stored(ctx, id)
    if len(ops) == 1 and ops[0]["op"] == "restore":
        older = await stored(ctx, id, ops[0].get("version") or max(1, document.version - 1))
        edited = restored(document.body["itinerary"], older.body["itinerary"])
    else:
        edited = apply(document.body["itinerary"], ops, dataset_of(ctx), ctx.language)
    report = checked(ctx, given_trip(ctx, edited.itinerary), {})
    same = edited.itinerary == document.body["itinerary"] and version in (None, document.version)
    try:
        stored_note = (
            document
            if same
            else await store(ctx).put(
                KIND, id, {**document.body, "itinerary": edited.itinerary}, base=version or document.version
            )
        )
    except BadInput as error:
        newest, base = error.params.get("version"), error.params.get("base")
        words = N_("the trip {id} is at version {newest}, the change was made on {base}")
        hint = ctx.say("read it again and repeat the change")
        raise ToolError("STALE", ctx.say(words, id=id, newest=newest, base=base), hint=hint) from error
    data = {
        "id": id,
        "version": stored_note.version,
        "itinerary": edited.itinerary,
        "diff": edited.diff,
        "unsolved_days": edited.unsolved,
        "check": check_data(report),
    }
    return ToolResult.success(
        data,
        _edit_summary(ctx, stored_note.version, edited.diff, edited.unsolved) + "\n" + check_summary(report),
        display=answer_card(edited.itinerary, ctx.language, dataset_of(ctx), version=stored_note.version),
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
    key = own_id(itinerary)
    if await store(ctx).get(KIND, key) is None:
        given_trip(ctx, itinerary)
        await _put(ctx, itinerary, None, key)
    return key


async def _put(ctx: ToolContext, itinerary: Mapping[str, Any], title: str | None, key: str) -> Document:
    name = title or str(itinerary.get("title") or "") or key
    return await store(ctx).put(KIND, key, {"title": name, "itinerary": {**itinerary, "id": key, "title": name}})


def store(ctx: ToolContext) -> DocumentStore:
    if ctx.documents is None:
        raise ToolError("UNAVAILABLE", ctx.say("there is no store to keep trips in"))
    return ctx.documents


async def stored(ctx: ToolContext, id: str, version: int | None = None) -> Document:
    """Raises ToolError NOT_FOUND with the trips there are."""
    document = await store(ctx).get(KIND, id, version)
    if document is None or not isinstance(document.body, Mapping):
        ids = ", ".join(each.id for each in (await store(ctx).list(KIND))[:10])
        what = id if version is None else f"{id} v{version}"
        raise ToolError(
            "NOT_FOUND",
            ctx.say("there is no trip {what}", what=what),
            hint=ids and f"id: {ids}",
        )
    return document


def own_id(itinerary: Mapping[str, Any]) -> str:
    id_given = itinerary.get("id")
    if isinstance(id_given, str) and id_given.startswith("trip-") and len(id_given) <= 40 and id_given.isascii():
        return id_given
    text = json.dumps(itinerary, sort_keys=True, ensure_ascii=False, default=str)
    return f"trip-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
