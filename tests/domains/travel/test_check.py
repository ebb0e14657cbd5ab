"""check_itinerary: scenario A5, each of the 32 codes alone, what a clean plan says, and odd input."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from datetime import date
from typing import Any

import pytest

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext, ToolResult
from app.domains.travel.checks import CODES
from app.domains.travel.model.dataset import Dataset, builtin
from tests.domains.travel.fixture_city import Call, caller, fixture_matrix, fixture_route
from tests.every import every, looped

TODAY = date(2026, 11, 21)
Change = Callable[[dict[str, Any]], None]


def sight(id: str, name: str, start: str, end: str, cost: int, way: int) -> dict[str, Any]:
    transfer = {"mode": "transit", "min": way, "km": None, "estimate": False}
    return {
        "place_id": id, "name": name, "kind": "sight", "start": start, "end": end, "wait_min": 0,
        "transfer": transfer if way else None, "cost": cost, "notes": [], "warnings": [], "locked": False,
    }  # fmt: skip


def meal(name: str, start: str, end: str) -> dict[str, Any]:
    return {"place_id": None, "name": name, "kind": "meal", "start": start, "end": end, "transfer": None, "cost": None}


def two_days() -> dict[str, Any]:
    """A clean plan of the fixture city for two adults, Monday and Tuesday."""
    monday = [
        sight("A", "古塔", "09:20", "10:20", 40, 20),
        sight("D", "湖", "10:30", "12:00", 90, 10),
        meal("午餐", "12:00", "13:00"),
        meal("晚餐", "17:00", "18:00"),
        sight("C", "夜市", "18:20", "19:50", 0, 20),
    ]
    tuesday = [sight("B", "博物馆", "09:15", "11:15", 0, 15), meal("午餐", "11:30", "12:30")]
    days = []
    for number, (on, stops) in enumerate((("2026-11-23", monday), ("2026-11-24", tuesday)), 1):
        for seq, stop in enumerate(stops, 1):
            stop["seq"] = seq
        days.append(
            {
                "day": number, "date": on, "city": "testcity", "lodging": {"name": "H"} if number == 1 else None,
                "start": "09:00", "end": "20:15", "stops": stops,
                "totals": {"cost": sum(stop["cost"] or 0 for stop in stops)},
            }
        )  # fmt: skip
    return {
        "id": "trip-test", "title": "测试", "city": "testcity", "start_date": "2026-11-23", "days": 2,
        "party": {"adults": 2, "children": []}, "currency": "CNY", "days_list": days, "budget": None,
        "travel_matrix": fixture_matrix(),
    }  # fmt: skip


def faulty() -> dict[str, Any]:
    """Scenario A5: B on Monday, C at 16:00, A twice, a leg of 5 minutes from B to D, the total off by 10."""
    plan = two_days()
    stops = [
        sight("A", "古塔", "09:20", "10:20", 40, 20),
        sight("B", "博物馆", "10:45", "12:30", 0, 25),
        meal("午餐", "12:30", "13:30"),
        sight("D", "湖", "13:35", "15:05", 90, 5),
        sight("A", "古塔", "15:20", "15:50", 40, 10),
        sight("C", "夜市", "16:05", "17:35", 0, 15),
        meal("晚餐", "17:45", "18:45"),
    ]
    for seq, stop in enumerate(stops, 1):
        stop["seq"] = seq
    plan["days"] = 1
    plan["days_list"] = [{**plan["days_list"][0], "stops": stops, "totals": {"cost": 180}}]
    return plan


@pytest.fixture
def judge(fixture_dataset: Dataset) -> Callable[..., ToolResult]:
    ctx = ToolContext(language="zh_CN", today=TODAY, resources={"travel.dataset": fixture_dataset})
    call = caller(ctx)

    def judged(plan: dict[str, Any], **constraints: Any) -> ToolResult:
        return call("check_itinerary", itinerary=plan, constraints=constraints)

    return judged


def codes(result: ToolResult, severity: str = "error") -> set[str]:
    return {v["code"] for v in result.data["violations"] if v["severity"] == severity}


def test_a_clean_plan_passes(judge: Callable[..., ToolResult]) -> None:
    result = judge(two_days())
    assert result.data["violations"] == []
    assert {"V01", "V02", "V03", "V04", "V07", "V09", "V10", "V12"} <= set(result.data["passed"])
    assert result.data["unchecked"][:2] == ["live availability", "visa"]
    assert result.data["score"] == {"env_micro": 1.0, "env_macro": 1, "user_micro": 1.0, "user_macro": 1, "final": 1}


def test_a5_finds_exactly_the_five_faults(judge: Callable[..., ToolResult]) -> None:
    result = judge(faulty())
    assert codes(result) == {"V03", "V04", "V02", "V07", "V12"}
    by_code = {v["code"]: v for v in result.data["violations"]}
    assert [by_code[code]["stop"] for code in ("V03", "V04", "V02", "V07")] == ["B", "C", "A", "D"]
    assert by_code["V04"]["fix"]["start"] == "18:00"
    assert result.data["score"]["final"] == result.data["score"]["env_macro"] == 0
    assert 0 < result.data["score"]["env_micro"] < 1
    assert result.summary.startswith("5个问题")
    assert result.display is not None
    states = [item["state"] for item in result.display.payload["items"]]
    assert states.count("error") == 5
    assert all(action.tool == "edit_trip" for action in result.display.actions)
    assert {action.args["ops"][0]["op"] for action in result.display.actions} == {"remove", "retime", "recalculate"}


def _first(plan: dict[str, Any]) -> dict[str, Any]:
    day: dict[str, Any] = plan["days_list"][0]
    return day


def _set(day: int, stop: int, **values: Any) -> Change:
    def change(plan: dict[str, Any]) -> None:
        plan["days_list"][day]["stops"][stop].update(values)

    return change


def _add(day: int, stop: dict[str, Any], at: int | None = None) -> Change:
    def change(plan: dict[str, Any]) -> None:
        stops = plan["days_list"][day]["stops"]
        stops.insert(len(stops) if at is None else at, deepcopy(stop))

    return change


def _top(**values: Any) -> Change:
    return lambda plan: plan.update(values)


def _day(day: int, **values: Any) -> Change:
    return lambda plan: plan["days_list"][day].update(values)


def _all(*changes: Change) -> Change:
    def change(plan: dict[str, Any]) -> None:
        for each in changes:
            each(plan)

    return change


INTERCITY = {"kind": "intercity", "name": "G1", "mode": "train", "start": "13:30", "end": "15:00"}
DRIVE = {**INTERCITY, "mode": "drive", "start": "15:30", "end": "17:00"}


def _add_days(*cities: str) -> Change:
    def change(plan: dict[str, Any]) -> None:
        for city in cities:
            plan["days_list"].append({"day": len(plan["days_list"]) + 1, "city": city, "stops": []})

    return change


CASES: list[tuple[str, Change, dict[str, Any]]] = [
    ("V01", _set(0, 0, place_id="X", name="不存在"), {}),
    ("V02", _add(1, sight("A", "古塔", "12:50", "13:50", 40, 25)), {}),
    ("V03", _day(1, date="2026-11-30"), {}),
    ("V04", _set(0, 4, start="17:55", end="19:00", transfer=None), {}),
    ("V05", _set(1, 0, start="16:10", end="17:00"), {}),
    ("V06", _set(0, 1, start="10:10"), {}),
    ("V07", _set(0, 1, transfer={"mode": "transit", "min": 2}), {}),
    ("V08", _all(_set(0, 1, end="12:00"), _set(0, 4, end="22:30")), {"pace": "relaxed"}),
    ("V09", _set(0, 2, start="14:00", end="15:00"), {}),
    ("V10", _day(0, lodging=None), {}),
    ("V11", _top(budget={"total": 5000}), {"budget": 3000}),
    ("V12", _day(0, totals={"cost": 140}), {}),
    ("V13", _top(days=3), {}),
    ("V14", _add_days("beijing", "testcity", "beijing"), {}),
    ("V15", _top(arrival={"day": 1, "time": "10:00", "place": "车站"}), {}),
    ("V16", _all(_add(1, INTERCITY), _add(1, DRIVE)), {}),
    ("V17", _day(0, lodging={"name": "H", "rooms": 1, "capacity": 1}), {}),
    ("V20", lambda plan: None, {"must_see": ["天文台"]}),
    ("V21", lambda plan: None, {"avoid": ["夜市"]}),
    ("V22", lambda plan: None, {"cuisines": ["川菜"]}),
    ("V26", _day(0, lodging={"name": "H", "house_rules": ["No pets"]}), {"room_rules": ["pets"]}),
    ("V26", _day(0, lodging={"name": "H", "room_type": "Shared room"}), {"room_type": "not_shared"}),
    ("V27", _set(0, 1, transfer={"mode": "taxi", "min": 10}), {"transport_forbidden": ["taxi"]}),
    ("V28", _set(0, 2, start=None), {}),
    ("V29", _set(0, 1, start="08:00", end="09:00"), {}),
    ("V31", _day(0, lodging={"name": "H", "min_nights": 3}), {}),
    ("V32", _set(0, 0, end="09:30"), {}),
]  # fmt: skip


@looped(("code", "change", "constraints"), CASES, ids=[case[0] for case in CASES])
def test_each_fault_is_found_under_its_code(
    judge: Callable[..., ToolResult], code: str, change: Change, constraints: dict[str, Any]
) -> None:
    plan = two_days()
    change(plan)
    assert code in codes(judge(plan, **constraints))
    if constraints and code not in ("V11", "V26", "V27"):
        assert code not in codes(judge(two_days()))


def test_a_day_without_a_meal_is_said(judge: Callable[..., ToolResult]) -> None:
    plan = two_days()
    monday = plan["days_list"][0]
    monday["stops"] = [stop for stop in monday["stops"] if stop["kind"] != "meal"]
    assert "V09" in codes(judge(plan), "warn")
    assert "V09" not in codes(judge(two_days()), "warn")


def test_warnings_are_no_errors(judge: Callable[..., ToolResult], call: Call) -> None:
    plan = two_days()
    plan["days_list"][0]["stops"][1]["place_id"] = "D"
    wet = judge(plan, weather=[{"date": "2026-11-23", "rain_prob": 90, "rain_mm": 8.0, "code": 61}])
    assert (codes(wet, "warn"), codes(wet)) == ({"V23"}, set())
    tour = call("generate_route", city="北京", days=1, start_date="2026-10-01", must_see=["故宫"]).data["itinerary"]
    warned = codes(call("check_itinerary", itinerary=tour), "warn")
    assert {"V18", "V24"} <= warned
    late = caller(ToolContext(language="en", today=date(2028, 6, 1)))("check_itinerary", itinerary=tour)
    assert "V19" in codes(late, "warn")


def test_a_zigzag_is_pointed_out_with_the_better_order(judge: Callable[..., ToolResult]) -> None:
    plan = two_days()
    ways = {"H": {"A": 10, "B": 40, "D": 60}, "A": {"B": 30, "D": 55, "H": 10}, "B": {"A": 30, "D": 20, "H": 40},
            "D": {"A": 55, "B": 20, "H": 60}}  # fmt: skip
    ways["C"] = {"A": 5, "H": 5, "B": 60, "D": 80}
    for origin in "ABDH":
        ways[origin]["C"] = ways["C"].get(origin, 0)
    stops = [
        sight("B", "博物馆", "09:40", "11:40", 0, 40),
        sight("A", "古塔", "12:10", "13:10", 40, 30),
        sight("D", "湖", "14:05", "15:35", 90, 55),
        sight("C", "夜市", "18:00", "19:30", 0, 80),
    ]
    for seq, stop in enumerate(stops, 1):
        stop["seq"] = seq
    day = {**plan["days_list"][1], "day": 1, "date": None, "stops": stops, "totals": {}, "lodging": {"name": "H"}}
    plan.update(days=1, days_list=[day], travel_matrix=ways, meals=False, start_date=None)
    found = {v["code"]: v for v in judge(plan).data["violations"]}
    assert "V25" in found
    assert found["V25"]["severity"] == "warn"


def test_a_place_of_another_city_is_in_the_wrong_city(call: Call) -> None:
    plan = call("generate_route", city="西安", days=1, start_date="2026-12-01").data["itinerary"]
    plan["days_list"][0]["stops"][0].update(place_id="beijing.gugong", name="故宫")
    assert "V30" in codes(call("check_itinerary", itinerary=plan))


def test_every_code_has_a_case() -> None:
    warned = {"V18", "V19", "V23", "V24", "V25"}
    assert {case[0] for case in CASES} | warned | {"V30"} == set(CODES)


@pytest.mark.parametrize(
    ("plan", "path"),
    [
        ({}, "days_list"),
        ({"days_list": []}, "days_list"),
        ({"days_list": [{"stops": 1}]}, "days_list.0.stops"),
        ({"days_list": [None]}, "days_list.0"),
        ({"days_list": [{"stops": [{"start": "9 Uhr"}]}]}, "days_list.0.stops.0.start"),
        ({"days_list": [{"stops": [{"kind": "party"}]}]}, "days_list.0.stops.0.kind"),
        ({"days_list": [{"date": "2026-02-30", "stops": []}]}, "days_list.0.date"),
        ({"days_list": [{"stops": []}], "party": {"adults": "two"}}, "party.adults"),
        ({"days_list": [{"stops": [{"cost": "free"}]}]}, "days_list.0.stops.0.cost"),
        ({"days_list": [{"stops": []}], "places": [{"id": "a", "hours": {"seasons": []}}]}, "places.0.hours"),
    ],
)
def test_a_plan_of_the_wrong_shape_is_refused_with_the_path(call: Call, plan: dict[str, Any], path: str) -> None:
    with pytest.raises(ToolError) as caught:
        call("check_itinerary", itinerary=plan)
    assert caught.value.tool_code == "BAD_ITINERARY"
    assert path in caught.value.message


def test_a_route_over_own_places_is_checked_by_the_facts_it_carries(call_fixture: Call) -> None:
    plan = call_fixture("generate_route", **fixture_route()).data["itinerary"]
    for each in plan["places"]:
        each["hours"]["seasons"][0]["weekly"]["tue"] = []
    assert codes(call_fixture("check_itinerary", itinerary=plan)) == {"V03"}


@pytest.mark.parametrize("every_one", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_what_the_planner_makes_the_checks_pass(call_all: Call, every_one: bool) -> None:
    """Over the new year, when holidays open some doors and close others."""

    def check(trip: tuple[str, str]) -> None:
        city, pace = trip
        plan = call_all("generate_route", city=city, days=4, start_date="2026-12-30", pace=pace).data["itinerary"]
        assert codes(call_all("check_itinerary", itinerary=plan)) == set()

    trips = [(city.id, pace) for city in builtin().cities for pace in ("relaxed", "packed")]
    every(((f"{city}, {pace}", (city, pace)) for city, pace in trips[:: 1 if every_one else 5]), check)
