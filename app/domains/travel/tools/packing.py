"""The tool that says what to take along: packing_list."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

from ..model.vocabulary import vocabulary
from ..rules.lookups import dataset_of, known_city, sources
from ..rules.packing import PackingFacts, packing
from ..rules.trip_facts import TripFacts
from ..wording import N_, listed
from . import argument_groups as groups
from . import arguments as kinds
from .check import given_trip
from .newest import TRIPS

HOME = ("CN",)
MAIN_TAGS = 6
"""What a city is known for above all: nobody packs for everything one could do there."""


@tool("pure", title=N_("Packing list"), icon="list", rules=kinds.within_reason)
async def packing_list(
    ctx: ToolContext,
    trip_id: Annotated[kinds.TripId, Also("id")] | None = None,
    city: kinds.City | None = None,
    months: Annotated[list[kinds.Month], Field(max_length=12), Also("month")] | None = None,
    tags: Annotated[kinds.WordList, Field(description="interests: hiking, 海滨 …"), Also("interests", "activities")]
    | None = None,
    party: groups.PartyArgument | None = None,
    days: Annotated[kinds.Stay, Field(le=90)] | None = None,
    extra: Annotated[
        list[Annotated[str, Field(max_length=80)]],
        Field(max_length=50, description="the user's own items"),
        Also("items", "extras"),
    ]
    | None = None,
) -> ToolResult:
    """What to pack for a stored trip, or for months, interests, party and days; `extra` are the user's own items."""
    journey = await _journey(ctx, trip_id) if trip_id else PackingFacts()
    record = known_city(ctx, city) if city else None
    tag_terms = [vocabulary().tags.find(tag) for tag in tags or ()]
    journey = PackingFacts(
        days=days or journey.days,
        months=frozenset(months or ()) or journey.months,
        tags=journey.tags
        | {term.code for term in tag_terms if term}
        | (frozenset(record.tags[:MAIN_TAGS]) if record else frozenset()),
        adults=party["adults"] if party else journey.adults,
        children=tuple(party.get("children", ())) if party else journey.children,
        abroad=journey.abroad or (record is not None and record.country not in HOME),
        latitude=record.point.lat if record else journey.latitude,
    )
    groups = packing(journey, [item for item in extra or () if item.strip()], ctx.language)
    unused = [tag for tag, term in zip(tags or (), tag_terms, strict=True) if term is None]
    count = sum(len(_items(group)) for group in groups)
    lines = [f"{group['group']}: {listed(ctx.language, _texts(group))}" for group in groups]
    checklist = [
        {"text": text, "state": "todo", "hint": str(group["group"])} for group in groups for text in _texts(group)
    ]
    title = ctx.say("Packing list ({days} days, {count} items)", days=journey.days, count=count)
    return ToolResult.success(
        {"groups": groups, "count": count, "days": journey.days, "unused_tags": unused},
        "\n".join(lines),
        display=Card("checklist", {"title": title, "items": checklist}),
        **sources(source=["rules"]),
    )


def _items(group: dict[str, object]) -> list[dict[str, Any]]:
    items = group["items"]
    return items if isinstance(items, list) else []


def _texts(group: dict[str, object]) -> list[str]:
    return [str(item["text"]) for item in _items(group)]


async def _journey(ctx: ToolContext, trip_id: str) -> PackingFacts:
    """What a stored trip says about itself."""
    trip = given_trip(ctx, (await TRIPS.get(ctx, trip_id)).body["itinerary"])
    facts = TripFacts(trip, dataset_of(ctx), ctx.language)
    cities = [city for day in trip.days_list if (city := facts.city_of(day))]
    sights = [known.sight for day, stop in trip.stops if (known := facts.place(day, stop)) and known.sight]
    dates: list[date] = [day.date for day in trip.days_list if day.date]
    return PackingFacts(
        days=len(trip.days_list),
        months=frozenset(day.month for day in dates),
        tags=frozenset(tag for sight in sights for tag in sight.tags),
        adults=trip.party.adults if trip.party else 2,
        children=trip.party.children if trip.party else (),
        abroad=any(city.country not in HOME for city in cities),
        latitude=cities[0].point.lat if cities else 32.0,
    )
