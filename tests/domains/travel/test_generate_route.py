"""Routes over given stops and over the shipped cities."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from app.core.errors import ToolError
from app.domains.travel.model.dataset import builtin
from app.domains.travel.model.daylight import dusk
from app.domains.travel.model.geo import distance_km
from app.domains.travel.model.holiday_calendar import holiday_name
from app.domains.travel.model.hours import is_open, parse_hours, parse_time, windows_on
from app.domains.travel.tools.routes import generate_route
from tests.domains.travel.fixture_city import Call, fixture_matrix, fixture_route, fixture_stops, hours, stop
from tests.every import looped


def sights(result: Any, day: int = 1) -> list[str]:
    return [s["place_id"] for s in result.data["itinerary"]["days_list"][day - 1]["stops"] if s["kind"] == "sight"]


def unscheduled(result: Any) -> dict[str, str]:
    return {entry["id"]: entry["reason"] for entry in result.data["unscheduled"]}


def test_scenario_a3_on_a_tuesday(call: Call) -> None:
    result = call("generate_route", **fixture_route())
    day = result.data["itinerary"]["days_list"][0]
    assert sights(result) == ["B", "D", "A", "C"]
    assert day["totals"]["travel_min"] == 85
    assert day["totals"]["visit_min"] == 360
    assert [s["name"] for s in day["stops"] if s["kind"] == "meal"] == ["午餐", "晚餐"]
    assert result.data["method"]["solver"] == "exact"
    assert result.data["method"]["optimal"] is True
    assert unscheduled(result) == {}
    when = {raw["id"]: parse_hours(raw["hours"]) for raw in fixture_stops()}
    for each in day["stops"]:
        if each["kind"] == "sight":
            start, end = parse_time(each["start"]), parse_time(each["end"])
            assert is_open(when[each["place_id"]], date(2026, 11, 24), start, end)


def test_scenario_a3_on_a_monday(call: Call) -> None:
    result = call("generate_route", **fixture_route(start_date="2026-11-23"))
    assert sights(result) == ["A", "D", "C"]
    assert result.data["itinerary"]["days_list"][0]["totals"]["travel_min"] == 75
    assert unscheduled(result) == {"B": "CLOSED_DAY"}
    assert result.data["method"]["optimal"] is True


def test_the_same_question_has_the_same_answer(call: Call) -> None:
    first, second = (call("generate_route", **fixture_route()) for _ in range(2))
    assert first.data["itinerary"] == second.data["itinerary"]


def test_two_days_hold_what_one_day_cannot(call: Call) -> None:
    result = call("generate_route", **fixture_route(start_date="2026-11-23", days=2))
    assert sorted(sights(result, 1) + sights(result, 2)) == ["A", "B", "C", "D"]
    assert "B" in sights(result, 2)
    assert unscheduled(result) == {}


def test_a_missing_pair_of_the_matrix_is_named(call: Call) -> None:
    matrix = fixture_matrix()
    del matrix["B"]["D"]
    with pytest.raises(ToolError) as caught:
        call("generate_route", **fixture_route(travel_matrix=matrix))
    assert caught.value.tool_code == "BAD_ARGUMENTS"
    assert "B→D" in caught.value.message
    assert "D→B" not in caught.value.message


def test_the_matrix_may_be_asymmetric(call: Call) -> None:
    matrix = fixture_matrix()
    matrix["D"]["A"] = 60
    result = call("generate_route", **fixture_route(travel_matrix=matrix))
    assert sights(result) == ["B", "A", "D", "C"]
    assert result.data["itinerary"]["days_list"][0]["totals"]["travel_min"] == 15 + 25 + 10 + 20 + 25


def test_without_the_way_back_the_day_ends_at_the_last_stop(call: Call) -> None:
    result = call("generate_route", **fixture_route(return_to_start=False))
    stops = result.data["itinerary"]["days_list"][0]["stops"]
    assert stops[-1]["place_id"] == "C"
    assert result.data["itinerary"]["days_list"][0]["totals"]["travel_min"] == 60


@pytest.mark.parametrize("start", [{"arrival": {"day": 1, "time": "09:00", "place": "H"}}, {}])
def test_the_start_is_the_arrival_or_the_one_key_that_is_no_stop(call: Call, start: dict[str, Any]) -> None:
    arguments = fixture_route(**start)
    del arguments["lodging"]
    result = call("generate_route", **arguments)
    assert sights(result) == ["B", "D", "A", "C"]
    assert result.data["itinerary"]["days_list"][0]["totals"]["travel_min"] == 85


def test_neighbours_share_a_day(call: Call) -> None:
    north = [("n1", 40.1), ("n2", 40.11), ("n3", 40.12)]
    south = [("s1", 39.7), ("s2", 39.71), ("s3", 39.72)]
    mixed = [north[0], south[0], south[1], north[1], north[2], south[2]]
    stops = [{**stop(key, key, hours("00:00", "24:00"), 60), "lat": lat, "lon": 116.4} for key, lat in mixed]
    home = {"name": "home", "lat": 39.91, "lon": 116.4}
    result = call("generate_route", stops=stops, days=2, start_date="2026-11-24", lodging=home)
    assert sorted([sorted(sights(result, 1)), sorted(sights(result, 2))]) == [["n1", "n2", "n3"], ["s1", "s2", "s3"]]


def test_max_stops_replaces_the_limits_of_the_pace(call: Call) -> None:
    relaxed = call("generate_route", **fixture_route(pace="relaxed"))
    assert len(sights(relaxed)) == 3
    assert len(sights(call("generate_route", **fixture_route(pace="relaxed", max_stops=4)))) == 4
    only = call("generate_route", **fixture_route(max_stops=1, must_see=["夜市"]))
    assert sights(only) == ["C"]
    assert unscheduled(only) == {"A": "NO_TIME_LEFT", "B": "NO_TIME_LEFT", "D": "NO_TIME_LEFT"}


def test_nothing_is_dropped_without_a_reason(call: Call) -> None:
    extra = [
        stop("E", "远山", hours("09:00", "17:00"), 60),
        stop("F", "晨集", hours("05:00", "07:00"), 60),
        stop("A", "古塔", hours("09:00", "17:00"), 60),
    ]
    matrix = fixture_matrix()
    for key in ("A", "B", "C", "D", "H"):
        for new, minutes in (("E", 700), ("F", 20)):
            matrix[key][new] = minutes
            matrix.setdefault(new, {})[key] = minutes
    matrix["E"]["F"] = matrix["F"]["E"] = 700
    result = call("generate_route", **fixture_route(stops=fixture_stops() + extra, travel_matrix=matrix, avoid=["D"]))
    assert sights(result) == ["B", "A", "C"]
    assert unscheduled(result) == {"E": "TOO_FAR", "F": "OUTSIDE_HOURS", "D": "AVOIDED", "A": "DUPLICATE"}


def test_a_stop_nobody_can_find_is_unknown(call: Call) -> None:
    stops = [
        {**stop("a", "甲", hours("00:00", "24:00"), 60), "lat": 39.9, "lon": 116.4},
        stop("b", "乙", hours("00:00", "24:00"), 60),
    ]
    result = call("generate_route", stops=stops, days=1)
    assert unscheduled(result) == {"b": "UNKNOWN"}


def test_no_route_at_all_is_infeasible_with_the_reasons(call: Call) -> None:
    museum = [stop("B", "博物馆", hours("09:00", "17:00", shut="mon"), 60)]
    with pytest.raises(ToolError) as caught:
        call("generate_route", stops=museum, days=1, start_date="2026-11-23", travel_matrix={"B": {}})
    assert caught.value.tool_code == "INFEASIBLE"
    assert "博物馆" in caught.value.message
    assert "不开放" in caught.value.message


def test_an_unknown_must_see_is_refused_with_suggestions(call: Call) -> None:
    for arguments in (fixture_route(must_see=["古搭"]), {"city": "北京", "days": 2, "must_see": ["故官"]}):
        with pytest.raises(ToolError) as caught:
            call("generate_route", **arguments)
        assert caught.value.tool_code == "UNKNOWN_PLACE"
        assert caught.value.hint


def test_a_sight_of_another_city_is_not_taken_for_one_of_this(call: Call) -> None:
    with pytest.raises(ToolError) as caught:
        call("generate_route", city="上海", days=2, must_see=["故宫"])
    assert caught.value.tool_code == "UNKNOWN_PLACE"


@looped(
    ("arguments", "path"),
    [
        ({"days": 1}, "city | legs | stops"),
        ({"days": 1, "city": "北京", "stops": fixture_stops()}, "city | legs | stops"),
        ({"city": "北京"}, "days"),
        ({"city": "北京", "days": 22}, "days"),
        ({"city": "北京", "days": "3"}, "days"),
        ({"city": "北京", "days": 1, "speed": 3}, "speed"),
        ({"city": "北京", "days": 1, "pace": "fast"}, "pace"),
        ({"city": "北京", "days": 1, "day_start": "9am"}, "day_start"),
        ({"city": "北京", "days": 1, "arrival": {"day": 1, "time": "25:00"}}, "arrival.time"),
        ({"stops": [{"id": "a", "name": "a", "visit_minutes": 60}], "days": 1}, "stops.0.hours"),
        (
            {"stops": [stop("a", "a", {"seasons": [{"weekly": {"x": []}}]}, 60)], "days": 1},
            "stops.0.hours.seasons.0.weekly.x",
        ),
        ({"city": "北京", "days": 1, "travel_matrix": {"a": {"b": -1}}}, "travel_matrix.a.b"),
    ],
)
def test_bad_arguments_are_named_by_their_path(arguments: dict[str, Any], path: str) -> None:
    faults = generate_route.check(arguments)
    assert faults
    assert path in [fault.path for fault in faults]


@pytest.mark.parametrize("text", ["2026-02-30", "tomorrow", "20261124", "2026-11-24T00:00"])
def test_a_start_that_is_no_date_is_refused(call: Call, text: str) -> None:
    with pytest.raises(ToolError) as caught:
        call("generate_route", city="北京", days=1, start_date=text)
    assert caught.value.tool_code == "BAD_ARGUMENTS"


def test_the_route_starts_after_the_train_and_ends_before_the_flight(call: Call) -> None:
    result = call(
        "generate_route",
        city="北京",
        days=3,
        start_date="2026-11-24",
        arrival={"day": 1, "time": "14:00", "place": "北京南站"},
        departure={"day": 3, "time": "16:00", "place": "北京首都国际机场"},
    )
    first, _, last = result.data["itinerary"]["days_list"]
    assert parse_time(first["start"]) >= 14 * 60 + 15
    assert parse_time(last["end"]) <= 14 * 60
    assert last["stops"][-1]["name"] == "北京首都国际机场"
    assert any("15" in text for text in result.data["assumptions"])
    assert any("120" in text for text in result.data["assumptions"])


def test_days_before_the_arrival_stay_empty(call: Call) -> None:
    result = call("generate_route", city="北京", days=3, arrival={"day": 2, "time": "10:00"})
    assert sights(result, 1) == []
    assert sights(result, 2)


def test_interests_come_first(call: Call) -> None:
    result = call("generate_route", city="上海", days=1, interests=["博物馆"], max_stops=2)
    kinds = {sight.id: sight.tags for city in builtin().cities for sight in city.attractions}
    assert sights(result)
    assert all("museum" in kinds[key] for key in sights(result))


def test_a_famous_sight_is_not_given_up_for_two_small_ones(call: Call) -> None:
    result = call("generate_route", city="北京", days=3, start_date="2026-11-24")
    seen = {key for day in (1, 2, 3) for key in sights(result, day)}
    assert {"beijing.forbidden_city", "beijing.badaling", "beijing.temple_of_heaven"} <= seen


def starts(result: Any) -> dict[str, int]:
    days = result.data["itinerary"]["days_list"]
    return {s["place_id"]: parse_time(s["start"]) for day in days for s in day["stops"] if s["kind"] == "sight"}


def test_pandas_are_seen_in_the_morning_and_lights_in_the_evening(call: Call) -> None:
    assert starts(call("generate_route", city="成都", days=3))["chengdu.panda_base"] <= 12 * 60
    assert starts(call("generate_route", city="上海", days=3))["shanghai.bund"] >= 16 * 60 + 30


def test_the_best_time_of_day_yields_to_a_must_see(call: Call) -> None:
    result = call(
        "generate_route", city="成都", days=1, must_see=["熊猫基地"], arrival={"day": 1, "time": "12:30"}, max_stops=1
    )
    assert starts(result)["chengdu.panda_base"] > 13 * 60
    both = call("generate_route", city="北京", days=1, must_see=["雍和宫", "天安门广场"], day_start="10:30")
    assert {"beijing.lama_temple", "beijing.tiananmen"} <= set(starts(both))


def test_a_day_at_a_theme_park_is_possible(call: Call) -> None:
    result = call("generate_route", city="上海", days=1, must_see=["迪士尼"])
    assert "shanghai.disneyland" in sights(result)
    assert any("午餐" in note for s in result.data["itinerary"]["days_list"][0]["stops"] for note in s["notes"])


def test_an_evening_sight_begins_at_dusk_of_the_day_and_place(call_all: Call) -> None:
    """Or, where the sun sets too late for the day's end, as late as that allows."""
    known = {(c, d): dusk(next(each for each in builtin().cities if each.id == c), date.fromisoformat(d))
             for c, d in (("beijing", "2026-06-21"), ("beijing", "2026-12-21"), ("urumqi", "2026-06-21"),
                          ("sydney", "2026-12-21"), ("bangkok", "2026-03-20"), ("paris", "2026-10-01"))}  # fmt: skip
    read = zip(known.values(), (1186, 1012, 1311, 1205, 1109, 1170), strict=True)
    assert [pair for pair in read if abs(pair[0] - pair[1]) > 8] == []
    early = []
    for city in builtin().cities[1::12]:
        evenings = {sight.id: sight for sight in city.attractions if sight.best_time == ("evening",)}
        near = {id: sight for id, sight in evenings.items() if distance_km(city.point, sight.point) < 5}
        for start in ("2026-12-21", "2027-06-21"):
            days = call_all("generate_route", city=city.id, days=2, start_date=start).data["itinerary"]["days_list"]
            for each in (s for day in days for s in day["stops"] if s["place_id"] in near):
                sight, on = near[each["place_id"]], date.fromisoformat(start)
                closing = min([parse_time("20:30"), *(window.end for window in windows_on(sight.hours, on)[-1:])])
                if parse_time(each["start"]) < min(dusk(city, on), closing - sight.visit_minutes.typ) - 35:
                    early.append((sight.id, start, each["start"]))
    assert early == []


