"""Every travel tool with borderline and hostile arguments: a right result, or an error that says what is wrong."""

from __future__ import annotations

import inspect
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext
from app.domains.travel import TOOLS
from app.domains.travel.model.dataset import edit_distance
from app.domains.travel.routing import planner as routing
from app.domains.travel.routing.day_route import DayProblem, Route, solve
from tests.domains.travel.async_calls import MemoryDocuments
from tests.every import looped

BY_NAME = {tool.name: tool for tool in TOOLS}
NAN, INF, HUGE = float("nan"), float("inf"), 10**30
ALWAYS = {"weekly": {day: [["00:00", "24:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}}


def stop(key: str = "a", **more: Any) -> dict[str, Any]:
    return {"id": key, "name": key, "hours": ALWAYS, "visit_minutes": 60, "lat": 30.6, "lon": 104.0, **more}


def plan(**more: Any) -> dict[str, Any]:
    return {"days_list": [{"stops": [{"name": "x", **more}]}]}


def texts(value: Any) -> list[str]:
    """The texts inside, which an error may quote."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    return [value] if isinstance(value, str) and value else []


TWO = [{"city": "成都"}, {"city": "重庆"}]
EARLY = {"day": 1, "time": "10:00"}
BACKWARDS = [{"city": "成都", "from_day": 5, "to_day": 2}]

# fmt: off
CASES: list[tuple[str, dict[str, Any], str]] = [
    ("search_cities", {"budget_per_day_max": NAN}, "fault"),
    ("search_cities", {"budget_per_day_max": INF}, "fault"),
    ("search_cities", {"budget_per_day_max": HUGE}, "fault"),
    ("search_cities", {"budget_per_day_max": 0}, "ok"),
    ("search_cities", {"near": {"city": "成都", "max_km": NAN}}, "fault"),
    ("search_cities", {"near": {"city": "不存在", "max_km": 5}}, "CITY_NOT_FOUND"),
    ("search_cities", {"month": 13}, "fault"),
    ("search_cities", {"month": True}, "fault"),
    ("search_cities", {"interests": ["火星"], "region": "火星"}, "ok"),
    ("search_cities", {"climate": "hot"}, "fault"),
    ("get_city_info", {"city": "x" * 10_000}, "CITY_NOT_FOUND"),
    ("get_city_info", {"city": "x" * 100_000}, "fault"),
    ("get_city_info", {"city": "\x00\ud800"}, "CITY_NOT_FOUND"),
    ("get_city_info", {"city": "成都", "month": 0}, "fault"),
    ("query_attractions", {"cities": []}, "fault"),
    ("query_attractions", {"cities": ["成都"], "open_on": "2026-02-30"}, "BAD_DATE"),
    ("query_attractions", {"cities": ["成都"], "open_on": "9999-12-31"}, "ok"),
    ("query_attractions", {"cities": ["成都"], "max_ticket": NAN}, "fault"),
    ("query_attractions", {"cities": ["成都"], "near": {"radius_km": 5}}, "BAD_ARGUMENTS"),
    ("search_food", {"city": "成都", "diet": ["空气"]}, "BAD_ARGUMENTS"),
    ("search_food", {"city": "成都", "price_max": NAN}, "fault"),
    ("calculate_budget", {"city": "成都", "days": 0, "adults": 2}, "fault"),
    ("calculate_budget", {"city": "成都", "days": 61, "adults": 2}, "fault"),
    ("calculate_budget", {"city": "成都", "days": 3, "adults": 2, "contingency_pct": NAN}, "fault"),
    ("calculate_budget", {"city": "成都", "days": 3, "adults": 2, "overrides": {"tickets": 1e308}}, "fault"),
    ("calculate_budget", {"city": "成都", "days": 3, "adults": 2, "overrides": {"tickets": NAN}}, "fault"),
    ("calculate_budget", {"city": "成都", "days": 3, "adults": 2, "overrides": {"x": 1}}, "BAD_ARGUMENTS"),
    ("calculate_budget", {"city": "成都", "days": 3, "adults": 20, "rooms": 1}, "BAD_PARTY"),
    ("calculate_budget", {"legs": [{"city": "成都", "nights": 10}], "days": 3, "adults": 2}, "BAD_ARGUMENTS"),
    ("generate_route", {"city": "成都", "days": 50}, "fault"),
    ("generate_route", {"city": "成都", "days": 2, "start_date": "9999-12-31"}, "BAD_ARGUMENTS"),
    ("generate_route", {"city": "成都", "days": 2, "start_date": "2020-01-01"}, "ok"),
    ("generate_route", {"city": "成都", "days": 1, "day_start": "09:00", "day_end": "09:05"}, "INFEASIBLE"),
    ("generate_route", {"city": "成都", "days": 2, "must_see": ["不存在"]}, "UNKNOWN_PLACE"),
    ("generate_route", {"city": "成都", "days": 2, "must_see": ["武侯祠", "武侯祠"]}, "ok"),
    ("generate_route", {"city": "成都", "days": 2, "travel_matrix": {"a": {"b": NAN}}}, "fault"),
    ("generate_route", {"stops": [stop(lat=NAN)], "days": 1}, "fault"),
    ("generate_route", {"stops": [stop(ticket=1e308)], "days": 1}, "fault"),
    ("generate_route", {"stops": [stop(visit_minutes=NAN)], "days": 1}, "fault"),
    ("generate_route", {"legs": [{"city": "成都"}], "days": 3}, "fault"),
    ("generate_route", {"legs": TWO, "city": "成都", "days": 3}, "fault"),
    ("generate_route", {"legs": TWO, "days": 3, "lodging": {"name": "A"}}, "BAD_ARGUMENTS"),
    ("generate_route", {"legs": TWO, "days": 3, "departure": EARLY}, "BAD_ARGUMENTS"),
    ("check_itinerary", {"itinerary": {}}, "BAD_ITINERARY"),
    ("check_itinerary", {"itinerary": plan(start="99:99")}, "BAD_ITINERARY"),
    ("check_itinerary", {"itinerary": plan(cost=NAN)}, "fault"),
    ("check_itinerary", {"itinerary": {"days_list": [{"stops": [{"name": "x" * 900}]}]}}, "BAD_ITINERARY"),
    ("check_itinerary", {"itinerary": plan(), "constraints": {"budget": NAN}}, "fault"),
    ("estimate_transfer", {"from": "", "to": ""}, "UNKNOWN_PLACE"),
    ("estimate_transfer", {"from": {"lat": NAN, "lon": 0}, "to": "外滩"}, "fault"),
    ("estimate_transfer", {"from": {"lat": 0, "lon": 0}, "to": {"lat": 0, "lon": 180}}, "ok"),
    ("order_cities", {"cities": ["成都", "chengdu"]}, "BAD_ARGUMENTS"),
    ("order_cities", {"cities": ["成都", "重庆"], "total_days": 10**9}, "fault"),
    ("order_cities", {"cities": ["成都", "重庆"], "start_date": "9999-12-31"}, "BAD_DATE"),
    ("order_cities", {"cities": ["成都", "重庆"], "windows": BACKWARDS}, "BAD_ARGUMENTS"),
    ("compare_cities", {"cities": ["成都", "chengdu"]}, "BAD_ARGUMENTS"),
    ("calendar_info", {"country": "CN", "from": "1800-01-01", "to": "1800-01-08"}, "NO_DATA_FOR_YEAR"),
    ("calendar_info", {"country": "CN", "from": "2026-01-01", "to": "2030-01-01"}, "BAD_ARGUMENTS"),
    ("packing_list", {"city": "火星"}, "CITY_NOT_FOUND"),
    ("packing_list", {"days": 0}, "fault"),
    ("save_trip", {"itinerary": {}}, "BAD_ITINERARY"),
    ("load_trip", {"id": "../../etc/passwd"}, "NOT_FOUND"),
    ("load_trip", {"id": "nope", "version": HUGE}, "fault"),
    ("edit_trip", {"id": "nope", "ops": [{"op": "move"}]}, "NOT_FOUND"),
    ("export_trip", {"id": "nope", "format": "exe"}, "fault"),
    ("get_weather", {"lat": 30, "from": "2026-11-21", "to": "2026-11-22"}, "fault"),
    ("get_weather", {"city": "成都", "from": "2020-01-01", "to": "2020-01-02"}, "OUT_OF_RANGE"),
    ("get_weather", {"city": "成都", "from": "2026-11-21", "to": "2026-11-22"}, "ok"),
    ("get_weather", {"lat": 30, "lon": 104, "from": "2026-11-21", "to": "2026-11-22"}, "NETWORK_OFF"),
    ("geocode", {"text": "天安门"}, "NETWORK_OFF"),
    ("geocode", {"text": "x" * 201}, "fault"),
]
# fmt: on


async def outcome(name: str, args: dict[str, Any], language: str, exports: Path) -> tuple[str, str]:
    """ "fault", "ok" or the tool's own code, and what is said."""
    faults = BY_NAME[name].check(args)
    if faults:
        return "fault", "; ".join(f"{fault.path}: {fault.message}" for fault in faults)
    ctx = ToolContext(
        language=language, today=date(2026, 11, 21), documents=MemoryDocuments(), resources={"exports": exports}
    )
    try:
        result = BY_NAME[name].body(ctx, args)
        found = await result if inspect.isawaitable(result) else result
    except ToolError as error:
        return error.tool_code, str(error)
    return "ok", found.summary


@looped("language", ["zh_CN", "en"])
@looped(("name", "args", "wanted"), CASES, ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES)])
async def test_what_cannot_be_is_refused_in_words(
    name: str, args: dict[str, Any], wanted: str, language: str, tmp_path: Path
) -> None:
    code, said = await outcome(name, args, language, tmp_path)
    assert code == wanted, said
    assert said.strip()
    assert len(said) < 2_000
    assert "nan" not in said.casefold().split()
    if code not in ("fault", "ok") and language == "en":
        for text in texts(args):
            said = said.replace(text, "")
        assert not any("\u4e00" <= char <= "\u9fff" for char in said), said


def test_every_tool_has_its_hostile_case() -> None:
    assert {name for name, _args, _code in CASES} | {"list_trips"} == set(BY_NAME)


async def test_a_plan_of_many_stops_costs_a_bounded_effort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[int] = []

    def counted(problem: DayProblem) -> Route:
        spent.append(len(problem.visits))
        return solve(problem)

    monkeypatch.setattr("app.domains.travel.routing.planner.solve", counted)
    monkeypatch.setattr(routing, "EFFORT", 40_000)
    stops = [
        stop(f"s{n}", visit_minutes=5, lat=30 + (n * 37 % 60) / 1000, lon=104 + (n * 17 % 60) / 1000) for n in range(24)
    ]
    code, said = await outcome("generate_route", {"stops": stops, "days": 2, "max_stops": 60}, "zh_CN", tmp_path)
    assert code == "ok"
    assert "未排入" in said
    assert sum(n * n << n for n in spent) <= 40_000 + 2 * (10 * 10 << 10)


def test_two_letters_exchanged_are_one_slip() -> None:
    assert edit_distance("chengud", "chengdu") == 1
    assert edit_distance("abc", "abc") == 0
    assert edit_distance("", "abc") == 3
    assert edit_distance("kitten", "sitting") == 3
