"""Comparing and ordering cities, holidays, packing, and the datums of Chinese maps."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext
from app.domains.travel.datum import from_wgs84, to_wgs84
from app.domains.travel.model.geo import Point, distance_km
from app.domains.travel.rules.city_order import CityVisit, CityWindow, Task, best_order, share_out
from tests.domains.travel.async_calls import MemoryDocuments, async_caller
from tests.domains.travel.fixture_city import Call
from tests.every import looped

# ---------------------------------------------------------------- datum

BUND = Point(31.240261, 121.49058)


def test_the_bund_lies_where_the_published_values_say() -> None:
    gcj, bd = from_wgs84(BUND, "GCJ02"), from_wgs84(BUND, "BD09")
    assert (gcj.lat, gcj.lon) == pytest.approx((31.238274870, 121.495045959), abs=3e-6)
    assert (bd.lat, bd.lon) == pytest.approx((31.243927, 121.501654), abs=3e-6)


@pytest.mark.parametrize(
    "point", [BUND, Point(39.916, 116.397), Point(22.3, 114.17), Point(43.8, 87.6), Point(45.8, 126.5)]
)
@pytest.mark.parametrize("datum", ["GCJ02", "BD09"])
def test_there_and_back_is_the_same_place(point: Point, datum: Any) -> None:
    shifted = from_wgs84(point, datum)
    assert 0.1 < distance_km(point, shifted) < 1.6
    assert distance_km(to_wgs84(shifted, datum), point) < 0.0005


def test_nothing_is_shifted_elsewhere() -> None:
    paris = Point(48.8584, 2.2945)
    for datum in ("WGS84", "GCJ02", "BD09"):
        assert from_wgs84(paris, datum) == paris


# ---------------------------------------------------------------- compare_cities


def test_cities_stand_side_by_side(call: Call) -> None:
    result = call("compare_cities", cities=["成都", "Xi'an", "成都市"], month=4, days=3)
    assert [row["id"] for row in result.data["rows"]] == ["chengdu", "xian"]
    assert result.data["rows"][0]["per_day"] == 420
    assert result.data["rows"][0]["total"] == 1260
    assert result.data["rows"][0]["in_season"] is True
    assert result.display is not None
    assert [column["key"] for column in result.display.payload["columns"]] == ["what", "chengdu", "xian"]


def test_an_unknown_city_cannot_be_compared(call: Call) -> None:
    with pytest.raises(ToolError) as caught:
        call("compare_cities", cities=["成都", "亚特兰蒂斯"])
    assert caught.value.tool_code == "CITY_NOT_FOUND"


# ---------------------------------------------------------------- order_cities


def _order(call: Call, **args: Any) -> dict[str, Any]:
    data: dict[str, Any] = call("order_cities", **args).data
    return data


def test_the_shortest_way_is_found(call: Call) -> None:
    cities = [{"id": name, "days": 2} for name in ("北京", "厦门", "呼和浩特", "上海")]
    data = _order(call, cities=cities, total_days=8, start="呼和浩特")
    assert data["order"] == ["呼和浩特", "北京", "上海", "厦门"]
    assert data["optimal"] is True
    assert data["alternatives_count"] == 5
    assert [(span["from_day"], span["to_day"]) for span in data["spans"]] == [(1, 2), (3, 4), (5, 6), (7, 8)]


def test_travel_days_may_count_twice(call: Call) -> None:
    cities = [{"id": "甲", "days": 3}, {"id": "乙", "days": 4}]
    spans = _order(call, cities=cities, total_days=6, objective="first")["spans"]
    assert [(span["from_day"], span["to_day"]) for span in spans] == [(1, 3), (3, 6)]


def test_a_link_from_one_city_to_another_goes_one_way(call: Call) -> None:
    cities = [{"id": "Oslo", "days": 3}, {"id": "Riga", "days": 3}, {"id": "Bonn", "days": 3}]
    one_way = [{"from": "Bonn", "to": "Riga"}, {"from": "Riga", "to": "Oslo"}]
    found = call("order_cities", cities=cities, total_days=7, objective="first", links=one_way)
    assert found.data["order"] == ["Bonn", "Riga", "Oslo"]
    mixed = call("order_cities", cities=cities, total_days=7, objective="first", links=[["Oslo", "Riga"], one_way[0]])
    assert mixed.data["order"] == ["Bonn", "Riga", "Oslo"]


def test_links_and_windows_decide_as_in_the_planning_benchmarks(call: Call) -> None:
    """Stays in Oslo on days 5 to 7, flights only between some pairs: a single order remains."""
    cities = [{"id": "Oslo", "days": 3}, {"id": "Riga", "days": 3}, {"id": "Bonn", "days": 3}]
    data = _order(
        call, cities=cities, total_days=7, objective="first", links=[["Oslo", "Riga"], ["Riga", "Bonn"]],
        windows=[{"city": "Oslo", "from_day": 5, "to_day": 7}],
    )  # fmt: skip
    assert (data["order"], data["alternatives_count"], data["km"]) == (["Bonn", "Riga", "Oslo"], 0, None)


@pytest.mark.parametrize(
    "changes",
    [
        {"total_days": 20},
        {"links": [["北京", "上海"]]},
        {"windows": [{"city": "西安", "from_day": 1, "to_day": 2}], "start": "北京"},
    ],
)
def test_what_cannot_be_is_infeasible(call: Call, changes: dict[str, Any]) -> None:
    args = {"cities": [{"id": name, "days": 2} for name in ("北京", "上海", "西安")], "total_days": 6, **changes}
    with pytest.raises(ToolError) as caught:
        call("order_cities", **args)
    assert caught.value.tool_code == "INFEASIBLE"


@looped("seed", range(60))
def test_the_order_is_that_of_brute_force(seed: int) -> None:
    task = _random_task(Random(seed))
    found, best = best_order(task), _brute_force(task)
    assert (found is None) == (best is None)
    if found and best:
        assert (found.km, found.count) == best


def _random_task(random: Random) -> Task:
    names = "abcdef"[: random.randint(1, 6)]
    places = {name: Point(random.uniform(20, 50), random.uniform(80, 130)) for name in names}
    links = {frozenset((a, b)) for a in names for b in names if random.random() < 0.7}
    visits = [CityVisit(name, random.randint(1, 4)) for name in names]
    total = sum(visit.days for visit in visits) - random.choice([0, len(visits) - 1])
    windows = [
        CityWindow(random.choice(names), day, day + 1) for day in random.sample(range(1, 8), random.choice([0, 1]))
    ]
    return Task(
        visits,
        total,
        linked=lambda a, b: frozenset((a, b)) in links,
        distance=lambda a, b: round(distance_km(places[a], places[b]), 3),
        windows=windows,
        start=random.choice([None, names[0]]),
    )


def _brute_force(task: Task) -> tuple[float, int] | None:
    overlap, ways = task.overlap, []
    if overlap is None:
        return None
    for order in permutations(task.visits):
        day, km, good = 1, 0.0, task.start in (None, order[0].name)
        for i, visit in enumerate(order):
            end = day + visit.days - 1
            good = good and all(window.holds(day, end) for window in task.windows if window.city == visit.name)
            day = end + 1 - overlap
            if i:
                km += task.distance(order[i - 1].name, visit.name)
                good = good and task.linked(order[i - 1].name, visit.name)
        if good:
            ways.append(km)
    return (round(min(ways), 1), len(ways)) if ways else None


@pytest.mark.parametrize(("total", "days"), [(5, [3, 2]), (2, [1, 1]), (9, [5, 4]), (21, [12, 9])])
def test_days_are_shared_out_where_no_city_has_its_own(call: Call, total: int, days: list[int]) -> None:
    data = call("order_cities", cities=["北京", "呼和浩特"], total_days=total, start_date="2026-12-30").data
    spans = data["spans"]
    assert sum(span["days"] for span in spans) == total
    assert sum(span["nights"] for span in spans) == total - 1
    assert sorted((span["days"] for span in spans), reverse=True) == days
    assert spans[0]["date"] == "2026-12-30"
    assert date.fromisoformat(spans[1]["date"]) == date(2026, 12, 30) + timedelta(days=spans[1]["from_day"] - 1)
    assert any("分配" in line for line in data["assumptions"])


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 30))
def test_shares_add_up_and_leave_nobody_out(wanted: list[int], more: int) -> None:
    visits = [CityVisit(str(i), days) for i, days in enumerate(wanted)]
    shared = share_out(visits, len(visits) + more)
    assert sum(visit.days for visit in shared) == len(visits) + more
    assert min(visit.days for visit in shared) >= 1
    for a, b in pairwise(sorted(zip(wanted, [visit.days for visit in shared], strict=True))):
        assert a[1] <= b[1] + 1


# ---------------------------------------------------------------- calendar_info


def test_holidays_and_the_weekends_worked_for_them_are_told(call: Call, call_en: Call) -> None:
    data = call("calendar_info", country="中国", from_="2026-09-19", to_="2026-10-11").data
    by_date = {day["date"]: day for day in data["days"]}
    assert len(by_date) == 23
    assert by_date["2026-10-01"]["holiday"] == "国庆节"
    assert by_date["2026-09-20"]["adjusted_workday"] is True
    assert by_date["2026-09-20"]["holiday"] is None
    assert data["data_until"] == "2026-10-11"
    english = call_en("calendar_info", country="CN", from_="2026-10-01", to_="2026-10-01").data
    assert english["days"][0]["holiday"] == "National Day"


def test_a_year_whose_moved_days_are_not_published_says_so(call: Call) -> None:
    result = call("calendar_info", country="CN", from_="2028-10-01", to_="2028-10-03")
    assert result.data["data_until"] == "2026-12-31"
    assert "2028" in result.data["note"]
    assert "调休" in result.summary


@pytest.mark.parametrize(
    ("country", "day", "name"),
    [
        ("HK", "2026-07-01", "香港特别行政区成立纪念日"),
        ("香港", "2026-10-02", None),
        ("澳门", "2026-12-20", "澳门特别行政区成立纪念日"),
        ("台湾", "2026-10-10", "国庆日"),
        ("台北", "2026-10-01", None),
        ("日本", "2026-05-05", "Children's Day"),
        ("Sydney", "2026-06-08", "King's Birthday"),
        ("France", "2026-07-14", "National Day"),
    ],
)
def test_holidays_outside_the_mainland_are_their_own(call_all: Call, country: str, day: str, name: str | None) -> None:
    (row,) = call_all("calendar_info", country=country, from_=day, to_=day).data["days"]
    assert row["holiday"] == name
    assert row["adjusted_workday"] is False


def test_the_days_of_a_plan_keep_the_holidays_of_its_city(call_all: Call) -> None:
    """1 October is a holiday in Hong Kong too; 7 October only on the mainland."""
    for city, crowded in (("香港", False), ("北京", True)):
        plan = call_all("generate_route", city=city, days=1, start_date="2026-10-07").data["itinerary"]
        found = call_all("check_itinerary", itinerary=plan).data["violations"]
        assert any(each["code"] == "V24" for each in found) is crowded


@pytest.mark.parametrize(
    ("country", "first", "last", "code"),
    [
        ("Atlantis", "2026-01-01", "2026-01-02", "COUNTRY_UNKNOWN"),
        ("CN", "2999-01-01", "2999-01-02", "NO_DATA_FOR_YEAR"),
        ("CN", "2026-02-30", "2026-03-01", "BAD_DATE"),
        ("CN", "2026-03-02", "2026-03-01", "BAD_ARGUMENTS"),
    ],
)
def test_what_the_calendar_does_not_know(call: Call, country: str, first: str, last: str, code: str) -> None:
    with pytest.raises(ToolError) as caught:
        call("calendar_info", country=country, from_=first, to_=last)
    assert caught.value.tool_code == code


def test_a_holiday_opens_the_museum_that_rests_on_mondays(call_all: Call) -> None:
    """2026-10-05 is a Monday inside the National Day week."""
    groups = call_all("query_attractions", cities=["北京"], open_on="2026-10-05").data["cities"]
    rule = {sight["name"]: sight["open_on"]["open"] for sight in groups[0]["attractions"]}
    ordinary = call_all("query_attractions", cities=["北京"], open_on="2026-11-23").data["cities"]
    shut = [sight["name"] for sight in ordinary[0]["attractions"] if not sight["open_on"]["open"]]
    assert any(rule[name] for name in shut)


# ---------------------------------------------------------------- packing_list


async def test_what_to_pack_follows_season_party_and_places(call: Call) -> None:
    tell = async_caller(ToolContext(language="zh_CN", documents=MemoryDocuments()))
    cold = (await tell("packing_list", months=[1], days=5, party={"adults": 2, "children": [1, 6]}, tags=["徒步"])).data
    items = {item["item"] for group in cold["groups"] for item in group["items"]}
    assert {"羽绒服或厚外套", "纸尿裤和湿巾", "零食和水壶", "登山鞋"} <= items
    assert "护照（有效期6个月以上）" not in items
    warm = (await tell("packing_list", city="厦门", months=[7], extra=["滑板", "滑板"])).data
    hot = {item["item"] for group in warm["groups"] for item in group["items"]}
    assert {"防晒霜", "滑板"} <= hot
    assert "羽绒服或厚外套" not in hot
    assert sum(item["item"] == "滑板" for group in warm["groups"] for item in group["items"]) == 1


async def test_a_stored_trip_is_packed_for(call: Call) -> None:
    tell = async_caller(ToolContext(language="en", documents=MemoryDocuments()))
    plan = (await tell("generate_route", city="hulunbuir", days=4, start_date="2027-01-11")).data["itinerary"]
    key = (await tell("save_trip", itinerary=plan)).data["id"]
    result = await tell("packing_list", trip_id=key)
    assert result.data["days"] == 4
    assert "warm coat" in result.summary
    with pytest.raises(ToolError) as caught:
        await tell("packing_list", trip_id="trip-none")
    assert caught.value.tool_code == "NOT_FOUND"