def test_neighbours_are_seen_on_one_day(call_all: Call) -> None:
    """Of each two sights a short walk apart, each the other's nearest, few are on different days; and of all sights
    whose nearest lies within two kilometres, not many."""
    apart: list[str] = []
    count, with_near, alone = 0, 0, 0
    for city in builtin().cities[::8]:
        points = {sight.id: sight.point for sight in city.attractions}
        days = call_all("generate_route", city=city.id, days=3, start_date="2027-04-13").data["itinerary"]["days_list"]
        where = {s["place_id"]: day["day"] for day in days for s in day["stops"] if s["place_id"] in points}
        nearest = {
            a: min((b for b in where if b != a), key=lambda b: (distance_km(points[a], points[b]), b)) for a in where
        }
        for a, b in nearest.items():
            is_close = distance_km(points[a], points[b]) < 2
            with_near, alone = with_near + is_close, alone + (is_close and where[a] != where[b])
            if a < b and nearest[b] == a and distance_km(points[a], points[b]) < 1:
                count += 1
                apart += [f"{a} {b}"] if where[a] != where[b] else []
    assert count > 10
    assert len(apart) <= 0.1 * count, apart
    assert alone <= 0.17 * with_near, (alone, with_near)


def test_no_wait_of_a_day_is_left_unnamed(call_all: Call) -> None:
    """Visits last longer, or there is free time with its reason; at most a quarter of an hour of a day is neither."""
    unnamed, reasons, longer = [], 0, 0
    for city in builtin().cities[3::9]:
        usual = {sight.id: sight.visit_minutes for sight in city.attractions}
        for day in call_all("generate_route", city=city.id, days=2, start_date="2027-07-06").data["itinerary"][
            "days_list"
        ]:
            waits = [each["wait_min"] for each in day["stops"]]
            if sum(waits) > 15:
                unnamed.append((city.id, day["day"], waits))
            for each in day["stops"]:
                minutes = parse_time(each["end"]) - parse_time(each["start"])
                if each["kind"] == "free":
                    reasons += 1
                    assert each["notes"], each
                elif each["kind"] == "sight":
                    longer += minutes > usual[each["place_id"]].typ
                    assert minutes <= max(usual[each["place_id"]].max, usual[each["place_id"]].typ)
    assert unnamed == []
    assert reasons
    assert longer


