"""The smoke alarm of P10, P11 and P17: the short forms, with twice the goal, because test machines are busy."""

from __future__ import annotations

import pytest

from tests.benchmarks import search, store


async def test_searching_stays_cheap() -> None:
    result = await search.measure(search.SHORT_MESSAGES, 2 * search.GOAL, pairs=9)
    assert result["ok"], result


async def test_storing_an_event_stays_cheap() -> None:
    result = await store.events(5, widened=2.0)
    assert result["ok"], result


async def test_R33_a_history_three_times_as_large_starts_opens_and_appends_as_fast() -> None:
    # Of fewer than 5,000 messages there is no session s50, which the rounds open.
    result = await store.many(short=True, widened=2.0, counts=(6_000, 18_000))
    assert result["ok"], result


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_much_costs_hardly_more_than_little() -> None:
    result = await store.many(short=True, widened=2.0)
    assert result["ok"], result
