"""From a typed price to a run that stops at its budget in money, over a real connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.run.chat_model import Usage
from app.core.run.event_line import Stamped
from app.core.run.events import BudgetLevel, LoopEnd, LoopError, Notice
from app.core.run.price import Price, cost_of
from app.services.container import Services
from app.services.providers.service import ProviderEntry
from app.services.runs.run_options import RunOptions
from tests.fakes import of
from tests.grammar import check_grammar
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks

USAGE = {"prompt_tokens": 100_000, "completion_tokens": 10_000}
"""At 1 and 10 a million: 0.2 a request."""


def turn(n: int) -> dict[str, Any]:
    return {"tool_calls": [{"name": "calculator", "arguments": {"expression": f"{n}*7"}}], "usage": USAGE}


TURNS = [turn(1), turn(2), {"content": "It is 14.", "usage": USAGE}]


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    made = build(tmp_path / "data", {})
    await made.open()
    yield made
    await made.close()


async def ask(services: Services, server: FaultServer, price: Price | None, **settings: Any) -> list[Stamped]:
    prices = {"test-model": price} if price else {}
    currency = price.currency if price else "CNY"
    entry = ProviderEntry("mine", "custom", "Mine", server.base_url, ("test-model",), currency=currency, prices=prices)
    await services.providers.save_provider(entry)
    session = await services.sessions.create("assistant", model="mine/test-model")
    options = RunOptions(mode="react", interactive=False, overrides={"enable_reflection": False, **settings})
    run = await services.chat.send(session.id, "2*7?", options=options)
    lines = [line async for line in run.events()]
    check_grammar(lines)
    await services.chat.recorded()
    return lines


async def test_a_budget_in_money_warns_and_ends_the_run(services: Services) -> None:
    async with FaultServer(speaks(TURNS, repeat_last=True)) as server:
        lines = await ask(services, server, Price(1.0, 10.0, currency="USD"), budget={"money": 0.41})
    levels = of(lines, BudgetLevel)
    assert (levels[0].kind, levels[0].level) == ("money", "warn")
    assert levels[0].used == pytest.approx(0.4)
    assert isinstance(lines[-1].event, LoopEnd | LoopError)
    assert len(server.chats) == 3


async def test_what_a_run_cost_is_found_from_what_is_stored(services: Services) -> None:
    async with FaultServer(speaks(TURNS)) as server:
        await ask(services, server, Price(1.0, 10.0, currency="USD"))
    spent = [(row.model, Usage(row.usage["input"], row.usage["output"])) for row in await services.runs.rows()]
    money, is_whole = cost_of(spent, services.models.price)
    assert is_whole
    assert money["USD"] == pytest.approx(0.6)
    usage = await services.runs.usage()
    assert [(row.model, row.input, row.cached) for row in usage] == [("mine/test-model", 300_000, 0)]


async def test_a_money_budget_without_a_price_says_that_it_cannot_count(services: Services) -> None:
    async with FaultServer(speaks(TURNS)) as server:
        lines = await ask(services, server, None, budget={"money": 0.01})
    assert [notice.params["model"] for notice in of(lines, Notice) if notice.code == "no_price"] == ["mine/test-model"]
    assert of(lines, BudgetLevel) == []
    assert isinstance(lines[-1].event, LoopEnd)


async def test_prices_and_traits_of_a_model_are_kept_and_used(services: Services, tmp_path: Path) -> None:
    entry = ProviderEntry(
        "mine",
        "custom",
        "Mine",
        "http://127.0.0.1:9/v1",
        ("a", "b"),
        currency="EUR",
        prices={"a": Price(1.5, 6.0, 0.15, "EUR")},
        model_traits={"a": {"tools": "none", "think_prefilled": True, "context_chars": 9_000}},
        headers={"X-Org": "me"},
        ca_file="",
    )
    await services.providers.save_provider(entry)
    again = build(tmp_path / "data", {})
    read = again.providers.providers()[0]
    assert (read.prices, read.currency, read.headers) == (entry.prices, "EUR", {"X-Org": "me"})
    assert read.model_traits == entry.model_traits
    assert again.models.price("mine/a") == Price(1.5, 6.0, 0.15, "EUR")
    assert (again.models.price("mine/b"), again.models.price("nobody/b")) == (None, None)
    model = await again.models.choose(again.settings.profile("assistant"), wanted="mine/a")
    other = await again.models.choose(again.settings.profile("assistant"), wanted="mine/b")
    assert (model.traits.tools, model.traits.think_prefilled, model.traits.context_chars) == ("none", True, 9_000)
    assert other.traits.tools == "native"
    assert again.providers.traits(read, "a").tools == "native"
    await again.models.close()
