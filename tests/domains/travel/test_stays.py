"""A journey over several cities as one plan: days shared out, ways between, checked, changed and exported whole."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext
from app.domains.travel.model.dataset import builtin
from app.domains.travel.model.places import City
from app.domains.travel.routing.intercity import clock_shift, passage
from tests.domains.travel.async_calls import AsyncCall, MemoryDocuments, async_caller
from tests.domains.travel.fixture_city import Call

TODAY = date(2026, 11, 21)
PAIR = [{"city": "成都", "nights": 3}, {"city": "chongqing", "nights": 1}]


@pytest.fixture
def world(tmp_path: Path) -> AsyncCall:
    resources = {"exports": tmp_path / "exports"}
    return async_caller(ToolContext(language="zh_CN", today=TODAY, documents=MemoryDocuments(), resources=resources))


def city(name: str) -> City:
    found = builtin().city(name)
    assert found is not None
    return found


def errors(check: dict[str, Any]) -> list[str]:
    return [violation["message"] for violation in check["violations"] if violation["severity"] == "error"]


def between(itinerary: dict[str, Any]) -> list[tuple[int, str]]:
    return [(d["day"], s["name"]) for d in itinerary["days_list"] for s in d["stops"] if s["kind"] == "intercity"]


def events_of(file: Path) -> list[Any]:
    return [each for each in Calendar.from_ical(file.read_bytes()).walk() if each.name == "VEVENT"]


def test_two_cities_are_one_plan_with_one_way_between_them(call_all: Call) -> None:
    result = call_all("generate_route", legs=PAIR, days=5, start_date="2026-12-08")
    plan = result.data["itinerary"]
    assert (plan["title"], plan["cities"]) == ("成都、重庆5日行程", ["chengdu", "chongqing"])
    assert [day["city"] for day in plan["days_list"]] == ["chengdu"] * 3 + ["chongqing"] * 2
    assert [day["day"] for day in plan["days_list"]] == [1, 2, 3, 4, 5]
    assert plan["days_list"][4]["date"] == "2026-12-12"
    assert between(plan) == [(4, "成都 → 重庆")]
    assert [day["lodging"] is not None for day in plan["days_list"]] == [True] * 4 + [False]
    way = plan["days_list"][3]["stops"][0]
    assert way["mode"] == "train"
    assert "估算" in way["notes"][0]
    assert plan["days_list"][3]["stops"][1]["start"] >= way["end"]


def test_order_cities_hands_its_legs_to_the_route(call_all: Call) -> None:
    order = call_all("order_cities", cities=["上海", "北京", "西安"], total_days=8)
    assert sum(leg["nights"] for leg in order.data["legs"]) == 7
    plan = call_all("generate_route", legs=order.data["legs"], days=8).data["itinerary"]
    assert len(plan["days_list"]) == 8
    assert len(between(plan)) == 2


def test_nights_left_out_are_shared_out(call_all: Call) -> None:
    plan = call_all("generate_route", legs=[{"city": "北京"}, {"city": "天津"}], days=5).data["itinerary"]
    assert [leg["city"] for leg in plan["legs"]] == ["beijing", "tianjin"]
    assert sum(leg["nights"] for leg in plan["legs"]) == 4
    assert plan["legs"][0]["nights"] > plan["legs"][1]["nights"]


@pytest.mark.parametrize(
    ("legs", "days", "code"),
    [
        ([{"city": "成都", "nights": 3}, {"city": "重庆", "nights": 3}], 5, "BAD_ARGUMENTS"),
        ([{"city": "成都", "nights": 0}, {"city": "重庆", "nights": 4}], 5, "BAD_ARGUMENTS"),
        ([{"city": "成都"}, {"city": "chengdu"}], 5, "BAD_ARGUMENTS"),
        ([{"city": "成都"}, {"city": "重庆"}], 1, "BAD_ARGUMENTS"),
        ([{"city": "成都"}, {"city": "不存在"}], 5, "CITY_NOT_FOUND"),
        ([{"city": "旧金山", "nights": 1}, {"city": "东京", "nights": 0}], 2, "INFEASIBLE"),
    ],
)
def test_legs_that_cannot_be_are_refused_in_words(
    call_all: Call, legs: list[dict[str, Any]], days: int, code: str
) -> None:
    with pytest.raises(ToolError) as caught:
        call_all("generate_route", legs=legs, days=days)
    assert caught.value.tool_code == code
    assert any("\u4e00" <= char <= "\u9fff" for char in str(caught.value))


def test_what_is_to_be_seen_or_avoided_is_sent_to_its_city(call_all: Call) -> None:
    result = call_all("generate_route", legs=PAIR, days=5, must_see=["洪崖洞", "武侯祠"], avoid=["锦里古街"])
    assert {"chengdu.wuhou", "chongqing.hongyadong"} <= set(result.data["scheduled"])
    assert [entry["name"] for entry in result.data["unscheduled"] if entry["reason"] == "AVOIDED"] == ["锦里古街"]
    with pytest.raises(ToolError) as caught:
        call_all("generate_route", legs=PAIR, days=5, must_see=["故宫"])
    assert caught.value.tool_code == "UNKNOWN_PLACE"


def test_a_journey_over_cities_passes_its_own_check(call_all: Call) -> None:
    for names, days in ((["成都", "重庆"], 5), (["杭州", "苏州", "上海"], 7), (["东京", "京都", "大阪"], 8)):
        legs = [{"city": name} for name in names]
        plan = call_all("generate_route", legs=legs, days=days, start_date="2026-12-08").data["itinerary"]
        check = call_all("check_itinerary", itinerary=plan).data
        assert errors(check) == []


def test_random_journeys_over_cities_are_judged_without_errors_of_their_own_making(call_all: Call) -> None:
    chance = random.Random(7)
    ids = [each.id for each in builtin().cities]
    tried = 0
    for _ in range(20):
        legs = [{"city": name} for name in chance.sample(ids, chance.randint(2, 4))]
        days = chance.randint(len(legs), 12)
        start = chance.choice([None, "2026-12-08", "2027-02-06", "2027-05-01", "2027-10-03"])
        args = {"legs": legs, "days": days, "pace": chance.choice(["relaxed", "normal", "packed"])}
        try:
            plan = call_all("generate_route", **args, **({"start_date": start} if start else {})).data["itinerary"]
        except ToolError as error:
            if error.tool_code != "INFEASIBLE":
                raise
            continue
        tried += 1
        check = call_all("check_itinerary", itinerary=plan).data
        assert errors(check) == [], (legs, days, start)
    assert tried > 10


def test_a_long_flight_leaves_the_day_of_arrival_free(call_all: Call) -> None:
    legs = [{"city": "北京", "nights": 2}, {"city": "巴黎", "nights": 2}]
    days = call_all("generate_route", legs=legs, days=5, start_date="2026-12-08").data["itinerary"]["days_list"]
    assert [stop["kind"] for stop in days[2]["stops"]] == ["intercity"]
    assert any(stop["kind"] == "sight" for stop in days[3]["stops"])
    assert days[3]["currency"] == "EUR"


def test_the_train_is_taken_where_it_serves_and_a_flight_where_it_is_much_quicker() -> None:
    assert passage(city("成都"), city("重庆")).mode == "train"
    assert passage(city("北京"), city("上海")).mode == "train"
    assert passage(city("北京"), city("三亚")).mode == "flight"
    assert passage(city("台北"), city("厦门")).mode == "flight"
    assert passage(city("香港"), city("澳门")).mode == "bus"
    assert passage(city("东京"), city("首尔")).mode == "flight"


def test_every_way_between_cities_has_a_plausible_length() -> None:
    cities = builtin().cities
    for a in cities:
        for b in cities:
            if a.id == b.id:
                continue
            way = passage(a, b)
            assert way.ride < way.minutes < 40 * 60
            assert abs(way.minutes - passage(b, a).minutes) <= 10


def test_clocks_of_two_zones_are_told_apart() -> None:
    assert clock_shift(city("北京"), city("东京"), date(2026, 12, 1)) == 60
    assert clock_shift(city("东京"), city("旧金山"), date(2026, 12, 1)) == -17 * 60
    assert clock_shift(city("北京"), city("上海"), None) == 0


async def test_such_a_journey_is_stored_changed_and_exported_like_any_other(world: AsyncCall) -> None:
    plan = (await world("generate_route", legs=PAIR, days=5, start_date="2026-12-08")).data["itinerary"]
    kept = (await world("save_trip", itinerary=plan)).data["id"]
    arrival = plan["days_list"][3]["stops"][0]["end"]
    removed = next(s for s in plan["days_list"][3]["stops"] if s["kind"] == "sight")
    edited = (await world("edit_trip", id=kept, ops=[{"op": "remove", "day": 4, "stop": removed["place_id"]}])).data
    day = edited["itinerary"]["days_list"][3]
    assert (day["stops"][0]["kind"], day["stops"][0]["end"]) == ("intercity", arrival)
    assert all(stop["start"] >= arrival for stop in day["stops"][1:])
    assert next(s for s in day["stops"] if s["kind"] == "sight")["transfer"] is not None
    assert errors(edited["check"]) == []
    moved = (await world("edit_trip", id=kept, ops=[{"op": "move", "stop": "chongqing.hongyadong", "to_day": 4}])).data
    assert moved["itinerary"]["days_list"][3]["stops"][0]["kind"] == "intercity"
    written = (await world("export_trip", id=kept, format="ics")).data
    events = events_of(Path(written["file"]))
    assert len(events) == written["event_count"]
    assert any(str(event["SUMMARY"]) == "成都 → 重庆" for event in events)
    for form in ("md", "html", "csv", "geojson", "gpx"):
        assert (await world("export_trip", id=kept, format=form)).data["bytes"] > 0


def test_money_of_two_countries_is_told_in_its_own_currency(call_all: Call) -> None:
    legs = [{"city": "东京", "nights": 2}, {"city": "首尔", "nights": 1}]
    result = call_all("generate_route", legs=legs, days=4, start_date="2026-12-08")
    subs = [group["sub"] for group in result.display.payload["groups"][:4]] if result.display else []
    assert "JPY" in subs[0]
    assert "KRW" in subs[3]
    limit = {"budget": 1000}
    check = call_all("check_itinerary", itinerary=result.data["itinerary"], constraints=limit).data
    assert "V11" not in {violation["code"] for violation in check["violations"]}


def test_a_budget_over_two_currencies_is_in_yuan_and_says_so(call_all: Call) -> None:
    legs = [{"city": "东京", "nights": 2}, {"city": "首尔", "nights": 1}]
    budget = call_all("calculate_budget", legs=legs, days=4, adults=2, attractions=["东京塔", "景福宫"]).data
    assert budget["currency"] == "CNY"
    assert budget["total"] == sum(line["amount"] for line in budget["lines"] if line["amount"] is not None)
    assert any("粗略汇率" in warning for warning in budget["warnings"])
    alone = call_all("calculate_budget", city="首尔", days=2, adults=2).data
    assert alone["currency"] == "KRW"


def test_every_city_has_its_own_map(call_all: Call) -> None:
    card = call_all("generate_route", legs=PAIR, days=5).display
    assert card is not None
    groups = card.payload["groups"]
    assert "map" not in card.payload
    assert [number for number, group in enumerate(groups) if "map" in group] == [0, 3]
    assert groups[3]["label"].startswith("第4天 · 重庆")
    lats = [point["lat"] for point in groups[3]["map"]["points"]]
    assert max(lats) - min(lats) < 1
    alone = call_all("generate_route", city="成都", days=2).display
    assert alone is not None
    assert "map" in alone.payload
    assert not any("map" in group for group in alone.payload["groups"])
