"""The smoke alarm of P10, P11 and P17: the short forms, with twice the goal, because test machines are busy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.benchmarks import search, store
from tests.floor import alarm


def stays_cheap(measure: Callable[[], Coroutine[Any, Any, dict[str, Any]]]) -> None:
    alarm(lambda: asyncio.run(measure()), lambda figure: bool(figure["ok"]))


@pytest.mark.soak
def test_searching_stays_cheap() -> None:
    stays_cheap(lambda: search.measure(search.SHORT_MESSAGES, 2 * search.GOAL, pairs=5))


def test_storing_an_event_stays_cheap() -> None:
    stays_cheap(lambda: store.events(5, widened=2.0))


def test_R33_a_history_nine_times_as_large_starts_opens_and_appends_as_fast() -> None:
    stays_cheap(lambda: store.history(widened=2.0))


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_much_costs_hardly_more_than_little() -> None:
    stays_cheap(lambda: store.many(short=True, widened=2.0))


@pytest.mark.soak
@pytest.mark.timeout(7_200)
def test_R33_a_million_messages_start_open_search_and_delete_as_ten_thousand_do() -> None:
    result = asyncio.run(store.many(short=False, widened=1.0))
    assert result["ok"], result
    assert all(result[name] <= 2 for name in store.FURTHER), result
