"""Whatever the model asks that passes the check gets a result or an error with a known code."""

from __future__ import annotations

import asyncio
import inspect
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.errors import ToolError
from app.core.tools.tool import SUMMARY_LIMIT, ToolContext, ToolResult
from app.domains.travel import TOOLS
from app.domains.travel.model.dataset import builtin
from app.domains.travel.model.trip import TripFaults, read_trip
from tests.domains.travel.async_calls import MemoryDocuments

CODES = {
    "BAD_ARGUMENTS", "CITY_NOT_FOUND", "UNKNOWN_PLACE", "INFEASIBLE", "BAD_DATE", "BAD_PARTY", "BAD_ITINERARY",
    "BAD_OP", "NOT_FOUND", "STALE", "FORMAT", "PATH_DENIED", "COUNTRY_UNKNOWN", "NO_DATA_FOR_YEAR", "OUT_OF_RANGE",
    "NETWORK_OFF", "UPSTREAM", "NO_MATCH",
}  # fmt: skip
BY_NAME = {tool.name: tool for tool in TOOLS}

cities = st.one_of(st.sampled_from([city.name_zh for city in builtin().cities]), st.text(max_size=4))
places = st.one_of(st.sampled_from([s.id for city in builtin().cities for s in city.attractions]), st.text(max_size=3))
dates = st.one_of(st.dates().map(lambda day: day.isoformat()), st.text(max_size=10))
clocks = st.one_of(st.integers(0, 24).map(lambda hour: f"{hour:02d}:00"), st.text(max_size=5))
words = st.lists(st.one_of(st.sampled_from(["美食", "history", "海", "x"]), st.text(max_size=5)), max_size=3)
prices = st.floats(0, 1e9, allow_nan=False)
anchors = st.fixed_dictionaries(
    {"day": st.integers(1, 5), "time": clocks}, optional={"place": st.one_of(st.just("北京南站"), st.text(max_size=3))}
)
intervals = st.lists(st.tuples(clocks, clocks).map(list), max_size=2)
stops = st.fixed_dictionaries(
    {
        "id": st.sampled_from("abcdef"),
        "name": st.sampled_from("甲乙丙丁戊己"),
        "hours": st.fixed_dictionaries({"weekly": st.fixed_dictionaries({"mon": intervals, "fri": intervals})}),
        "visit_minutes": st.integers(5, 720),
    },
    optional={"lat": st.floats(-90, 90), "lon": st.floats(-180, 180), "ticket": prices},
)
ROUTE = {
    "start_date": dates,
    "must_see": st.lists(places, max_size=3),
    "avoid": st.lists(places, max_size=2),
    "interests": words,
    "pace": st.sampled_from(["relaxed", "normal", "packed"]),
    "day_start": clocks,
    "day_end": clocks,
    "mode": st.sampled_from(["walk", "transit", "taxi", "drive"]),
    "lodging": st.fixed_dictionaries({"name": st.text(max_size=3)}),
    "arrival": anchors,
    "departure": anchors,
    "meals": st.booleans(),
    "return_to_start": st.booleans(),
    "max_stops": st.integers(1, 8),
}
ASKED: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "search_cities": st.fixed_dictionaries(
        {},
        optional={
            "interests": words,
            "month": st.integers(1, 12),
            "budget_per_day_min": prices,
            "budget_per_day_max": prices,
            "days": st.integers(1, 30),
            "region": st.text(max_size=4),
            "near": st.fixed_dictionaries({"city": cities, "max_km": st.floats(1, 5000)}),
            "exclude": st.lists(cities, max_size=2),
        },
    ),
    "get_city_info": st.fixed_dictionaries({"city": cities}),
    "query_attractions": st.fixed_dictionaries(
        {"cities": st.lists(cities, min_size=1, max_size=3)},
        optional={
            "tags": words,
            "open_on": dates,
            "near": st.fixed_dictionaries(
                {}, optional={"place": places, "lat": st.floats(-90, 90), "radius_km": prices}
            ),
            "sort": st.sampled_from(["popular", "distance", "price"]),
        },
    ),
    "search_food": st.fixed_dictionaries({"city": cities}, optional={"diet": words, "exclude_allergens": words}),
    "calculate_budget": st.fixed_dictionaries(
        {"city": cities, "days": st.integers(1, 60), "adults": st.integers(1, 30)},
        optional={
            "children": st.lists(st.integers(0, 17), max_size=4),
            "rooms": st.integers(1, 60),
            "attractions": st.lists(places, max_size=3),
            "overrides": st.dictionaries(st.sampled_from(["food", "intercity", "x"]), prices, max_size=2),
            "contingency_pct": st.floats(0, 50),
            "intercity": st.lists(
                st.fixed_dictionaries(
                    {"from": cities, "to": cities}, optional={"price_per_person": st.one_of(st.none(), prices)}
                ),
                max_size=2,
            ),
        },
    ),
    "estimate_transfer": st.fixed_dictionaries(
        {"from": places, "to": st.one_of(places, st.just({"lat": 39.9, "lon": 116.4}))}, optional={"depart": clocks}
    ),
    "generate_route": st.one_of(
        st.fixed_dictionaries({"city": cities, "days": st.integers(1, 3)}, optional=ROUTE),
        st.fixed_dictionaries(
            {"stops": st.lists(stops, min_size=1, max_size=5), "days": st.integers(1, 3)}, optional=ROUTE
        ),
    ),
}
odd = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.text(max_size=5), st.lists(st.integers(), max_size=2))
clock_texts = st.one_of(st.integers(0, 23).map(lambda hour: f"{hour:02d}:30"), st.just("24:00"), st.just("01:30+1"))
ways = st.fixed_dictionaries(
    {"mode": st.sampled_from(["walk", "transit", "taxi", "drive", "flight", "x"]), "min": st.integers(0, 300)},
    optional={"km": prices},
)


