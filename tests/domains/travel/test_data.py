"""The shipped cities are complete, plausible and facts rather than prose."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from app.domains.travel.model.areas import areas_of, concessions, sight_at
from app.domains.travel.model.dataset import NO_CITIES, builtin
from app.domains.travel.model.geo import Point, distance_km
from app.domains.travel.model.hours import opens_on, parse_hours, windows_on
from app.domains.travel.model.map_shapes import KINDS, MOST_CORNERS, MOST_SHAPES
from app.domains.travel.model.places import Attraction, City
from app.domains.travel.model.vocabulary import data_dir, vocabulary
from app.domains.travel.rules.areas import area_of
from building.travel_data import contradictions
from tests.every import every

ORIGINAL = {"beijing", "shanghai", "hangzhou", "chengdu", "xian", "xiamen", "hohhot", "hulunbuir", "baotou"}

with (Path(__file__).parents[2] / "data" / "geonames_centres.csv").open(encoding="utf-8", newline="") as _file:
    GEONAMES = {row["city"]: Point(float(row["lat"]), float(row["lon"])) for row in csv.DictReader(_file)}
"""City centres by GeoNames (geonames.org, CC BY 4.0): to compare with, not shipped with the program."""

NO_TOWN = {"jiuzhaigou"}
"""People stay at the mouth of a valley; GeoNames has no town within 25 km of it."""

PLACE_OF_COUNTRY = {
    "JP": {("Asia/Tokyo", "JPY")},
    "KR": {("Asia/Seoul", "KRW")},
    "TH": {("Asia/Bangkok", "THB")},
    "SG": {("Asia/Singapore", "SGD")},
    "MY": {("Asia/Kuala_Lumpur", "MYR")},
    "FR": {("Europe/Paris", "EUR")},
    "GB": {("Europe/London", "GBP")},
    "IT": {("Europe/Rome", "EUR")},
    "ES": {("Europe/Madrid", "EUR")},
    "US": {("America/New_York", "USD"), ("America/Los_Angeles", "USD")},
    "AU": {("Australia/Sydney", "AUD")},
    "AE": {("Asia/Dubai", "AED")},
    "TR": {("Europe/Istanbul", "TRY")},
    "ID": {("Asia/Makassar", "IDR")},
    "VN": {("Asia/Ho_Chi_Minh", "VND")},
    "KH": {("Asia/Phnom_Penh", "USD")},
    "CZ": {("Europe/Prague", "CZK")},
    "GR": {("Europe/Athens", "EUR")},
    "CN": {
        ("Asia/Shanghai", "CNY"),
        ("Asia/Hong_Kong", "HKD"),
        ("Asia/Macau", "MOP"),
        ("Asia/Taipei", "TWD"),
    },
}
"""The clocks and the money of a country."""

FILES = sorted(path for path in data_dir().glob("*.json") if path.stem not in NO_CITIES)
CITIES = builtin().cities
SIGHTS = [(city, sight) for city in CITIES for sight in city.attractions]


def _raw(city: City) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads((data_dir() / f"{city.id}.json").read_text(encoding="utf-8"))
    return raw


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for value in node.values():
            yield from _texts(value)
    elif isinstance(node, list):
        for value in node:
            yield from _texts(value)


def test_the_nine_original_cities_are_there() -> None:
    assert {city.id for city in CITIES} >= ORIGINAL
    assert {path.stem for path in FILES} == {city.id for city in CITIES}


def test_ids_are_unique() -> None:
    ids = [city.id for city in CITIES] + [sight.id for _, sight in SIGHTS]
    ids += [food.id for city in CITIES for food in city.foods]
    assert [key for key, count in Counter(ids).items() if count > 1] == []


def test_no_name_means_two_cities() -> None:
    names = [
        name.casefold() for city in CITIES for name in {city.id, city.name_zh, city.name_en.casefold(), *city.aliases}
    ]
    doubled = [name for name, count in Counter(names).items() if count > 1 and name not in {c.id for c in CITIES}]
    assert doubled == []


def test_a_city_has_every_field_filled() -> None:
    def check(city: City) -> None:
        assert len(city.attractions) >= 12
        assert sum(sight.indoor for sight in city.attractions) >= 3, "sights for a rainy day"
        assert len(city.foods) >= (6 if city.id in ORIGINAL else 4)
        assert set(city.daily_cost) == {"economy", "comfort", "luxury"}
        for cost in city.daily_cost.values():
            assert min(cost.room, cost.food, cost.local, cost.misc) > 0
        assert city.daily_cost["economy"].per_person < city.daily_cost["comfort"].per_person
        assert city.daily_cost["comfort"].per_person < city.daily_cost["luxury"].per_person
        days = city.recommended_days
        assert 1 <= days.min <= days.typ <= days.max <= 30
        assert city.best_months
        assert set(city.best_months) <= set(range(1, 13))
        assert 0 < len(city.season_note) <= 40
        assert 0 < len(city.tips) <= 5
        assert city.hubs
        assert city.local_transport
        assert re.fullmatch(r"\d{4}-\d{2}", city.as_of)
        assert city.confidence in ("high", "mid", "low")
        assert city.sources
        assert (city.tz, city.currency) in PLACE_OF_COUNTRY[city.country]
        assert {sight.ticket.currency for sight in city.attractions} == {city.currency}

    every(((city.id, city) for city in CITIES), check)


def test_a_city_is_described_in_the_closed_vocabulary() -> None:
    def check(city: City) -> None:
        words = vocabulary()
        assert set(city.tags) <= set(words.tags.by_code)
        assert city.region in words.regions.by_code
        assert city.country in words.countries.by_code
        for sight in city.attractions:
            assert set(sight.tags) <= set(words.tags.by_code), sight.id
            assert sight.tags, sight.id
            assert sight.category in words.categories.by_code, sight.id
        for food in city.foods:
            assert food.diet, food.id
            assert set(food.diet) <= set(words.diet.by_code), food.id
            assert food.kind in words.food_kinds.by_code, food.id

    every(((city.id, city) for city in CITIES), check)


def test_a_city_lies_where_the_gazetteer_has_it() -> None:
    def check(city: City) -> None:
        assert distance_km(city.point, GEONAMES[city.id]) <= 25

    every(((city.id, city) for city in CITIES if city.id not in NO_TOWN), check)


def test_every_offered_interest_has_three_cities() -> None:
    tags = vocabulary().tags
    assert 20 <= len(tags.terms) <= 30
    count = Counter(tag for city in CITIES for tag in city.tags)
    assert {term.code: count[term.code] for term in tags.terms if term.offered and count[term.code] < 3} == {}


def test_a_sight_is_plausible() -> None:
    def check(case: tuple[City, Attraction]) -> None:
        city, sight = case
        assert sight.id.startswith(f"{city.id}.")
        assert distance_km(city.point, sight.point) <= 120 or sight.day_trip
        assert (sight.access is not None) == sight.day_trip
        assert 15 <= sight.visit_minutes.min <= sight.visit_minutes.typ <= sight.visit_minutes.max <= 720
        assert sight.ticket.adult >= 0
        assert sight.ticket.child is not None
        assert 0 <= sight.ticket.child <= sight.ticket.adult
        assert 0 <= sight.ticket.free_under_age <= 18
        assert sight.best_time
        assert set(sight.best_time) <= {"morning", "afternoon", "evening"}
        assert sight.stairs in ("low", "mid", "high")
        assert sight.wheelchair in ("yes", "partly", "no", "unknown")
        assert re.fullmatch(r"\d{4}-\d{2}", sight.as_of)
        assert sight.confidence in ("high", "mid", "low")
        assert not sight.reservation.required or sight.reservation.days_ahead >= 1
        assert sight.source_url == "" or sight.source_url.startswith("https://")

    every(((sight.id, (city, sight)) for city, sight in SIGHTS), check)


def test_a_sight_is_open_long_enough_to_be_seen() -> None:
    def check(sight: Attraction) -> None:
        first = date(2026, 1, 1)
        # Every fifth day is each weekday too.
        opened = [day for i in range(0, 365, 5) if opens_on(sight.hours, day := first + timedelta(days=i))]
        assert len(opened) >= 7  # a weekly market, a flower of five weeks
        for day in opened[::2]:
            windows = windows_on(sight.hours, day)
            assert any(window.start + sight.visit_minutes.min <= window.end for window in windows), day

    # Many have the same hours: each kind is looked at once, with the longest visit.
    by_hours = {repr(sight.hours): sight for _city, sight in sorted(SIGHTS, key=lambda pair: pair[1].visit_minutes.min)}
    every(((sight.id, sight) for sight in by_hours.values()), check)


def test_an_evening_with_longer_hours_lets_people_in_longer() -> None:
    found = builtin().attraction("卢浮宫")
    assert found
    last = [windows_on(found[1].hours, date(2026, 11, 23) + timedelta(days=i)) for i in range(7)]
    assert [day[0].last_entry // 60 if day else None for day in last] == [17, None, 20, 17, 20, 17, 17]


def test_seasons_of_a_sight_do_not_overlap() -> None:
    days = [date(2024, 1, 1) + timedelta(days=i) for i in range(366)]
    spans = {tuple((s.first, s.last) for s in sight.hours.seasons): sight for _, sight in SIGHTS}
    for sight in spans.values():
        for day in days if len(sight.hours.seasons) > 1 else ():
            assert sum(season.holds(day) for season in sight.hours.seasons) <= 1, (sight.id, day)


def test_food_has_prices_and_short_words() -> None:
    def check(city: City) -> None:
        for food in city.foods:
            assert 0 < food.price_low <= food.price_high, food.id
            assert 0 < len(food.what) <= 30, food.id
            assert food.where_hint, food.id

    every(((city.id, city) for city in CITIES), check)


def test_it_is_facts_not_prose() -> None:
    def check(city: City) -> None:
        for text in _texts(_raw(city)):
            for sentence in re.split(r"[。；！？]", text):
                assert len(sentence) <= 60, text

    every(((city.id, city) for city in CITIES), check)


def test_hours_are_written_for_all_seven_days() -> None:
    def check(city: City) -> None:
        for raw in _raw(city)["attractions"]:
            parse_hours(raw["hours"], raw["id"])
            for season in raw["hours"]["seasons"]:
                assert list(season["weekly"]) == ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], raw["id"]

    every(((city.id, city) for city in CITIES), check)


REST_DAYS: dict[str, int | None] = {
    "故宫": 0,
    "国家博物馆": 0,
    "恭王府": 0,
    "陕西历史博物馆": 0,
    "小雁塔": 1,
    "上海博物馆": 1,
    "成都博物馆": 0,
    "金沙遗址": 0,
    "内蒙古博物院": 0,
    "包头博物馆": 0,
    "东京国立博物馆": 0,
    "景福宫": 1,
    "卢浮宫": 1,
    "奥赛博物馆": 0,
    "托普卡帕宫": 1,
    "圣家堂": None,
    "大巴扎": 6,
    "香港故宫文化博物馆": 1,
    "台北故宫博物院": 0,
}
"""Day of the week a sight is closed, Monday = 0."""


def test_the_weekly_day_of_rest_is_known() -> None:
    def check(case: tuple[str, int | None]) -> None:
        sight, weekday = case
        found = builtin().attraction(sight)
        assert found
        monday = date(2026, 11, 23)
        shut = [i for i in range(7) if not opens_on(found[1].hours, monday + timedelta(days=i))]
        assert shut == ([] if weekday is None else [weekday])

    every(((name, (name, day)) for name, day in REST_DAYS.items()), check)


def test_a_public_holiday_opens_the_palace_on_a_monday() -> None:
    found = builtin().attraction("故宫")
    assert found
    assert not opens_on(found[1].hours, date(2026, 10, 5))
    assert opens_on(found[1].hours, date(2026, 10, 5), public_holiday=True)


def test_prices_follow_the_season() -> None:
    found = builtin().attraction("故宫")
    assert found
    assert found[1].ticket.adult_on(date(2026, 7, 1)) == 60
    assert found[1].ticket.adult_on(date(2026, 12, 1)) == 40
    assert found[1].ticket.adult_on(None) == 60


def test_nothing_is_called_certain_that_was_not_looked_up() -> None:
    """Compiled from general knowledge: only what is free and always open is beyond doubt."""

    def check(case: tuple[City, Attraction]) -> None:
        city, sight = case
        assert city.confidence != "high"
        if sight.confidence == "high":
            assert sight.ticket.adult == 0
            assert all(day == ((0, 1440),) for season in sight.hours.seasons for day in season.weekly)

    every(((sight.id, (city, sight)) for city, sight in SIGHTS), check)


def test_the_leap_day_belongs_to_winter() -> None:
    for _city, sight in SIGHTS:
        ends = {season.last for season in sight.hours.seasons}
        assert "02-28" not in ends, sight.id
        day = date(2028, 2, 29)
        before = opens_on(sight.hours, day - timedelta(days=7))
        assert opens_on(sight.hours, day) or not before, sight.id


NEIGHBOURS = (
    ("天坛", "天安门广场", -1290, 2350),
    ("天安门广场", "故宫", -60, 1445),
    ("天安门广场", "国家博物馆", 310, 45),
    ("故宫", "景山", -35, 865),
    ("景山", "雍和宫", 1765, 2445),
    ("外滩", "东方明珠", 440, 180),
    ("东方明珠", "上海中心", 550, -710),
    ("外滩", "豫园", -290, -1210),
    ("陕西历史博物馆", "大雁塔", 850, -655),
    ("大雁塔", "大唐不夜城", 20, -700),
    ("小雁塔", "陕西历史博物馆", 1205, -1655),
    ("广州塔", "广东省博物馆", 205, 880),
    ("雷峰塔", "河坊街", 1950, 980),
    ("深圳欢乐谷", "深圳世界之窗", -730, -600),
    ("象鼻山", "靖江王城与独秀峰", 300, 1780),
    ("圣索菲亚教堂", "哈尔滨中央大街", -620, 555),
    ("南普陀寺", "沙坡尾", -1135, -155),
)
"""Metres east and north from the first to the second, the same in every datum of a city map.

