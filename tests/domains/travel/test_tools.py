"""The looking-up tools: what they find, what they say, how they fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from app.core.errors import ToolError
from app.core.tools.card import CARD_KINDS
from app.core.tools.tool import SUMMARY_LIMIT
from app.domains.travel import TOOLS
from app.domains.travel.model.dataset import builtin
from app.domains.travel.model.geo import Point, distance_km
from app.domains.travel.model.vocabulary import vocabulary
from app.domains.travel.routing.transfer import estimate
from app.domains.travel.tools.cities import search_cities
from tests.domains.travel.fixture_city import Call, fixture_route
from tests.every import looped

GOOD_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_cities", {"interests": ["美食", "history"], "season": "秋季", "budget_per_day_max": 500}),
    ("search_cities", {"near": {"city": "呼和浩特", "max_km": 300}}),
    ("get_city_info", {"city": "厦门"}),
    ("get_city_info", {"city": "华东"}),
    ("query_attractions", {"cities": ["北京", "xian"], "open_on": "2026-11-23", "for_": "wheelchair"}),
    ("query_attractions", {"cities": ["chengdu"], "near": {"place": "武侯祠", "radius_km": 5}, "sort": "distance"}),
    ("search_food", {"city": "西安", "diet": ["清真"]}),
    ("calculate_budget", {"city": "杭州", "days": 3, "adults": 2, "attractions": ["雷峰塔"]}),
    ("estimate_transfer", {"from_": "故宫", "to_": "颐和园", "depart": "09:30"}),
    ("estimate_transfer", {"from_": "北京", "to_": "上海"}),
    ("generate_route", {"city": "西安", "days": 3}),
    ("compare_cities", {"cities": ["北京", "西安"], "days": 3, "month": 5}),
    ("order_cities", {"cities": [{"id": "Beijing", "days": 2}, {"id": "Xi'an", "days": 3}], "total_days": 5}),
    ("calendar_info", {"country": "CN", "from_": "2026-09-28", "to_": "2026-10-12"}),
    ("generate_route", fixture_route()),
]


def ids(result: Any) -> list[str]:
    return [city["id"] for city in result.data["cities"]]


@looped(("name", "args"), GOOD_CALLS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_result_is_short_json_with_a_card_and_a_date(
    call: Call, call_en: Call, name: str, args: dict[str, Any]
) -> None:
    for speak in (call, call_en):
        result = speak(name, **args)
        assert result.ok
        assert 0 < len(result.summary) <= SUMMARY_LIMIT
        json.dumps(result.to_json(), ensure_ascii=False, allow_nan=False)
        assert result.meta["source"]
        if result.display:
            assert result.display.kind in CARD_KINDS


@looped(("name", "args"), GOOD_CALLS, ids=lambda value: value if isinstance(value, str) else "")
def test_an_english_card_has_no_chinese_on_it(call_en: Call, name: str, args: dict[str, Any]) -> None:
    result = call_en(name, **args)
    shown = result.summary + (json.dumps(result.display.payload, ensure_ascii=False) if result.display else "")
    for word in ("古塔", "博物馆", "夜市", "湖", *args.get("interests", ())):
        shown = shown.replace(word, "")  # the caller's own words
    assert not [c for c in shown if "一" <= c <= "鿿"]


@looped("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_schema_is_sound_and_closed(tool: Any) -> None:
    Draft202012Validator.check_schema(tool.parameters)
    assert tool.parameters["additionalProperties"] is False
    outside = {"get_weather": "net", "geocode": "net", "export_trip": "fs.write", "save_trip": "app.write"}
    outside |= {"edit_trip": "app.write", "load_trip": "app.read", "list_trips": "app.read"}
    assert tool.permission == outside.get(tool.name, "pure")
    assert tool.description
    assert tool.check({"nonsense": 1})


def test_the_arguments_of_the_function_are_those_of_the_schema() -> None:
    for tool in TOOLS:
        for name in tool.parameters["properties"]:
            assert not [f for f in tool.check({name: object()}) if "Extra inputs" in f.message], (tool.name, name)


# ---------------------------------------------------------------- search_cities


def test_food_cities_are_found_as_the_user_says_it(call: Call) -> None:
    result = call("search_cities", interests=["美食"])
    assert result.data["unmatched_filters"] == []
    assert "chengdu" in ids(result)
    first = result.data["cities"][0]
    assert first["score"] == 30
    assert first["score_parts"] == {"interest:美食": 30}
    assert first["match_reasons"] == ["符合美食兴趣"]


@pytest.mark.parametrize("word", ["美食", "吃", "美食游", "food", "Food", "foodie", "小吃"])
def test_an_interest_may_be_said_in_many_ways(word: str) -> None:
    found = vocabulary().tags.find(word)
    assert found
    assert found.code == "food"


def test_the_score_is_the_sum_of_its_parts(call: Call) -> None:
    result = call(
        "search_cities",
        interests=["草原", "民族"],
        month=7,
        budget_per_day_min=360,
        budget_per_day_max=600,
    )
    by_id = {city["id"]: city for city in result.data["cities"]}
    assert by_id["hohhot"]["score_parts"] == {"interest:草原": 30, "interest:民族": 30, "budget": 20, "season": 15}
    assert by_id["baotou"]["score_parts"]["budget"] == 10
    for city in by_id.values():
        assert city["score"] == sum(city["score_parts"].values())
    scores = [city["score"] for city in result.data["cities"]]
    assert scores == sorted(scores, reverse=True)


def test_one_bound_of_the_budget_is_enough(call: Call) -> None:
    cheap = call("search_cities", budget_per_day_max=350)
    assert ids(cheap) == ["baotou"]
    assert all(city["per_day"] <= 350 for city in cheap.data["cities"])
    dear = call("search_cities", budget_per_day_min=500)
    assert dear.data["cities"][0]["per_day"] >= 500


@pytest.mark.parametrize(
    ("filters", "unmatched"),
    [
        ({"interests": ["潜水"]}, "interest:潜水"),
        ({"budget_per_day_max": 10}, "budget_per_day_max"),
        ({"region": "海外"}, "region:海外"),
        ({"country": "法国"}, "country:法国"),
        ({"near": {"city": "厦门", "max_km": 50}}, "near:xiamen"),
        ({"region": "西南", "budget_per_day_max": 400}, "region:西南 + budget_per_day_max"),
    ],
)
def test_a_filter_nothing_satisfies_is_reported(call: Call, filters: dict[str, Any], unmatched: str) -> None:
    result = call("search_cities", **filters)
    assert unmatched in result.data["unmatched_filters"]
    assert unmatched in result.summary


def test_regions_and_provinces_are_understood_in_both_languages(call: Call) -> None:
    assert (
        ids(call("search_cities", region="西南")) == ids(call("search_cities", region="Southwest China")) == ["chengdu"]
    )
    assert set(ids(call("search_cities", region="内蒙古"))) == {"hohhot", "hulunbuir", "baotou"}


def test_near_sorts_ties_by_distance_and_leaves_out_the_city_itself(call: Call) -> None:
    result = call("search_cities", near={"city": "呼和浩特", "max_km": 600})
    assert ids(result) == ["baotou", "beijing"]
    assert result.data["cities"][0]["km"] < result.data["cities"][1]["km"]


def test_excluded_cities_do_not_come(call: Call) -> None:
    assert "chengdu" not in ids(call("search_cities", interests=["food"], exclude=["成都"]))


def test_a_city_to_leave_out_that_is_not_there_is_reported(call: Call) -> None:
    assert call("search_cities", exclude=["火星"]).data["unmatched_filters"] == ["exclude:火星"]


def test_days_decide_between_equals(call: Call) -> None:
    result = call("search_cities", interests=["草原"], days=6)
    assert ids(result)[0] == "hulunbuir"


def test_wrong_arguments_are_all_named() -> None:
    faults = search_cities.check({"month": 13, "limit": 0, "season": "rainy", "near": {"city": "北京"}})
    assert {"month", "limit", "season", "near.max_km"} <= {fault.path for fault in faults}


# ---------------------------------------------------------------- get_city_info


@pytest.mark.parametrize("name", ["北京", "北京市", "Beijing", "BEIJING", "Peking", "帝都", "bei jing"])
def test_a_city_answers_to_its_names(call: Call, name: str) -> None:
    assert call("get_city_info", city=name).data["city"]["id"] == "beijing"


@pytest.mark.parametrize("name", ["Xi'an", "xian", "Xi’an", "西安", "长安"])
def test_apostrophes_do_not_matter(call: Call, name: str) -> None:
    assert call("get_city_info", city=name).data["city"]["id"] == "xian"


def test_a_city_comes_without_its_lists_but_with_their_counts(call: Call) -> None:
    data = call("get_city_info", city="成都").data
    assert data["is_region"] is False
    assert data["counts"] == {"attractions": 13, "foods": 9}
    assert "attractions" not in data["city"]
    assert data["city"]["daily_cost"]["comfort"]["per_day"] == 420


def test_a_region_gives_its_cities(call: Call) -> None:
    data = call("get_city_info", city="华北").data
    assert data["is_region"] is True
    assert {city["id"] for city in data["cities"]} == {"beijing", "hohhot", "baotou", "hulunbuir"}


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [("成杜", "成都"), ("Chengdo", "成都"), ("shang hia", "上海"), ("呼和号特", "呼和浩特"), ("xiameng", "厦门")],
)
def test_an_unknown_city_is_met_with_a_suggestion(call: Call, name: str, suggestion: str) -> None:
    with pytest.raises(ToolError) as caught:
        call("get_city_info", city=name)
    assert caught.value.tool_code == "CITY_NOT_FOUND"
    assert f"你是不是要找{suggestion}" in caught.value.hint


def test_a_name_like_nothing_gets_the_list_of_cities(call: Call) -> None:
    with pytest.raises(ToolError) as caught:
        call("get_city_info", city="亚特兰蒂斯")
    assert "北京" in caught.value.hint


# ---------------------------------------------------------------- query_attractions


def attractions(result: Any, city: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = result.data["cities"][city]["attractions"]
    return found


def test_each_sight_says_whether_it_is_open_that_day(call: Call) -> None:
    rows = {row["id"]: row for row in attractions(call("query_attractions", cities=["北京"], open_on="2026-11-23"))}
    assert rows["beijing.forbidden_city"]["open_on"]["open"] is False
    assert rows["beijing.forbidden_city"]["open_on"]["reason"] == "CLOSED_DAY"
    assert rows["beijing.badaling"]["open_on"]["open"] is True
    assert rows["beijing.badaling"]["open_on"]["hours"] == [["07:30", "16:00"]]
    assert rows["beijing.badaling"]["open_on"]["last_entry"] == "15:30"
    assert rows["beijing.badaling"]["ticket"]["adult"] == 35


def test_filters_narrow_the_list(call: Call) -> None:
    free = attractions(call("query_attractions", cities=["北京"], free_only=True))
    assert free
    assert all(row["ticket"]["adult"] == 0 for row in free)
    museums = attractions(call("query_attractions", cities=["西安"], categories=["博物馆"]))
    assert all(row["category"] == "museum" for row in museums)
    assert museums == attractions(call("query_attractions", cities=["西安"], categories=["museum"]))
    cheap = attractions(call("query_attractions", cities=["上海"], max_ticket=50))
    assert all(row["ticket"]["adult"] <= 50 for row in cheap)
    inside = attractions(call("query_attractions", cities=["上海"], indoor=True))
    assert all(row["indoor"] for row in inside)


def test_whom_it_is_for_narrows_the_list(call: Call) -> None:
    for_children = [row["id"] for row in attractions(call("query_attractions", cities=["西安"], for_="child"))]
    assert "xian.huashan" not in for_children
    elders = attractions(call("query_attractions", cities=["北京"], for_="elder"))
    assert all(row["stairs"] != "high" for row in elders)
    wheels = attractions(call("query_attractions", cities=["成都"], for_="wheelchair"))
    assert all(row["wheelchair"] in ("yes", "partly") for row in wheels)


def test_sorting_by_price_and_distance(call: Call) -> None:
    prices = [row["ticket"]["adult"] for row in attractions(call("query_attractions", cities=["北京"], sort="price"))]
    assert prices == sorted(prices)
    near = call("query_attractions", cities=["北京"], near={"place": "故宫", "radius_km": 3}, sort="distance")
    distances = [row["distance_km"] for row in attractions(near)]
    assert distances == sorted(distances)
    assert distances[0] == 0
    assert max(distances) <= 3


@pytest.mark.parametrize("day", ["2026-02-29", "soon", "2026/11/23", "20261123"])
def test_a_bad_date_is_refused(call: Call, day: str) -> None:
    with pytest.raises(ToolError) as caught:
        call("query_attractions", cities=["北京"], open_on=day)
    assert caught.value.tool_code == "BAD_DATE"


def test_one_unknown_city_among_several_is_named(call: Call) -> None:
    with pytest.raises(ToolError) as caught:
        call("query_attractions", cities=["北京", "上海滩头"])
    assert caught.value.tool_code == "CITY_NOT_FOUND"
    assert "上海滩头" in caught.value.message


def test_an_unknown_tag_lists_the_known_ones(call: Call) -> None:
    with pytest.raises(ToolError) as caught:
        call("query_attractions", cities=["北京"], tags=["潜水"])
    assert caught.value.tool_code == "BAD_ARGUMENTS"
    assert "历史" in caught.value.hint


# ---------------------------------------------------------------- search_food


def test_food_can_be_had_without_what_one_must_not_eat(call: Call) -> None:
    foods = call("search_food", city="厦门", exclude_allergens=["海鲜", "花生"]).data["foods"]
    assert foods
    assert not any({"seafood", "shellfish", "fish", "peanut"} & set(food["diet"]) for food in foods)


def test_vegetarians_also_get_the_vegan(call: Call) -> None:
    foods = call("search_food", city="杭州", diet=["素食"]).data["foods"]
    assert {food["id"] for food in foods} >= {"hangzhou.food.dingsheng_cake", "hangzhou.food.congbaohui"}


def test_price_and_kind_narrow_the_food(call: Call) -> None:
    foods = call("search_food", city="北京", price_max=30, kind="street").data["foods"]
    assert [food["id"] for food in foods] == ["beijing.food.niujie"]


def test_an_unknown_allergen_is_not_passed_over(call: Call) -> None:
    with pytest.raises(ToolError) as caught:
        call("search_food", city="北京", exclude_allergens=["钛"])
    assert caught.value.tool_code == "BAD_ARGUMENTS"


# ---------------------------------------------------------------- estimate_transfer


def test_the_city_rule_to_the_minute() -> None:
    a, b = Point(30.0, 120.0), Point(30.0, 120.05)
    straight = distance_km(a, b)
    assert straight == pytest.approx(4.815, abs=0.001)
    for mode, detour, speed, start in [
        ("transit", 1.4, 18, 8),
        ("taxi", 1.35, 24, 5),
        ("drive", 1.35, 28, 8),
        ("walk", 1.25, 4.5, 0),
    ]:
        way = estimate(a, b, mode)  # type: ignore[arg-type]
        assert way.km == pytest.approx(straight * detour)
        assert way.minutes == pytest.approx(start + straight * detour / speed * 60)
        assert way.mode == mode
        assert way.low == int(way.minutes * 0.8 + 0.5)
        assert way.high == int(way.minutes * 1.4 + 0.5)


def test_a_short_way_is_walked() -> None:
    way = estimate(Point(30.0, 120.0), Point(30.0, 120.009), "taxi")
    assert way.mode == "walk"
    assert way.km < 1.2
    assert estimate(Point(30.0, 120.0), Point(30.0, 120.011), "taxi").mode == "taxi"


def test_a_way_comes_with_time_cost_and_method(call: Call) -> None:
    data = call("estimate_transfer", from_="故宫", to_="颐和园", mode="taxi", depart="09:30").data
    assert data["mode"] == "taxi"
    assert data["minutes"]["lo"] < data["minutes"]["typ"] < data["minutes"]["hi"]
    assert 0 < data["cost"]["lo"] < data["cost"]["hi"]
    assert data["method"] == "haversine×detour"
    assert data["arrive"] > "09:30"


def test_a_far_sight_is_reached_by_what_its_record_says(call: Call) -> None:
    data = call("estimate_transfer", from_="北京", to_="八达岭").data
    assert data["minutes"]["typ"] == 95
    assert data["method"] == "dataset access time"


def test_between_cities_no_time_is_invented(call: Call) -> None:
    data = call("estimate_transfer", from_="北京", to_="上海").data
    assert data["minutes"] is None
    assert data["cost"] is None
    assert 1050 < data["km"] < 1085


def test_points_and_stations_are_places_too(call: Call) -> None:
    data = call("estimate_transfer", from_={"lat": 39.9, "lon": 116.4, "name": "酒店"}, to_="北京南站").data
    assert data["from"]["name"] == "酒店"
    assert data["to"]["name"] == "北京南站"


def test_an_unknown_place_is_refused(call: Call) -> None:
    with pytest.raises(ToolError) as caught:
        call("estimate_transfer", from_="故宫", to_="霍格沃茨")
    assert caught.value.tool_code == "UNKNOWN_PLACE"


# ---------------------------------------------------------------- the room itself


def test_the_data_is_not_read_at_import() -> None:
    import subprocess
    import sys

    code = (
        "import sys, app.domains.travel as t; from app.domains.travel.model.dataset import builtin;"
        "print(builtin.cache_info().currsize, 'jsonschema' in sys.modules, len(t.TOOLS))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "False", str(len(TOOLS))]


def test_the_shipped_cities_are_read_once() -> None:
    assert builtin() is builtin()


def test_a_budget_in_yuan_is_held_against_cities_of_other_currencies(call_all: Call) -> None:
    result = call_all("search_cities", region="海外", budget_per_day_max=700, limit=20)
    rows = result.data["cities"]
    assert rows
    assert all(row["currency"] != "CNY" and row["per_day_cny"] <= 700 for row in rows)
    assert result.data["rates_as_of"]
    assert "粗略汇率" in result.summary
    every = call_all("search_cities", region="海外", limit=20).data
    assert len(rows) < every["total"]


def test_no_city_abroad_for_so_little_is_told_as_such(call_all: Call) -> None:
    result = call_all("search_cities", region="海外", budget_per_day_max=100)
    assert result.data["cities"] == []
    assert result.data["unmatched_filters"] == ["budget_per_day_max"]


def test_a_lower_bound_ranks_and_leaves_nothing_out(call_all: Call) -> None:
    rows = call_all("search_cities", country="日本", budget_per_day_min=900, budget_per_day_max=2000, limit=20).data[
        "cities"
    ]
    assert {row["id"] for row in rows} == {"tokyo", "osaka", "kyoto", "sapporo", "okinawa"}
    for row in rows:
        assert row["score_parts"]["budget"] == (20 if row["per_day_cny"] >= 900 else 10)
