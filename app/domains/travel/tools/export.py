"""The tool that hands a trip on: export_trip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from app.core import detached
from app.core.errors import ToolError
from app.core.text.moments import utc_time
from app.core.tools.card import Card, CardAction
from app.core.tools.picture import CardPictures
from app.core.tools.tool import ToolContext, ToolResult, tool

from ...kit.files import file_name, write_file
from ..export import FORMATS, Journey
from ..export.sheet import sheet_of
from ..itinerary_card import itinerary_card
from ..rules.edits import apply
from ..rules.lookups import dataset_of, given_date, sources
from ..rules.trip_facts import TripFacts
from ..wording import N_, count_in
from . import approvals
from . import arguments as kinds
from .check import given_trip
from .newest import TRIPS, meant_or_stored

PICTURE, CALENDAR, PRINTED = "png", "ics", "pdf"
WITH_MAPS = ("html", "docx", "pdf")


@tool(
    "fs.write",
    title=N_("Export the trip"),
    icon="download",
    rules=kinds.within_reason,
    more=kinds.at_most_one("id", "itinerary"),
    example={"id": "trip-0123456789ab", "format": "ics"},
    read_only=False,
    only_exports=True,
    approval_text=approvals.exporting,
)
async def export_trip(
    ctx: ToolContext,
    format: kinds.Format,
    id: kinds.TripId | None = None,
    path: Annotated[str, Field(description="a file name, or a path inside the chosen folder; never outside it")]
    | None = None,
    itinerary: Annotated[
        kinds.Itinerary, Field(description="in place of id: one that is not stored; neither: the newest plan")
    ]
    | None = None,
    start_date: Annotated[
        kinds.StartDate,
        Field(description="the first day, for this file only; a calendar of a trip without dates needs it"),
    ]
    | None = None,
) -> ToolResult:
    """Write a trip as calendar (ics), page to print or send (pdf, docx, html), text (md), table (csv), map or picture.

    The file lies in the chosen folder, or else in the program's exports; an existing file is never replaced.
    """
    plan = {} if id is not None else await meant_or_stored(ctx, itinerary)
    journey = await _journey(ctx, id, plan, start_date)
    if format == CALENDAR and not journey.is_dated:
        given = {"id": id} if id is not None else {"itinerary": plan}
        return _asking_for_date(ctx, {**given, "format": format, **({"path": path} if path else {})})
    exported = dict(journey.itinerary)
    sheet = sheet_of(exported, dataset_of(ctx), ctx.language, with_maps=format in WITH_MAPS)
    journey = replace(journey, sheet=sheet)
    if format == PRINTED:
        content = await _printed(ctx, journey)
    else:
        content = _picture(ctx, exported) if format == PICTURE else FORMATS[format](journey)
    suffix = f".{format}"
    wanted = path or f"{file_name(journey.title, 'trip')}{suffix}"
    file = await write_file(ctx, wanted, suffix, content, example="trip.ics")
    data = {**file.data(), "format": format, "event_count": journey.count, "version": journey.version}
    text = ctx.say(
        "Wrote {file} ({count} entries, {size} bytes) in {parent}",
        file=file.path.name,
        count=journey.count,
        size=file.bytes,
        parent=file.path.parent,
    )
    card = file.card(count_in(ctx.language, "{n} entry", "{n} entries", journey.count))
    return ToolResult.success(data, text, display=card, **sources())


def _asking_for_date(ctx: ToolContext, args: Mapping[str, Any]) -> ToolResult:
    """No file was written, which a script and a model must see; a person can give the date beside it."""
    why = ctx.say("a calendar needs dates")
    field = {
        "name": "start_date", "label": ctx.say("Start date"), "kind": "text", "value": "", "required": True,
        "hint": ctx.say("The first day of the trip, as 2026-12-08"),
    }  # fmt: skip
    note = ctx.say("The plan has no dates yet. The date goes into the file; the plan stays as it is.")
    export = CardAction("export", ctx.say("Export calendar"), "export_trip", args, "primary", fills=("start_date",))
    card = Card("form", {"title": ctx.say("When does the trip start?"), "note": note, "fields": [field]})
    failed = ToolResult.failure("FORMAT", why, hint=ctx.say("give start_date, the first day of the trip"))
    return replace(failed, display=replace(card, actions=(export,)))


async def _journey(ctx: ToolContext, id: str | None, itinerary: Mapping[str, Any], start_date: str | None) -> Journey:
    if id is not None:
        document = await TRIPS.get(ctx, id)
        key, title, version = id, str(document.body["title"]), document.version
        itinerary, saved = document.body["itinerary"], utc_time(document.created)
    else:
        key, version, saved = TRIPS.id_of(itinerary), 1, datetime.now(UTC)
        title = str(itinerary.get("title") or key)
    trip = given_trip(ctx, itinerary)
    if start_date is not None:
        first = given_date(ctx, start_date)
        if first.year >= 9999:
            raise ToolError("BAD_DATE", ctx.say("start_date: too far away"))
        redate = {"op": "redate", "date": first.isoformat()}
        itinerary = apply(itinerary, [redate], dataset_of(ctx), ctx.language).itinerary
        trip = given_trip(ctx, itinerary)
    facts = TripFacts(trip, dataset_of(ctx), ctx.language)
    zones = {day.number: city.tz for day in trip.days_list if (city := facts.city_of(day))}
    return Journey(key, title, version, itinerary, zones, saved, ctx.language)


async def _printed(ctx: ToolContext, journey: Journey) -> bytes:
    """The page as the window prints it."""
    pictures = ctx.resources.get("pictures")
    printer = pictures.printer if isinstance(pictures, CardPictures) else None
    if printer is None:
        message = ctx.say("a PDF is printed by the window, and there is none")
        raise ToolError("FORMAT", message, hint=ctx.say("docx, html or md work here"))
    return await detached.in_thread(printer, FORMATS["html"](journey).decode(), journey.title)


def _picture(ctx: ToolContext, itinerary: Mapping[str, Any]) -> bytes:
    """The card of the itinerary with its map, as the window paints it; only where there is a window."""
    pictures = ctx.resources.get("pictures")
    painter = pictures.painter if isinstance(pictures, CardPictures) else None
    content = painter(itinerary_card(itinerary, ctx.language, dataset_of(ctx))) if painter else b""
    if not content:
        raise ToolError(
            "FORMAT",
            ctx.say("pictures are painted by the window; there is none here"),
            hint=ctx.say("html or md work here"),
        )
    return content