A chain starts at a place that is right in WGS-84: whoever adds a point copied from a Chinese map breaks its link."""


def test_neighbours_are_in_one_datum() -> None:
    def check(case: tuple[str, str, int, int]) -> None:
        places = [builtin().attraction(name) for name in case[:2]]
        assert places[0]
        assert places[1]
        start, end = (place[1].point for place in places if place)
        east = distance_km(Point(start.lat, start.lon), Point(start.lat, end.lon)) * 1000
        north = distance_km(Point(start.lat, start.lon), Point(end.lat, start.lon)) * 1000
        assert abs(east * (1 if end.lon > start.lon else -1) - case[2]) <= 200
        assert abs(north * (1 if end.lat > start.lat else -1) - case[3]) <= 200

    every(((f"{case[0]}-{case[1]}", case) for case in NEIGHBOURS), check)


def test_shapes_of_maps_are_few_small_and_where_their_city_is() -> None:
    raw = json.loads((data_dir() / "map_shapes.json").read_text(encoding="utf-8"))
    assert raw["note"]
    wrong = []
    for id, shapes in raw["cities"].items():
        city = next((city for city in builtin().cities if city.id == id), None)
        if city is None or len(shapes) > MOST_SHAPES:
            wrong.append((id, len(shapes)))
            continue
        for shape in shapes:
            near = [distance_km(city.point, Point(lat, lon)) < 40 for lat, lon in shape["points"]]
            if shape["kind"] not in KINDS or not 2 <= len(near) <= MOST_CORNERS or not all(near):
                wrong.append((id, shape["name_en"]))
    assert wrong == []


def test_no_two_facts_of_the_data_contradict_each_other() -> None:
    assert list(contradictions()) == []


def test_areas_to_stay_lie_at_sights_of_their_city_and_are_found_by_name() -> None:
    wrong, count = [], 0
    for city in builtin().cities:
        for area in areas_of(city):
            count += 1
            at = sight_at(city, area)
            if at is None or area_of(city, area.name_zh) is not at or not (area.what_zh and area.what_en):
                wrong.append((city.id, area.name_zh))
    assert wrong == []
    assert count > 100


def test_students_and_the_old_are_told_what_is_usual_where_a_ticket_costs_something() -> None:
    beijing = builtin().city("beijing")
    assert beijing is not None
    told = {sight.id: concessions(beijing, sight, "zh_CN") for sight in beijing.attractions}
    assert "半价" in told["beijing.forbidden_city"]
    assert told["beijing.national_museum"] == told["beijing.universal"] == ""
    assert "half price" in concessions(beijing, beijing.attractions[0], "en")