def test_a_trip_out_of_town_leaves_early_unless_the_hours_are_fixed(call: Call) -> None:
    def day(**hours: str) -> dict[str, Any]:
        result = call("generate_route", city="北京", days=1, must_see=["八达岭长城"], start_date="2026-11-24", **hours)
        found: dict[str, Any] = result.data["itinerary"]["days_list"][0]
        return found

    assert parse_time(day()["start"]) < 8 * 60
    assert day()["stops"][0]["place_id"] == "beijing.badaling"  # and no lunch on arrival
    assert parse_time(day(day_start="09:00")["start"]) >= 9 * 60


def test_the_way_from_an_airport_takes_what_its_record_says(call: Call) -> None:
    for there, least, most in (("外滩", 50, 80), ("上海迪士尼", 30, 80)):
        typical = call("estimate_transfer", from_="上海浦东国际机场", to=there).data["minutes"]["typ"]
        assert least <= typical <= most, (there, typical)


SUMMER, WINTER = "2026-07-06", "2026-12-28"


@looped("city, start", [(city.id, (SUMMER, WINTER)[i % 2]) for i, city in enumerate(builtin().cities[::2])])
def test_every_city_has_a_three_day_route_within_its_hours(call_all: Call, city: str, start: str) -> None:
    result = call_all("generate_route", city=city, days=3, start_date=start)
    country = next(each.country for each in builtin().cities if each.id == city)
    records = {sight.id: sight for each in builtin().cities for sight in each.attractions}
    seen: list[str] = []
    for day in result.data["itinerary"]["days_list"]:
        assert [s["seq"] for s in day["stops"]] == list(range(1, len(day["stops"]) + 1))
        clock = parse_time(day["start"])
        visits = [s for s in day["stops"] if s["kind"] == "sight"]
        assert len(visits) <= 4
        assert day["totals"]["visit_min"] <= 8 * 60 or len(visits) == 1
        for each in day["stops"]:
            arrived = clock + (each["transfer"]["min"] if each["transfer"] else 0)
            start_at, end_at = parse_time(each["start"]), parse_time(each["end"])
            assert start_at == arrived + each["wait_min"]
            if each["kind"] == "sight":
                on = date.fromisoformat(day["date"])
                holiday = holiday_name(country, on) is not None
                assert is_open(records[each["place_id"]].hours, on, start_at, end_at, public_holiday=holiday)
            clock = end_at
        assert clock == parse_time(day["end"])
        seen += [s["place_id"] for s in visits]
    assert seen
    assert len(seen) == len(set(seen))
    assert not set(seen) & set(unscheduled(result))


