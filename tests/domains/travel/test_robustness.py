"""Whatever the model asks that passes the check gets a result or an error with a known code."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.errors import ToolError
from app.core.tool import SUMMARY_LIMIT, ToolContext, ToolResult
from app.domains.travel import TOOLS
from app.domains.travel.dataset import builtin

CODES = {"BAD_ARGUMENTS", "CITY_NOT_FOUND", "UNKNOWN_PLACE", "INFEASIBLE", "BAD_DATE", "BAD_PARTY"}
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
calls = st.sampled_from(sorted(ASKED)).flatmap(lambda name: st.tuples(st.just(name), ASKED[name]))


def test_every_tool_is_asked_here() -> None:
    assert set(ASKED) == set(BY_NAME)


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(calls, st.sampled_from(["zh_CN", "en"]))
def test_there_is_always_a_result_or_a_known_error(call: tuple[str, dict[str, Any]], language: str) -> None:
    name, args = call
    tool = BY_NAME[name]
    if tool.check(args):
        return
    try:
        result = tool.body(ToolContext(language=language), args)
    except ToolError as error:
        result = ToolResult.failure(error.tool_code, error.message, hint=error.hint)
    assert isinstance(result, ToolResult)
    json.dumps(result.to_json(), allow_nan=False)
    assert result.ok or (result.error is not None and result.error.code in CODES and result.error.message)
    assert len(result.summary) <= SUMMARY_LIMIT
