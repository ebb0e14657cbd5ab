"""Money from tokens, by prices a person typed."""

from __future__ import annotations

import pytest

from app.core.run.chat_model import Usage
from app.core.run.price import Price, cost_of, money_text

CHEAP = Price(input=2.0, output=8.0, cached=0.5, currency="CNY")
DEAR = Price(input=10.0, output=30.0, currency="USD")


def test_each_kind_of_token_has_its_price() -> None:
    assert CHEAP.cost(Usage(1_000_000, 0)) == 2.0
    assert CHEAP.cost(Usage(0, 1_000_000, reasoning=900_000)) == 8.0
    assert CHEAP.cost(Usage(1_000_000, 0, cached=400_000)) == pytest.approx(0.6 * 2 + 0.4 * 0.5)


def test_without_a_price_of_its_own_the_cache_costs_as_any_other() -> None:
    assert DEAR.cost(Usage(1_000_000, 0, cached=1_000_000)) == 10.0


def test_more_from_the_cache_than_was_read_costs_no_less_than_nothing() -> None:
    assert CHEAP.cost(Usage(10, 0, cached=10_000)) == pytest.approx(10 * 0.5 / 1_000_000)


def test_currencies_stay_apart_and_what_has_no_price_is_told() -> None:
    prices = {"a": CHEAP, "b": DEAR, "rules": Price(0, 0, currency="")}
    spent = [("a", Usage(1_000_000, 0)), ("b", Usage(1_000_000, 0)), ("a", Usage(500_000, 0))]
    assert cost_of(spent, prices.get) == ({"CNY": 3.0, "USD": 10.0}, True)
    assert cost_of([*spent, ("c", Usage(1, 0))], prices.get)[1] is False
    assert cost_of([("c", Usage())], prices.get) == ({}, True)
    assert cost_of([("rules", Usage(9, 9))], prices.get) == ({}, True)


@pytest.mark.parametrize(
    ("money", "text"),
    [
        ({"CNY": 1234.5}, "¥1,234.50"),
        ({"USD": 0.0123}, "$0.012"),
        ({"USD": 0.00001}, "$0.000010"),
        ({"USD": 0.0}, "$0.00"),
        ({"SEK": 3.0, "EUR": 0.5}, "3.00 SEK + €0.50"),
    ],
)
def test_small_amounts_keep_figures_that_say_something(money: dict[str, float], text: str) -> None:
    assert money_text(money) == text
