"""The budget, to the unit."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import ToolError
from app.domains.travel.model.budget import Party, Stay, calculate
from app.domains.travel.model.dataset import Dataset, builtin
from app.domains.travel.model.rates import rates
from app.domains.travel.rules.edits import apply
from tests.domains.travel.fixture_city import Call

A4: dict[str, Any] = {"city": "测试城", "days": 3, "adults": 2, "children": [8], "attractions": ["A", "D"]}


def lines(result: Any) -> dict[str, Any]:
    return {line["code"]: line["amount"] for line in result.data["lines"]}


def test_scenario_a4_with_travel_between_cities(call_fixture: Call) -> None:
    result = call_fixture(
        "calculate_budget", **A4, intercity=[{"from": "上海", "to": "测试城", "price_per_person": 200}]
    )
    assert lines(result) == {
        "lodging": 600,
        "food": 780,
        "local": 225,
        "misc": 0,
        "tickets": 163,
        "intercity": 600,
        "contingency": 237,
    }
    assert result.data["subtotal"] == 2368
    assert result.data["contingency"] == 237
    assert result.data["total"] == 2605
    assert result.data["warnings"] == []
    assert result.data["currency"] == "CNY"


def test_scenario_a4_without_travel_between_cities(call_fixture: Call) -> None:
    result = call_fixture("calculate_budget", **A4)
    assert lines(result)["intercity"] is None
    assert result.data["subtotal"] == 1768
    assert result.data["contingency"] == 177
    assert result.data["total"] == 1945
    assert result.data["total_note"] == "excl. intercity"
    assert len(result.data["warnings"]) == 1
    assert "城际交通" in result.data["warnings"][0]


def test_the_card_draws_the_known_lines_and_adds_up_to_the_total(call_fixture: Call) -> None:
    result = call_fixture("calculate_budget", **A4)
    assert result.display is not None
    payload = result.display.payload
    assert payload["chart"]["kind"] == "pie"
    values = [part["value"] for part in payload["chart"]["series"]]
    assert values == [600, 780, 225, 163, 177]
    assert sum(values) == result.data["total"]
    assert [row["amount"] for row in payload["rows"][-3:]] == ["¥1,945", "¥648.33", "¥648.33"]


@pytest.mark.parametrize(
    ("adults", "children", "rooms"),
    [(1, (), 1), (2, (), 1), (3, (), 2), (2, (8,), 1), (2, (8, 5), 2), (4, (3, 4), 2), (4, (3, 4, 5), 3)],
)
def test_rooms_hold_two_adults_and_one_child(adults: int, children: tuple[int, ...], rooms: int) -> None:
    assert Party(adults, children).rooms == rooms


@pytest.mark.parametrize(
    ("age", "food", "local", "misc"),
    [(0, "0", "0", 0), (2, "0", "0", 0), (3, "0.6", "0", 0), (5, "0.6", "0", 0), (6, "0.6", "0.5", 0),
     (11, "0.6", "0.5", 0), (12, "1", "1", 1), (17, "1", "1", 1)],
)  # fmt: skip
def test_a_child_counts_by_age(age: int, food: str, local: str, misc: int) -> None:
    alone, with_child = Party(1), Party(1, (age,))
    assert with_child.food_shares - alone.food_shares == Decimal(food)
    assert with_child.local_shares - alone.local_shares == Decimal(local)
    assert with_child.from_12 - alone.from_12 == misc


def test_half_a_ticket_is_rounded_half_up_and_small_children_are_free(call: Call, call_fixture: Call) -> None:
    assert lines(call_fixture("calculate_budget", **{**A4, "attractions": ["D"]}))["tickets"] == 90 + 23
    zoo = call("calculate_budget", city="北京", days=1, adults=1, children=[5, 6], attractions=["故宫"])
    assert lines(zoo)["tickets"] == 60 + 20


def test_one_day_needs_no_bed(call: Call) -> None:
    assert lines(call("calculate_budget", city="成都", days=1, adults=2))["lodging"] == 0


def test_several_cities_have_their_own_lines(call: Call) -> None:
    result = call(
        "calculate_budget", legs=[{"city": "北京", "nights": 2}, {"city": "西安", "nights": 1}], days=4, adults=2
    )
    found = lines(result)
    assert found["lodging:beijing"] == 2 * 480
    assert found["lodging:xian"] == 350
    assert found["food:beijing"] == 2 * 2 * 160
    assert found["food:xian"] == 2 * 2 * 130
    assert result.data["total"] == sum(amount for amount in found.values() if amount is not None)


def test_nights_must_fit_into_the_days(call: Call) -> None:
    with pytest.raises(ToolError) as caught:
        call("calculate_budget", legs=[{"city": "北京", "nights": 3}, {"city": "西安", "nights": 2}], days=4, adults=2)
    assert caught.value.tool_code == "BAD_ARGUMENTS"


def test_a_line_can_be_given_by_the_user(call: Call) -> None:
    result = call(
        "calculate_budget",
        city="北京",
        days=3,
        adults=2,
        overrides={"lodging": 1234.5, "intercity": 900},
        contingency_pct=0,
    )
    assert lines(result)["lodging"] == 1234.5
    assert lines(result)["intercity"] == 900
    assert result.data["warnings"] == []
    assert result.data["total"] == 1234.5 + 960 + 300 + 240 + 900


def test_an_unknown_line_names_those_there_are(call: Call) -> None:
    with pytest.raises(ToolError) as caught:
        call("calculate_budget", city="北京", days=3, adults=2, overrides={"hotel": 1})
    assert caught.value.tool_code == "BAD_ARGUMENTS"
    assert "overrides.hotel" in caught.value.message
    assert "lodging" in caught.value.hint


def test_a_partly_known_way_keeps_both_the_price_and_the_gap(call: Call) -> None:
    result = call(
        "calculate_budget",
        city="北京",
        days=2,
        adults=2,
        intercity=[{"from": "上海", "to": "北京", "price_per_person": 553}, {"from": "北京", "to": "上海"}],
    )
    assert lines(result)["intercity"] == 1106
    assert lines(result)["intercity_missing"] is None
    assert result.data["warnings"]


@pytest.mark.parametrize(("adults", "rooms"), [(2, 3), (9, 2)])
def test_rooms_that_cannot_be_are_refused(call: Call, adults: int, rooms: int) -> None:
    with pytest.raises(ToolError) as caught:
        call("calculate_budget", city="北京", days=2, adults=adults, rooms=rooms)
    assert caught.value.tool_code == "BAD_PARTY"


def test_an_unknown_sight_is_refused_with_suggestions(call: Call) -> None:
    with pytest.raises(ToolError) as caught:
        call("calculate_budget", city="北京", days=2, adults=2, attractions=["故官"])
    assert caught.value.tool_code == "UNKNOWN_PLACE"
    assert "故宫博物院" in caught.value.hint


def test_another_currency_is_a_marked_estimate_and_the_lines_stay_as_they_are(call: Call) -> None:
    plain = call("calculate_budget", city="北京", days=2, adults=2)
    result = call("calculate_budget", city="北京", days=2, adults=2, currency="EUR")
    assert result.data["currency"] == "CNY"
    assert result.data["lines"] == plain.data["lines"]
    converted = result.data["converted"]
    assert converted["currency"] == "EUR"
    assert converted["estimate"] is True
    assert converted["total"] == pytest.approx(plain.data["total"] / 8.3, rel=0.01)
    assert any(converted["rate_as_of"] in warning and "粗略" in warning for warning in result.data["warnings"])


def test_a_currency_without_a_rate_is_not_invented(call: Call) -> None:
    result = call("calculate_budget", city="北京", days=2, adults=2, currency="XAU")
    assert result.data["converted"] is None
    assert any("XAU" in warning for warning in result.data["warnings"])


def test_every_currency_of_the_cities_has_a_rate_within_reason() -> None:
    for city in builtin().cities:
        yuan = rates().converted(city.daily_cost["comfort"].per_person, city.currency)
        assert yuan is not None, city.currency
        assert 200 <= yuan <= 3_000, f"{city.id}: a comfortable day for {yuan} yuan"


def test_a_season_s_ticket_is_paid_in_its_season(call_all: Call) -> None:
    cheap = call_all("calculate_budget", city="北京", days=1, adults=1, attractions=["故宫"], start_date="2026-12-08")
    dear = call_all("calculate_budget", city="北京", days=1, adults=1, attractions=["故宫"], start_date="2026-07-08")

    assert (lines(cheap)["tickets"], lines(dear)["tickets"]) == (40, 60)


@given(
    days=st.integers(1, 60),
    adults=st.integers(1, 30),
    children=st.lists(st.integers(0, 17), max_size=6),
    tier=st.sampled_from(["economy", "comfort", "luxury"]),
    pct=st.integers(0, 50),
    city=st.sampled_from(builtin().cities),
)
def test_the_total_is_the_sum_of_the_lines(
    days: int, adults: int, children: list[int], tier: str, pct: int, city: Any
) -> None:
    budget = calculate(
        [Stay(city, days - 1, days)],
        Party(adults, tuple(children)),
        tier,
        attractions=city.attractions,
        contingency_pct=Decimal(pct),
    )
    amounts = [line.amount for line in budget.lines if line.amount is not None]
    assert budget.total == sum(amounts)
    assert budget.subtotal + budget.contingency == budget.total
    assert all(amount >= 0 for amount in amounts)
    for line in budget.lines:
        if line.qty is not None and line.unit_price is not None:
            assert line.amount == line.qty * line.unit_price


def test_the_fixture_is_the_one_of_the_scenario(fixture_dataset: Dataset) -> None:
    city = fixture_dataset.cities[0]
    assert [sight.ticket.adult for sight in city.attractions] == [20, 0, 0, 45]


def test_a_shared_ticket_is_paid_once(call_all: Call) -> None:
    """In a plan, after an edit, in the budget and in the check, whichever of its sights comes first."""
    names = ["张家界国家森林公园", "袁家界与天子山"]
    result = call_all("generate_route", city="zhangjiajie", days=3, start_date="2027-05-11", must_see=names)
    itinerary = result.data["itinerary"]

    def costs(plan: Any) -> list[int]:
        return [s["cost"] for day in plan["days_list"] for s in day["stops"] if s["name"] in names]

    assert sorted(costs(itinerary)) == [0, 450]
    for day in itinerary["days_list"]:
        assert day["totals"]["cost"] == sum(stop["cost"] or 0 for stop in day["stops"])
    assert not [v for v in call_all("check_itinerary", itinerary=itinerary).data["violations"] if v["code"] == "V12"]
    paid = next(s["name"] for d in itinerary["days_list"] for s in d["stops"] if s["name"] in names and s["cost"])
    edited = apply(itinerary, [{"op": "remove", "stop": paid}], builtin(), "zh_CN").itinerary
    assert costs(edited) == [450]
    ids = ["zhangjiajie.yuanjiajie", "zhangjiajie.zjj_forest_park"]
    budget = call_all(
        "calculate_budget", city="zhangjiajie", days=2, adults=2, attractions=ids, start_date="2027-05-11"
    )
    assert next(line["amount"] for line in budget.data["lines"] if line["code"] == "tickets") == 450