def test_the_itinerary_carries_dates_costs_and_marks(call: Call) -> None:
    result = call(
        "generate_route",
        city="北京",
        days=2,
        start_date="2026-11-24",
        must_see=["故宫"],
        party={"adults": 2, "children": [8]},
    )
    trip = result.data["itinerary"]
    assert trip["title"] == "北京2日行程"
    assert [day["date"] for day in trip["days_list"]] == ["2026-11-24", "2026-11-25"]
    assert [day["weekday"] for day in trip["days_list"]] == ["周二", "周三"]
    assert trip["party"] == {"adults": 2, "children": [8]}
    assert trip["as_of"] == "2026-11"
    palace = next(s for day in trip["days_list"] for s in day["stops"] if s["place_id"] == "beijing.forbidden_city")
    assert palace["cost"] == 2 * 40 + 20
    assert palace["warnings"] == ["提前7天实名预约"]
    ways = [s["transfer"] for day in trip["days_list"] for s in day["stops"] if s["transfer"]]
    assert ways
    assert all(way["estimate"] and way["min"] >= 0 and way["km"] >= 0 for way in ways)
    assert result.meta["estimate"] is True
    assert result.display is not None
    assert result.display.kind == "timeline"
    assert len(result.display.payload["groups"]) >= 2


def test_a_long_journey_fills_the_days_evenly(call: Call) -> None:
    stops = [
        {**stop(f"s{i:02}", f"s{i}", hours("00:00", "24:00"), 60), "lat": 39.9 + i / 1000, "lon": 116.4}
        for i in range(12)
    ]
    result = call("generate_route", stops=stops, days=4, start_date="2026-11-24")
    assert [len(sights(result, day)) for day in (1, 2, 3, 4)] == [3, 3, 3, 3]
    assert date.fromisoformat("2026-11-24") + timedelta(days=3) == date.fromisoformat(
        result.data["itinerary"]["days_list"][3]["date"]
    )


