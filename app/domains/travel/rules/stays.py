"""A journey over several cities: every stay planned like a journey of its own, joined by the ways between them.

A leg is a city and the nights spent there. One leaves in the morning after the last night; the way between two cities
is an `intercity` stop from centre to centre, and the stay begins where it ends. The result is one itinerary that can be
checked, changed, stored and exported like any other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext

from ..model.hours import DAY, format_time, parse_time
from ..model.places import City
from ..routing.intercity import IntercityTrip, clock_shift, passage
from ..wording import listed
from .city_order import CityVisit, share_out
from .itinerary import written_out
from .lookups import dataset_of, given_date, known_city, unknown_place
from .planned import infeasible, left_over, planned
from .route_request import read_request

KEPT = ("day_start", "day_end", "mode", "meals", "pace", "max_stops", "return_to_start", "arrival", "departure", "tier")
"""Arguments that whoever checks or edits the journey needs again."""
LONG_RIDE = 8 * 60
"""After so long a ride nothing is planned on the day it began."""
LATEST_ARRIVAL = 2 * DAY - 60
"""Minutes after the midnight before leaving; a way that takes longer is no part of a plan by days."""


@dataclass(frozen=True)
class PlannedStay:
    city: City
    nights: int
    first: int
    """The first day there."""
    days: int
    """Days that are planned there: the last city has one more than its nights."""


@dataclass
class Joined:
    itinerary: dict[str, Any]
    unscheduled: list[dict[str, Any]]
    assumptions: list[str] = field(default_factory=list)


def journey(ctx: ToolContext, args: Mapping[str, Any]) -> Joined:
    """Raises ToolError: BAD_ARGUMENTS where nights and days do not fit, INFEASIBLE where a way leaves no time."""
    for name in ("lodging", "travel_matrix"):
        if args.get(name):
            raise _bad(name, ctx.say("is for one city and cannot go with legs"))
    legs = _legs(ctx, args)
    wishes = {name: _by_city(ctx, legs, args.get(name) or (), name) for name in ("must_see", "avoid")}
    days: list[dict[str, Any]] = []
    unscheduled: list[dict[str, Any]] = []
    assumptions: list[str] = []
    parts, usable = [], False
    for place, leg in enumerate(legs):
        way = passage(legs[place - 1].city, leg.city) if place else None
        request = read_request(ctx, _own_args(ctx, args, leg, legs, wishes, way))
        plan = planned(request)
        usable = usable or any(day.usable for day in request.days)
        unscheduled += left_over(request, plan, ctx.language)
        part = written_out(request, plan, ctx.language)
        parts.append(part)
        assumptions += [text for text in part["assumptions"] if text not in assumptions]
        for day in part["days_list"]:
            is_first, is_last = day["day"] == 1, leg.first + day["day"] - 1 == args["days"]
            day["day"] += leg.first - 1
            day["lodging"] = None if is_last else dict(part["lodging"])
            day["city_name"] = leg.city.name(ctx.language)
            day["currency"] = leg.city.currency
            if is_first and way:
                _arrive(ctx, day, legs[place - 1].city, leg.city, way, args["day_start"])
            days.append(day)
    if not any(stop["kind"] == "sight" for day in days for stop in day["stops"]):
        raise infeasible(ctx.language, unscheduled, usable=usable)
    assumptions.append(
        ctx.say(
            "between cities one leaves in the morning; times are estimates, timetables and fares were not looked up"
        )
    )
    return Joined(_body(ctx, args, legs, parts, days, assumptions), unscheduled, assumptions)


def _legs(ctx: ToolContext, args: Mapping[str, Any]) -> list[PlannedStay]:
    given, total = args["legs"], args["days"]
    cities = [known_city(ctx, each["city"]) for each in given]
    if len({city.id for city in cities}) < len(cities):
        raise _bad("legs", ctx.say("a city is there twice"))
    if total < len(cities):
        raise _bad("days", ctx.say("{count} cities need as many days", count=len(cities)))
    nights = [each.get("nights") for each in given]
    if any(each is None for each in nights):
        suggested = [CityVisit(city.id, city.recommended_days.typ) for city in cities]
        nights = [visit.days for visit in share_out(suggested, total)]
        nights[-1] -= 1
    if sum(nights) + 1 != total or 0 in nights[:-1]:
        raise _bad(
            "legs",
            ctx.say(
                "{total} days are {most} nights, the legs have {nights}; each city but the last needs one",
                total=total,
                most=total - 1,
                nights=sum(nights),
            ),
        )
    legs, first = [], 1
    for city, stay in zip(cities, nights, strict=True):
        is_last = city is cities[-1]
        legs.append(PlannedStay(city, stay, first, stay + 1 if is_last else stay))
        first += stay
    return legs


def _bad(path: str, text: str) -> ToolError:
    return ToolError("BAD_ARGUMENTS", f"{path}: {text}")


def _by_city(ctx: ToolContext, legs: Sequence[PlannedStay], names: Sequence[str], which: str) -> dict[str, list[str]]:
    """Which of the places named lie in which city. What is to be seen must lie in one of them."""
    found: dict[str, list[str]] = {leg.city.id: [] for leg in legs}
    for name in names:
        hits = ((leg.city, dataset_of(ctx).attraction(name, leg.city)) for leg in legs)
        home = next((city for city, hit in hits if hit and hit[0] is city), None)
        if home is None and which == "must_see":
            raise unknown_place(ctx, name, dataset_of(ctx).suggest_attractions(name, ctx.language))
        found[home.id if home else legs[0].city.id].append(name)
    return found


def _own_args(
    ctx: ToolContext,
    args: Mapping[str, Any],
    leg: PlannedStay,
    legs: Sequence[PlannedStay],
    wishes: Mapping[str, Mapping[str, list[str]]],
    way: IntercityTrip | None,
) -> dict[str, Any]:
    """What generate_route would be asked for this stay alone."""
    own = {**args, "legs": None, "city": leg.city.id, "days": leg.days, "arrival": None, "departure": None}
    own.update({name: chosen[leg.city.id] for name, chosen in wishes.items()})
    own["by_day"] = _day_wishes(ctx, args, leg)
    if args.get("start_date"):
        own["start_date"] = (_first(ctx, args) + timedelta(days=leg.first - 1)).isoformat()
    if way is not None:
        before = legs[legs.index(leg) - 1].city
        arrival = _arrival(ctx, args, before, leg, way)
        number, minute = divmod(arrival, DAY)
        if number + 1 > leg.days:
            raise _no_time(ctx, before, leg, way)
        time = str(args["day_end"]) if _needs_rest(way, arrival) else format_time(minute)
        own["arrival"] = {"day": number + 1, "time": time}
    elif args.get("arrival"):
        own["arrival"] = args["arrival"]
    if leg is legs[-1] and args.get("departure"):
        departure = args["departure"]
        if not leg.first <= departure["day"] <= args["days"]:
            raise _bad("departure.day", ctx.say("must be in the last city"))
        own["departure"] = {**departure, "day": departure["day"] - leg.first + 1}
    return own


def _day_wishes(ctx: ToolContext, args: Mapping[str, Any], leg: PlannedStay) -> list[dict[str, Any]]:
    """Those for days of this stay, by its own count; a sight of another city is left where the plan puts it."""
    wishes = []
    for wish in args.get("by_day") or ():
        day = wish["day"] - leg.first + 1
        names = [
            name for name in wish["stops"] if (hit := dataset_of(ctx).attraction(name, leg.city)) and hit[0] is leg.city
        ]
        if names and 1 <= day <= leg.days:
            wishes.append({"day": day, "stops": names})
    return wishes


def _first(ctx: ToolContext, args: Mapping[str, Any]) -> date:
    return given_date(ctx, args["start_date"], "BAD_ARGUMENTS")


def _arrival(ctx: ToolContext, args: Mapping[str, Any], before: City, leg: PlannedStay, way: IntercityTrip) -> int:
    """Minutes of the day of leaving, by the clocks of where one arrives; never before one left."""
    leaving = parse_time(args["day_start"])
    on = _first(ctx, args) if args.get("start_date") else None
    arrival = max(leaving, leaving + way.minutes + clock_shift(before, leg.city, on))
    if arrival > LATEST_ARRIVAL:
        raise _no_time(ctx, before, leg, way)
    return arrival


def _needs_rest(way: IntercityTrip, arrival: int) -> bool:
    return way.ride >= LONG_RIDE and arrival < DAY


def _no_time(ctx: ToolContext, before: City, leg: PlannedStay, way: IntercityTrip) -> ToolError:
    here, there = before.name(ctx.language), leg.city.name(ctx.language)
    return ToolError(
        "INFEASIBLE",
        ctx.say(
            "{here} to {there}: {way}; no time is left in {there}", here=here, there=there, way=way.told(ctx.language)
        ),
        hint=ctx.say("add days or leave a city out"),
    )


def _arrive(
    ctx: ToolContext, day: dict[str, Any], before: City, city: City, way: IntercityTrip, day_start: str
) -> None:
    """The way between the cities as the first stop of the day."""
    leaving = parse_time(day_start)
    on = date.fromisoformat(day["date"]) if day["date"] else None
    shift = clock_shift(before, city, on)
    end = max(leaving, leaving + way.minutes + shift)
    notes = [way.told(ctx.language)]
    if shift:
        hours = f"{shift / 60:+g}"
        notes.append(ctx.say("arrival in local time ({hours} h time difference)", hours=hours))
    stop = {
        "seq": 1,
        "place_id": None,
        "name": f"{before.name(ctx.language)} → {city.name(ctx.language)}",
        "kind": "intercity",
        "mode": way.mode,
        "door_to_door": True,
        "start": format_time(leaving),
        "end": format_time(end),
        "wait_min": 0,
        "transfer": None,
        "cost": None,
        "notes": notes,
        "warnings": [],
        "locked": False,
    }
    day["stops"] = [stop, *day["stops"]]
    for seq, each in enumerate(day["stops"], 1):
        each["seq"] = seq
    day["start"] = format_time(leaving)
    if len(day["stops"]) == 1:
        day["end"] = format_time(end)


def _body(
    ctx: ToolContext,
    args: Mapping[str, Any],
    legs: Sequence[PlannedStay],
    parts: Sequence[Mapping[str, Any]],
    days: list[dict[str, Any]],
    assumptions: list[str],
) -> dict[str, Any]:
    names = listed(ctx.language, [leg.city.name(ctx.language) for leg in legs])
    fields = {name: args[name] for name in KEPT if args.get(name) is not None}
    body: dict[str, Any] = {
        **parts[0],
        "title": ctx.say("{names}, {days} days", names=names, days=args["days"]),
        "city": None,
        "cities": [leg.city.id for leg in legs],
        "city_name": names,
        "legs": [_leg(leg, ctx.language) for leg in legs],
        "days": args["days"],
        "days_list": days,
        "sources": list(dict.fromkeys(source for part in parts for source in part["sources"])),
        "as_of": min(leg.city.as_of for leg in legs),
        "assumptions": assumptions,
        **fields,
    }
    for name in ("arrival", "departure"):
        if not args.get(name):
            body.pop(name, None)
    body.pop("id", None)
    digest = hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    return {"id": f"trip-{digest[:12]}", **body}


def _leg(leg: PlannedStay, language: str) -> dict[str, Any]:
    last = leg.first + leg.days - 1
    return {
        "city": leg.city.id,
        "name": leg.city.name(language),
        "nights": leg.nights,
        "from_day": leg.first,
        "to_day": last,
    }
