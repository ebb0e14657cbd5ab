"""The tools of ways and days: generate_route and estimate_transfer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from time import perf_counter
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also, Gathers, Single, Units
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

from ..answer_card import answer_card
from ..booking_rules import booking_rules, unsure_sights
from ..itinerary_card import reasons
from ..model.geo import Point, distance_km
from ..model.hours import format_time, parse_time
from ..model.places import City
from ..model.vocabulary import folded
from ..routing.intercity import passage, train_fare
from ..routing.transfer import (
    LOCAL_LIMIT_KM,
    WALK_BELOW_KM,
    Mode,
    Spot,
    Transfer,
    between,
    cost_range,
    estimate,
    hub_spot,
    spot_of,
)
from ..rules.estimate import cost_data
from ..rules.itinerary import scheduled, written_out
from ..rules.lookups import dataset_of, sources, unknown_place
from ..rules.passes import with_passes
from ..rules.planned import infeasible, left_over, planned
from ..rules.route_request import read_request
from ..rules.stays import journey
from ..wording import N_, mode_name, money_range, reference_note, say_in
from . import argument_groups as groups
from . import arguments as kinds
from .check import as_data as check_data
from .check import checked, given_trip
from .newest import remember

DAY_START, DAY_END = "09:00", "21:00"


@tool(
    "pure",
    title=N_("Plan the route"),
    icon="route",
    blocking=True,
    rules=kinds.within_reason,
    more=kinds.exactly_one("city", "legs", "stops"),
    example={"city": "北京", "days": 3},
)
def generate_route(
    ctx: ToolContext,
    days: Annotated[kinds.Stay, Field(le=21), Also("duration", "num_days", "total_days", "天数")],
    city: kinds.City | None = None,
    legs: Annotated[
        list[Annotated[groups.RouteLeg, Single("city")]],
        Field(
            min_length=2,
            max_length=8,
            description="several cities in this order, as order_cities gives data.legs: nights add up to days - 1; "
            "left out, days are shared out by what is suggested",
        ),
    ]
    | None = None,
    stops: Annotated[list[groups.PlaceArgument], Field(min_length=1, max_length=60)] | None = None,
    start_date: kinds.StartDate | None = None,
    must_see: kinds.MustSee | None = None,
    by_day: Annotated[list[groups.DayWish], Field(max_length=21, description="what is to be on which day")]
    | None = None,
    avoid: kinds.Avoid | None = None,
    interests: kinds.Interests | None = None,
    whom: Annotated[
        kinds.SuitedTo | None, Field(alias="for", description="only sights that suit them, besides must_see")
    ] = None,
    diet: kinds.Diet | None = None,
    exclude_allergens: kinds.Allergens | None = None,
    pace: kinds.Pace = "normal",
    day_start: Annotated[
        kinds.Time,
        Field(description="left out: 09:00, earlier for a way out of town"),
        Also("start_time", "daily_start"),
    ]
    | None = None,
    day_end: Annotated[
        kinds.Time, Field(description="left out: 21:00, later for what begins at dusk"), Also("end_time", "daily_end")
    ]
    | None = None,
    mode: kinds.Mode = "transit",
    lodging: Annotated[groups.LodgingArgument, Also("hotel", "accommodation"), Single("name")] | None = None,
    arrival: Annotated[groups.Anchor, Single("time")] | None = None,
    departure: Annotated[groups.Anchor, Single("time")] | None = None,
    meals: Annotated[bool, Also("include_meals")] = True,
    party: Annotated[groups.PartyArgument, Also("travelers", "people"), Single("adults"), Gathers("adults", "children")]
    | None = None,
    tier: Annotated[kinds.Tier, Field(description="its total is for this; else for comfort")] | None = None,
    return_to_start: bool = True,
    max_stops: Annotated[kinds.Count, Field(description="a day; replaces the limits of the pace"), Units("个", "处")]
    | None = None,
    travel_matrix: Annotated[
        groups.Matrix,
        Field(description="{from: {to: minutes}} by stop id, and by the lodging's name or the arrival's place"),
    ]
    | None = None,
) -> ToolResult:
    """Plan a day-by-day route that keeps hours, meals and pace: in a city, over several cities (legs), or given stops.

    What finds no place is listed in unscheduled with the reason. Times of ways are estimates unless a
    travel_matrix is given.
    """
    began = perf_counter()
    args = {name: value for name, value in locals().items() if name not in ("ctx", "began")}
    args.update(arrival=arrival and {"day": 1, **arrival}, departure=departure and {"day": days, **departure})
    args.update(day_start=day_start or DAY_START, day_end=day_end or DAY_END)
    args.update(fixed_start=day_start is not None, fixed_end=day_end is not None)
    if legs:
        joined = journey(ctx, args)
        itinerary, unscheduled, assumptions = joined.itinerary, joined.unscheduled, joined.assumptions
        solver, optimal = "insertion+exact-day", False
    else:
        request = read_request(ctx, args)
        plan = planned(request)
        unscheduled = left_over(request, plan, ctx.language)
        if not plan.scheduled:
            raise infeasible(ctx.language, unscheduled, usable=any(day.usable for day in request.days))
        itinerary, assumptions = written_out(request, plan, ctx.language), request.assumptions
        solver, optimal = plan.solver, plan.optimal
    itinerary = with_passes(itinerary, dataset_of(ctx))
    remember(ctx, itinerary)
    report = checked(ctx, given_trip(ctx, itinerary), {})
    data = {
        "itinerary": itinerary,
        "scheduled": scheduled(itinerary),
        "cost": cost_data(itinerary, dataset_of(ctx)),
        "bookings": booking_rules(itinerary, dataset_of(ctx), ctx.language),
        "unsure": unsure_sights(itinerary, dataset_of(ctx), ctx.language),
        "unscheduled": unscheduled,
        "method": {"solver": solver, "optimal": optimal, "ms": round((perf_counter() - began) * 1000)},
        "assumptions": assumptions,
        "check": check_data(report),
    }
    return ToolResult.success(
        data,
        _route_summary(ctx, itinerary, unscheduled, [violation.message for violation in report.errors]),
        display=answer_card(itinerary, ctx.language, dataset_of(ctx), unscheduled),
        **sources(as_of=itinerary["as_of"], estimate=travel_matrix is None),
    )


def _route_summary(
    ctx: ToolContext, itinerary: dict[str, Any], unscheduled: list[dict[str, Any]], errors: Sequence[str]
) -> str:
    language = ctx.language
    verdict = ctx.say("checked: ") + ("; ".join(errors[:3]) or ctx.say("no error"))
    lines = [f"{itinerary['title']} ({itinerary['id']}) · {verdict}"]
    for day in itinerary["days_list"]:
        stops = [stop for stop in day["stops"] if stop["kind"] in ("sight", "intercity")]
        names = [f"{stop['name']}({stop['start']})" for stop in stops]
        head = say_in(language, "Day {day}", day=day["day"]) + (f" {day['date']}" if day["date"] else "")
        free = say_in(language, "free time")
        minutes = day["totals"]["travel_min"]
        way = say_in(language, ", {minutes} min on the way", minutes=minutes) if minutes else ""
        lines.append(f"{head}: " + (" → ".join(names) + way if names else free))
    if unscheduled:
        lines.append(say_in(language, "Not scheduled: ") + reasons(unscheduled, language))
    if itinerary["as_of"]:
        lines.append(reference_note(ctx, itinerary["as_of"]))
    return "\n".join(lines)


@tool(
    "pure",
    title=N_("Estimate the way"),
    icon="bus",
    rules=kinds.within_reason,
    example={"from": "故宫", "to": "颐和园"},
)
def estimate_transfer(
    ctx: ToolContext,
    origin: Annotated[
        groups.End,
        Field(alias="from", description="a sight, station or city, or {lat, lon}"),
        Also("origin", "start"),
    ],
    destination: Annotated[groups.End, Field(alias="to"), Also("destination", "end", "dest")],
    mode: kinds.Mode | None = None,
    depart: Annotated[kinds.Time, Also("departure_time", "time")] | None = None,
) -> ToolResult:
    """Estimate distance, time and cost of the way between two places of a city, offline.

    For ways between cities there is the distance only: look up trains or flights for those.
    """
    (name_a, a, currency), (name_b, b, _) = _end(ctx, origin), _end(ctx, destination)
    straight = distance_km(a.point, b.point)
    ends = {
        "from": {"name": name_a, **asdict(a.point)},
        "to": {"name": name_b, **asdict(b.point)},
        "straight_km": round(straight, 2),
        "estimate": True,
    }
    if straight > LOCAL_LIMIT_KM and not (a.day_trip or b.day_trip):
        return _between_cities(ctx, ends, mode, straight, _city_at(ctx, origin), _city_at(ctx, destination))
    way = _way(a, b, mode)
    # Fares are known for China only; elsewhere there is no figure rather than a wrong one.
    cost = (*cost_range(way), currency) if currency == "CNY" else None
    data = {
        **ends,
        "mode": way.mode,
        "km": round(way.km, 2),
        "minutes": {"lo": way.low, "typ": way.typical, "hi": way.high},
        "cost": {"lo": cost[0], "hi": cost[1], "currency": "CNY"} if cost else None,
        "method": way.method,
    }
    if depart is not None:
        leaving = parse_time(depart)
        data.update(depart=format_time(leaving), arrive=format_time(leaving + way.typical))
    return ToolResult.success(
        data,
        _way_summary(ctx, name_a, name_b, way),
        display=_way_card(ctx, name_a, name_b, way, cost),
        **sources(),
    )


def _city_at(ctx: ToolContext, given: str | Mapping[str, Any]) -> City | None:
    """The city that an end is, or is in."""
    if not isinstance(given, str):
        return None
    match = dataset_of(ctx).attraction(given)
    return match[0] if match else dataset_of(ctx).city(given)


def _between_cities(
    ctx: ToolContext, ends: Mapping[str, Any], mode: str | None, straight: float, a: City | None, b: City | None
) -> ToolResult:
    """Two cities: the usual way and its time, for a train its usual fare; of points that are none the distance."""
    language = ctx.language
    if a is not None and b is not None:
        return _usual_way(ctx, ends, straight, a, b)
    note = say_in(language, "between cities: look up trains or flights")
    text = say_in(
        language,
        "{name_a} to {name_b}: about {straight:.0f} km in a straight line; {note}",
        name_a=ends["from"]["name"],
        name_b=ends["to"]["name"],
        straight=straight,
        note=note,
    )
    km = round(straight, 1)
    data = {**ends, "mode": mode, "km": km, "minutes": None, "cost": None, "method": "haversine", "note": note}
    return ToolResult.success(data, text, **sources())


def _usual_way(ctx: ToolContext, ends: Mapping[str, Any], straight: float, a: City, b: City) -> ToolResult:
    trip = passage(a, b)
    way, fare = trip.told(ctx.language), train_fare(a, b, trip)
    text = f"{ends['from']['name']} → {ends['to']['name']}: {way}"
    if fare:
        text += ctx.say("; a ticket about {fare} (estimate)", fare=money_range(*fare))
    data = {
        **ends,
        "mode": trip.mode,
        "km": round(straight, 1),
        "minutes": None,
        "ride_minutes": trip.ride,
        "door_to_door_minutes": trip.minutes,
        "cost": None,
        "fare": {"lo": fare[0], "hi": fare[1], "currency": fare[2]} if fare else None,
        "told": way,
        "method": "usual speeds",
        "note": ctx.say("between cities: look up trains or flights"),
    }
    return ToolResult.success(data, text, **sources())


def _way(a: Spot, b: Spot, mode: str | None) -> Transfer:
    if mode == "walk":
        return estimate(a.point, b.point, "walk")
    chosen: Mode = "transit" if mode is None else mode  # type: ignore[assignment]  # the schema knows the four
    return between(a, b, chosen)


def _end(ctx: ToolContext, given: str | Mapping[str, Any]) -> tuple[str, Spot, str]:
    """Its name, where it lies, and the currency paid there; of a bare point that of China is assumed."""
    if not isinstance(given, str):
        point = Point(given["lat"], given["lon"])
        return str(given.get("name") or f"{point.lat:.4f},{point.lon:.4f}"), Spot(point), "CNY"
    dataset, language = dataset_of(ctx), ctx.language
    match = dataset.attraction(given)
    if match:
        return match[1].name(language), spot_of(*match), match[0].currency
    city = dataset.city(given)
    if city:
        return city.name(language), Spot(city.point, city.point), city.currency
    for each in dataset.cities:
        for hub in each.hubs:
            if folded(given) in (folded(hub.name_zh), folded(hub.name_en)):
                return hub.name(language), hub_spot(each, hub), each.currency
    near = dataset.suggest_attractions(given, language) or dataset.suggest_cities(given, language)
    raise unknown_place(ctx, given, near)


def _way_summary(ctx: ToolContext, name_a: str, name_b: str, way: Transfer) -> str:
    mode = mode_name(ctx.language, way.mode)
    return ctx.say(
        "{name_a} → {name_b}: {mode}, about {km:.1f} km, about {minutes} min ({low}–{high}, estimate)",
        name_a=name_a,
        name_b=name_b,
        mode=mode,
        km=way.km,
        minutes=way.typical,
        low=way.low,
        high=way.high,
    )


def _way_card(ctx: ToolContext, name_a: str, name_b: str, way: Transfer, cost: tuple[int, int, str] | None) -> Card:
    language = ctx.language
    short = say_in(language, "below {km} km on foot", km=WALK_BELOW_KM)
    items = [
        {"label": say_in(language, "Travel mode"), "value": mode_name(language, way.mode), "note": short},
        {"label": say_in(language, "Distance"), "value": f"{way.km:.1f} km"},
        {
            "label": say_in(language, "Time"),
            "value": say_in(language, "about {minutes} min", minutes=way.typical),
            "note": f"{way.low}–{way.high} · {way.method}",
        },
    ]
    if cost:
        estimate_note = say_in(language, "estimate")
        items.append({"label": say_in(language, "Fare"), "value": money_range(*cost), "note": estimate_note})
    return Card("key_values", {"title": f"{name_a} → {name_b}", "items": items})