def test_english_is_spoken_to_the_english(call_en: Call) -> None:
    result = call_en(
        "generate_route", city="Beijing", days=1, start_date="2026-11-23", must_see=["Great Wall", "forbidden city"]
    )
    assert result.data["itinerary"]["title"] == "Beijing, 1 day"
    assert "Forbidden City" in result.summary
    assert "closed" in result.summary


def test_what_is_avoided_is_named_in_the_language_of_the_call(call: Call, call_en: Call) -> None:
    for speak, name in ((call, "颐和园"), (call_en, "Summer Palace")):
        result = speak("generate_route", city="北京", days=2, avoid=["颐和园"])
        avoided = [entry for entry in result.data["unscheduled"] if entry["reason"] == "AVOIDED"]
        assert [(entry["id"], entry["name"]) for entry in avoided] == [("beijing.summer_palace", name)]


def test_the_map_joins_every_two_sights_of_a_day_also_across_a_meal(call: Call) -> None:
    result = call("generate_route", city="上海", days=2)
    assert result.display is not None
    days = result.data["itinerary"]["days_list"]
    drawn = result.display.payload["map"]
    sights = [sum(stop["kind"] == "sight" for stop in day["stops"]) for day in days]
    assert len([point for point in drawn["points"] if "home" not in point]) == sum(sights)
    assert len(drawn["legs"]) == sum(count + 1 for count in sights), "the ways from and to the lodging too"
    between = {(leg["from"].partition(" ")[2], leg["to"].partition(" ")[2]): leg["km"] for leg in drawn["legs"]}
    first = [stop for stop in days[0]["stops"] if stop["kind"] in ("sight", "meal")]
    meal = next(i for i in range(1, len(first)) if first[i]["kind"] == "meal")
    before, after = first[meal - 1], first[meal + 1]
    km = sum((stop["transfer"] or {}).get("km") or 0 for stop in (first[meal], after))
    assert between[before["name"], after["name"]] == pytest.approx(km, abs=0.01)