def perhaps(strategy: st.SearchStrategy[Any], *, sometimes_odd: bool) -> st.SearchStrategy[Any]:
    return st.one_of(strategy, odd) if sometimes_odd else strategy


def itineraries(*, sometimes_odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Plans of the right shape with any content; with `sometimes_odd` also of wrong shapes."""

    def value(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return perhaps(strategy, sometimes_odd=sometimes_odd)

    stop = st.fixed_dictionaries(
        {"name": st.text(max_size=4)},
        optional={
            "seq": value(st.integers(1, 9)),
            "place_id": value(places),
            "kind": value(st.sampled_from(["sight", "meal", "transfer", "hotel", "free", "intercity"])),
            "start": value(clock_texts),
            "end": value(clock_texts),
            "transfer": value(st.one_of(st.none(), ways)),
            "cost": value(prices),
            "lat": value(st.floats(-90, 90)),
            "lon": value(st.floats(-180, 180)),
            "locked": value(st.booleans()),
            "notes": value(words),
            "mode": value(st.sampled_from(["train", "flight", "drive"])),
        },
    )
    day = st.fixed_dictionaries(
        {"stops": value(st.lists(stop, max_size=5))},
        optional={
            "day": value(st.integers(1, 4)),
            "date": value(st.dates().map(str)),
            "city": value(cities),
            "lodging": value(st.one_of(st.text(max_size=3), st.fixed_dictionaries({"name": st.just("H")}))),
            "start": value(clock_texts),
            "end": value(clock_texts),
            "totals": value(st.fixed_dictionaries({"cost": prices})),
            "weather": value(st.fixed_dictionaries({"rain_prob": value(st.integers(0, 100))})),
        },
    )
    return st.fixed_dictionaries(
        {"days_list": value(st.lists(day, min_size=1, max_size=4))},
        optional={
            "id": value(st.text(max_size=6)),
            "title": value(st.text(max_size=6)),
            "city": value(cities),
            "cities": value(st.lists(cities, max_size=3)),
            "days": value(st.integers(1, 4)),
            "start_date": value(st.dates().map(str)),
            "party": value(st.fixed_dictionaries({"adults": st.integers(1, 4)})),
            "budget": value(st.fixed_dictionaries({"total": value(prices)}, optional={"lines": value(words)})),
            "places": value(st.lists(stops, max_size=3)),
            "travel_matrix": value(st.dictionaries(places, st.dictionaries(places, st.integers(0, 99)), max_size=2)),
            "arrival": value(anchors),
            "departure": value(anchors),
            "pace": value(st.sampled_from(["relaxed", "normal", "packed"])),
            "max_stops": value(st.integers(1, 9)),
            "meals": value(st.booleans()),
            "totals": value(st.fixed_dictionaries({"cost": prices})),
        },
    )


plans = itineraries(sometimes_odd=True)
constraints = st.fixed_dictionaries(
    {},
    optional={
        "budget": prices,
        "must_see": st.lists(places, max_size=2),
        "avoid": st.lists(places, max_size=2),
        "cuisines": words,
        "room_type": st.sampled_from(["entire", "private", "shared", "not_shared"]),
        "room_rules": st.lists(st.sampled_from(["pets", "smoking"]), max_size=2),
        "transport_forbidden": st.lists(st.sampled_from(["flight", "self_drive", "taxi"]), max_size=2),
        "pace": st.sampled_from(["relaxed", "normal", "packed"]),
        "weather": st.lists(st.fixed_dictionaries({"date": dates, "rain_prob": odd}), max_size=2),
    },
)
ops = st.lists(
    st.fixed_dictionaries(
        {"op": st.sampled_from(["move", "remove", "add", "retime", "lock", "recalculate"])},
        optional={
            "day": st.integers(1, 3),
            "stop": places,
            "seq": st.integers(1, 6),
            "to_day": st.integers(1, 3),
            "start": clock_texts,
            "end": clock_texts,
            "minutes": st.integers(5, 720),
            "kind": st.sampled_from(["sight", "meal", "free", "intercity"]),
            "name": st.text(max_size=4),
        },
    ),
    min_size=1,
    max_size=3,
)
trip_ids = st.just("trip-1")
stays = st.fixed_dictionaries({"id": st.sampled_from("abcde"), "days": st.integers(1, 4)})
pairs = st.lists(st.sampled_from("abcde"), min_size=2, max_size=2)
countries = st.one_of(st.sampled_from(["CN", "日本", "FR"]), st.text(max_size=3))
ASKED.update(
    {
        "check_itinerary": st.fixed_dictionaries({"itinerary": plans}, optional={"constraints": constraints}),
        "save_trip": st.fixed_dictionaries({"itinerary": plans}, optional={"title": st.text(max_size=5)}),
        "load_trip": st.fixed_dictionaries({"id": trip_ids}, optional={"version": st.integers(1, 3)}),
        "list_trips": st.just({}),
        "edit_trip": st.fixed_dictionaries({"id": trip_ids, "ops": ops}),
        "export_trip": st.fixed_dictionaries(
            {"id": trip_ids, "format": st.sampled_from(["ics", "md", "html", "csv", "geojson", "gpx"])}
        ),
        "compare_cities": st.fixed_dictionaries({"cities": st.lists(cities, min_size=2, max_size=5)}),
        "order_cities": st.fixed_dictionaries(
            {"cities": st.lists(stays, min_size=1, max_size=5), "total_days": st.integers(1, 12)},
            optional={"links": st.one_of(st.just("any"), st.lists(pairs)), "start": st.sampled_from("abcdex")},
        ),
        "calendar_info": st.fixed_dictionaries(
            {
                "country": st.one_of(st.sampled_from(["CN", "日本", "FR"]), st.text(max_size=3)),
                "from": dates,
                "to": dates,
            }
        ),
        "packing_list": st.fixed_dictionaries(
            {}, optional={"trip_id": trip_ids, "city": cities, "months": st.lists(st.integers(1, 12)), "tags": words}
        ),
        "get_weather": st.fixed_dictionaries({"city": cities, "from": dates, "to": dates}),
        "geocode": st.fixed_dictionaries({"text": st.text(min_size=1, max_size=5)}),
    }
)
calls = st.sampled_from(sorted(ASKED)).flatmap(lambda name: st.tuples(st.just(name), ASKED[name]))


def test_every_tool_is_asked_here() -> None:
    assert set(ASKED) == set(BY_NAME)


async def answered(name: str, args: dict[str, Any], language: str, trip: dict[str, Any] | None = None) -> ToolResult:
    documents = MemoryDocuments()
    if trip is not None:
        await documents.put("trip", "trip-1", {"title": "t", "itinerary": trip})
    with tempfile.TemporaryDirectory() as folder:
        ctx = ToolContext(language=language, documents=documents, resources={"exports": Path(folder)})
        try:
            result = BY_NAME[name].body(ctx, args)
            return await result if inspect.isawaitable(result) else result
        except ToolError as error:
            return ToolResult.failure(error.tool_code, error.message, hint=error.hint)


def is_sound(result: ToolResult) -> None:
    json.dumps(result.to_json(), allow_nan=False)
    assert result.ok or (result.error is not None and result.error.code in CODES and result.error.message)
    assert len(result.summary) <= SUMMARY_LIMIT


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(calls, st.sampled_from(["zh_CN", "en"]))
def test_there_is_always_a_result_or_a_known_error(call: tuple[str, dict[str, Any]], language: str) -> None:
    name, args = call
    if not BY_NAME[name].check(args):
        is_sound(asyncio.run(answered(name, args, language)))


STORED = ("load_trip", "list_trips", "edit_trip", "export_trip", "packing_list")
stored_calls = st.sampled_from(STORED).flatmap(lambda name: st.tuples(st.just(name), ASKED[name]))


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(stored_calls, itineraries(sometimes_odd=False))
def test_whatever_trip_is_stored_every_tool_answers(call: tuple[str, dict[str, Any]], trip: dict[str, Any]) -> None:
    name, args = call
    try:
        read_trip(trip)
    except TripFaults:
        return
    if not BY_NAME[name].check(args):
        is_sound(asyncio.run(answered(name, args, "zh_CN", trip)))


def every_plan_is_judged(plan: dict[str, Any], asked: dict[str, Any]) -> None:
    args = {"itinerary": plan, "constraints": asked}
    if not BY_NAME["check_itinerary"].check(args):
        is_sound(asyncio.run(answered("check_itinerary", args, "en")))


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(itineraries(sometimes_odd=False), constraints)
def test_any_plan_is_judged(plan: dict[str, Any], asked: dict[str, Any]) -> None:
    every_plan_is_judged(plan, asked)


@pytest.mark.soak
@settings(max_examples=5000, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(plans, constraints)
def test_thousands_of_odd_plans_are_judged(plan: dict[str, Any], asked: dict[str, Any]) -> None:
    every_plan_is_judged(plan, asked)
