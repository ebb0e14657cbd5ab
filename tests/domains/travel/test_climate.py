"""Usual temperatures: there for every city, plausible, and what one chooses and packs by."""

from __future__ import annotations

from collections.abc import Sequence

from app.domains.travel.model.climate import distance_from, mean_temperature, told, year_of
from app.domains.travel.model.dataset import builtin
from tests.domains.travel.fixture_city import Call
from tests.every import looped

CITIES = builtin().cities


def steps(months: Sequence[int]) -> list[int]:
    return [abs(a - b) for a, b in zip(months, [*months[1:], months[0]], strict=True)]


@looped("city", CITIES, ids=lambda city: city.id)
def test_every_city_has_a_plausible_year(city: object) -> None:
    record = next(each for each in CITIES if each is city)
    months = year_of(record.id)
    assert months is not None
    assert len(months) == 12
    assert min(months) >= -28
    assert max(months) <= 38
    assert max(steps(months)) <= 18
    warmest = months.index(max(months)) + 1
    if abs(record.point.lat) > 23.5:
        assert warmest in ((6, 7, 8, 9) if record.point.lat > 0 else (12, 1, 2)), record.id


def test_the_colder_city_is_the_colder_one_in_january() -> None:
    order = ["hulunbuir", "harbin", "beijing", "shanghai", "guangzhou", "sanya", "singapore"]
    means = [mean_temperature(city, 1) or 0 for city in order]
    assert means == sorted(means)


def test_warm_and_cool_are_told_apart() -> None:
    assert distance_from("warm", "sanya", [1]) is not None
    assert distance_from("warm", "harbin", [1]) is None
    assert distance_from("warm", "dubai", [7]) is None
    assert distance_from("cool", "kunming", [7]) is not None
    assert distance_from("cool", "wuhan", [7]) is None
    assert told("sanya", [1], "zh_CN") == "1月均温约22℃"
    assert told("nowhere", [1], "zh_CN") == ""


def test_warm_cities_are_found_for_the_month(call_all: Call) -> None:
    found = call_all("search_cities", climate="warm", month=1, limit=20).data["cities"]
    names = {each["id"] for each in found}
    assert "sanya" in names
    assert not names & {"beijing", "harbin", "paris"}
    assert all("1月均温约" in "".join(each["match_reasons"]) for each in found)


def test_where_nothing_is_warm_that_is_said(call_all: Call) -> None:
    found = call_all("search_cities", climate="warm", month=1, region="东北").data
    assert found["cities"] == []
    assert found["unmatched_filters"]


def test_what_people_call_a_part_of_the_world_is_known(call_all: Call) -> None:
    def ids(region: str) -> set[str]:
        return {each["id"] for each in call_all("search_cities", region=region, limit=20).data["cities"]}

    assert {"paris", "rome", "london"} <= ids("欧洲")
    assert {"hangzhou", "suzhou", "shanghai"} <= ids("江浙沪")
    assert {"bangkok", "singapore", "kuala_lumpur", "bali", "da_nang", "siem_reap"} <= ids("Southeast Asia")
    assert not {"tokyo", "hongkong", "sydney"} & ids("Southeast Asia")


def test_a_city_tells_its_month_or_its_year(call_all: Call) -> None:
    assert call_all("get_city_info", city="哈尔滨", month=12).data["city"]["temperature"] == "12月均温约-16℃"
    assert "1月约-18℃" in call_all("get_city_info", city="哈尔滨").data["city"]["temperature"]