def test_sights_are_chosen_for_those_who_travel(call_all: Call) -> None:
    city = next(city for city in builtin().cities if city.id == "suzhou")
    reachable = {sight.id for sight in city.attractions if sight.wheelchair in ("yes", "partly")}
    assert reachable < {sight.id for sight in city.attractions}
    result = call_all("generate_route", city="苏州", days=3, for_="wheelchair")
    assert set(result.data["scheduled"]) <= reachable
    assert any("轮椅" in line for line in result.data["assumptions"])
    steep = next(sight.id for sight in city.attractions if sight.id not in reachable)
    wanted = call_all("generate_route", city="苏州", days=3, for_="wheelchair", must_see=[steep])
    assert steep in wanted.data["scheduled"]


def test_dishes_suggested_at_meals_keep_the_diet(call_all: Call) -> None:
    veg = dishes("hangzhou", "veg", "vegan")
    assert suggested(call_all, "杭州", diet=["素食"]) <= veg
    assert not suggested(call_all, "杭州") <= veg


def test_dishes_suggested_at_meals_contain_nothing_that_was_refused(call_all: Call) -> None:
    spicy = dishes("chengdu", "spicy")
    assert suggested(call_all, "成都") & spicy
    mild = suggested(call_all, "成都", exclude_allergens=["辣"])
    assert mild
    assert not mild & spicy


