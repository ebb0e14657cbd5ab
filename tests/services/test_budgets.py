"""Budgets of sessions and days: what stored runs have used counts, what is raised holds (product.md M10)."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.agent.run import Run
from app.compose import build
from app.core.profile import Budget
from app.core.run.chat_model import Usage
from app.core.run.event_line import Stamped
from app.core.run.events import BudgetLevel, LoopEnd, LoopError
from app.core.run.price import Price
from app.services.container import Services
from app.services.providers.service import ProviderEntry
from app.services.runs.run_options import RunOptions
from tests.fakes import call, of, says
from tests.grammar import check_grammar
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    made = build(tmp_path / "data", {})
    await made.open()
    yield made
    await made.close()


async def limit(services: Services, **budgets: Budget | None) -> None:
    await services.settings.save_preferences(services.settings.preferences.model_copy(update=budgets))


def script(tmp_path: Path, *turns: dict[str, Any]) -> str:
    path = tmp_path / f"script{time.monotonic_ns()}.json"
    path.write_text(json.dumps({"turns": turns}), encoding="utf-8")
    return f"script/{path}"


def costs(tokens: int) -> dict[str, Any]:
    return {**says("said"), "usage": {"input": tokens, "output": 0}}


async def begin(services: Services, session: str, ref: str, *, interactive: bool = False, **settings: Any) -> Run:
    options = RunOptions(
        mode="react", model=ref, interactive=interactive, approve="all",
        overrides={"enable_reflection": False, **settings},
    )  # fmt: skip
    return await services.chat.send(session, "and?", options=options)


async def ask(services: Services, session: str, ref: str, **settings: Any) -> list[Stamped]:
    run = await begin(services, session, ref, **settings)
    lines = [line async for line in run.events()]
    check_grammar(lines)
    await services.chat.recorded()
    return lines


async def new_session(services: Services, *, temporary: bool = False) -> str:
    return (await services.sessions.create("assistant", temporary=temporary)).id


@pytest.mark.parametrize("temporary", [False, True])
async def test_a_session_warns_gives_a_last_answer_and_ends(
    services: Services, tmp_path: Path, temporary: bool
) -> None:
    await limit(services, session_budget=Budget(tokens=100))
    session = await new_session(services, temporary=temporary)
    assert of(await ask(services, session, script(tmp_path, costs(85))), BudgetLevel) == []
    second = await ask(services, session, script(tmp_path, costs(17)))
    assert of(second, BudgetLevel) == [BudgetLevel("tokens", 85, 100, "warn", "session")]
    third = await ask(services, session, script(tmp_path, costs(20)))
    assert of(third, BudgetLevel) == [BudgetLevel("tokens", 102, 100, "pause", "session")]
    assert isinstance(third[-1].event, LoopEnd)
    fourth = await ask(services, session, script(tmp_path, costs(1)))
    end = fourth[-1].event
    assert isinstance(end, LoopError)
    assert (end.reason, end.error.code, end.steps) == ("budget", "BUDGET_SESSION", 0)
    other = await ask(services, await new_session(services), script(tmp_path, costs(1)))
    assert of(other, BudgetLevel) == [], "another session has its own"


async def test_a_day_counts_all_sessions_the_temporary_too(services: Services, tmp_path: Path) -> None:
    await ask(services, await new_session(services), script(tmp_path, costs(50)))
    await ask(services, await new_session(services, temporary=True), script(tmp_path, costs(40)))
    await limit(services, day_budget=Budget(tokens=100))
    lines = await ask(services, await new_session(services), script(tmp_path, costs(1)))
    assert of(lines, BudgetLevel) == [BudgetLevel("tokens", 90, 100, "warn", "day")]


async def test_yesterday_does_not_count_for_today(services: Services, tmp_path: Path) -> None:
    session = await new_session(services)
    await ask(services, session, script(tmp_path, costs(200)))
    a_day = 25 * 3_600
    await services.database.write(lambda cursor: cursor.execute("UPDATE run SET started = started - ?", (a_day,)))
    await limit(services, day_budget=Budget(tokens=100))
    assert of(await ask(services, session, script(tmp_path, costs(1))), BudgetLevel) == []


async def test_tool_calls_of_earlier_runs_count(services: Services, tmp_path: Path) -> None:
    await limit(services, session_budget=Budget(tool_calls=2))
    session = await new_session(services)
    await ask(services, session, script(tmp_path, call("calculator", expression="1"), says("one")))
    lines = await ask(services, session, script(tmp_path, call("calculator", expression="2"), says("two")))
    assert of(lines, BudgetLevel) == [BudgetLevel("tool_calls", 2, 2, "pause", "session")]


async def test_what_is_raised_holds_for_the_session_and_no_other(services: Services, tmp_path: Path) -> None:
    await limit(services, session_budget=Budget(tokens=100))
    session = await new_session(services)
    await ask(services, session, script(tmp_path, costs(150)))
    run = await begin(services, session, script(tmp_path, costs(10)), interactive=True)
    levels = []
    async for line in run.events():
        if isinstance(line.event, BudgetLevel):
            levels.append(line.event)
            run.raise_budget(1_000.0)
    assert levels == [BudgetLevel("tokens", 150, 100, "pause", "session")]
    await services.chat.recorded()
    assert of(await ask(services, session, script(tmp_path, costs(1))), BudgetLevel) == []
    other = await new_session(services)
    await ask(services, other, script(tmp_path, costs(105)))
    assert [level.level for level in of(await ask(services, other, script(tmp_path, costs(1))), BudgetLevel)] == [
        "pause"
    ]


async def test_runs_at_the_same_time_use_up_one_day(services: Services, tmp_path: Path) -> None:
    await limit(services, day_budget=Budget(tool_calls=3))
    steps = [{**call("calculator", expression=str(n)), "delay": 0.01} for n in range(2)]
    ref = script(tmp_path, *steps, says("end"))
    runs = [await begin(services, await new_session(services), ref) for _n in range(2)]
    lines = [line for run in runs async for line in run.events()]
    levels = {(level.scope, level.level) for level in of(lines, BudgetLevel)}
    assert ("day", "pause") in levels, "neither would be stopped alone"


async def test_money_of_earlier_runs_counts_by_typed_prices(services: Services) -> None:
    usage = {"prompt_tokens": 100_000, "completion_tokens": 10_000}
    await limit(services, session_budget=Budget(money=0.5))
    async with FaultServer(speaks([{"content": "said", "usage": usage}], repeat_last=True)) as server:
        prices = {"test-model": Price(1.0, 10.0, currency="USD")}
        await services.providers.save_provider(
            ProviderEntry("mine", "custom", "Mine", server.base_url, ("test-model",), currency="USD", prices=prices)
        )
        session = await new_session(services)
        runs = [await ask(services, session, "mine/test-model") for _n in range(3)]
    assert [of(lines, BudgetLevel) for lines in runs[:2]] == [[], []]
    (level,) = of(runs[2], BudgetLevel)
    assert (level.kind, level.scope, level.level, level.used) == ("money", "session", "warn", pytest.approx(0.4))
    end = runs[0][-1].event
    assert isinstance(end, LoopEnd)
    assert (end.money or {})["USD"] == pytest.approx(0.2)
    assert "money" in runs[0][-1].to_json()


async def test_without_prices_the_end_of_a_run_says_nothing_of_money(services: Services, tmp_path: Path) -> None:
    lines = await ask(services, await new_session(services), script(tmp_path, costs(10)))
    assert "money" not in lines[-1].to_json()
    assert lines[-1].event.usage == Usage(10, 0)  # type: ignore[union-attr]  # the last event has it


async def test_budgets_are_kept_in_the_preferences(services: Services, tmp_path: Path) -> None:
    await limit(services, session_budget=Budget(tokens=100), day_budget=Budget(seconds=3_600, money=2.5))
    read = build(tmp_path / "data", {}).settings.preferences
    assert (read.session_budget, read.day_budget) == (Budget(tokens=100), Budget(seconds=3_600, money=2.5))
    await limit(services, session_budget=None)
    assert build(tmp_path / "data", {}).settings.preferences.session_budget is None