def suggested(call: Call, city: str, **args: Any) -> set[str]:
    days = call("generate_route", city=city, days=3, **args).data["itinerary"]["days_list"]
    return {note for day in days for stop in day["stops"] if stop["kind"] == "meal" for note in stop["notes"]}


def dishes(city: str, *traits: str) -> set[str]:
    foods = next(one for one in builtin().cities if one.id == city).foods
    return {f"可试{food.name('zh_CN')}" for food in foods if set(traits) & set(food.diet)}


def test_nobody_walks_across_a_river_or_drives_to_an_island(call_all: Call) -> None:
    for here, there, mode, least in (
        ("shanghai.bund", "shanghai.oriental_pearl", "walk", 15),
        ("bangkok.wat_pho", "bangkok.wat_arun", "walk", 15),
        ("xiamen.gulangyu", "xiamen.zhongshan_road", "taxi", 35),
    ):
        way = call_all("estimate_transfer", from_=here, to=there, mode=mode).data
        assert way["mode"] == "transit", (here, way)
        assert way["minutes"]["typ"] >= least, (here, way)
    assert call_all("estimate_transfer", from_="洪崖洞", to="解放碑步行街").data["mode"] == "walk"


def test_a_day_outdoors_has_something_under_a_roof(call_all: Call) -> None:
    result = call_all("generate_route", city="北京", days=3, start_date="2026-11-24")
    records = {sight.id: sight for city in builtin().cities for sight in city.attractions}
    found = [(day, each) for day in result.data["itinerary"]["days_list"] for each in day["if_it_rains"]]
    assert found
    for day, each in found:
        other, here = records[each["place_id"]], records[each["instead_of"]]
        assert (other.indoor, here.indoor) == (True, False)
        assert is_open(other.hours, date.fromisoformat(day["date"]), 11 * 60)
    assert len({each["place_id"] for _, each in found}) == len(found)
    notes = " ".join(result.display.payload["notes"]) if result.display else ""
    assert "第1天下雨" in notes


def test_what_was_wished_for_a_day_is_on_that_day(call_all: Call) -> None:
    wishes = [{"day": 2, "stops": ["天坛", "景山"]}, {"day": 1, "stops": ["颐和园"]}]
    result = call_all("generate_route", city="北京", days=3, by_day=wishes)
    where = {s["name"]: day["day"] for day in result.data["itinerary"]["days_list"] for s in day["stops"]}
    assert (where["天坛公园"], where["景山公园"], where["颐和园"]) == (2, 2, 1)
    legs = [{"city": "西安", "nights": 2}, {"city": "洛阳", "nights": 1}]
    joined = call_all("generate_route", legs=legs, days=4, by_day=[{"day": 4, "stops": ["龙门石窟"]}])
    last = joined.data["itinerary"]["days_list"][3]["stops"]
    assert "龙门石窟" in [stop["name"] for stop in last]
    with pytest.raises(ToolError, match="by_day"):
        call_all("generate_route", city="北京", days=1, by_day=wishes)


def test_a_train_has_its_usual_time_and_fare_and_a_flight_none(call_all: Call) -> None:
    train = call_all("estimate_transfer", from_="上海", to_="杭州").data
    assert (train["mode"], train["fare"]["currency"]) == ("train", "CNY")
    assert 45 <= train["ride_minutes"] <= 90
    assert 50 <= train["fare"]["lo"] < train["fare"]["hi"] <= 150  # 73 to 117 yuan in 2026
    assert call_all("estimate_transfer", from_="北京", to_="东京").data["fare"] is None
