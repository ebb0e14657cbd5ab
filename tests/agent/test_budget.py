"""Budgets: 80 % warns, 100 % is the last request, 110 % ends the run."""

from __future__ import annotations

import json

import pytest

from app.agent.budget import Spending, Used, WiderBudget
from app.agent.run import Run
from app.core.profile import Budget
from app.core.run.chat_model import Usage
from app.core.run.events import BudgetLevel
from tests.fakes import MODES_BY_ID, Kit, call, calls, context, end_of, error_of, finish, of, run_mode, says, scripted


def used(tokens: int) -> dict[str, int]:
    return {"input": tokens, "output": 0}


def test_each_level_is_told_once() -> None:
    spending = Spending(Budget(tokens=100))
    assert list(spending.new_levels()) == []
    spending.usage = Usage(79, 0)
    assert list(spending.new_levels()) == []
    spending.usage = Usage(80, 0)
    assert list(spending.new_levels()) == [BudgetLevel("tokens", 80, 100, "warn")]
    assert list(spending.new_levels()) == []
    spending.usage = Usage(60, 40)
    assert list(spending.new_levels()) == [BudgetLevel("tokens", 100, 100, "pause")]
    assert list(spending.new_levels()) == []
    assert (spending.is_used_up, spending.overdrawn) == (True, None)
    spending.usage = Usage(110, 0)
    assert spending.overdrawn == "run"


def test_a_raised_limit_counts_from_there() -> None:
    spending = Spending(Budget(tool_calls=2))
    spending.tool_calls = 2
    assert [level.level for level in spending.new_levels()] == ["pause"]
    spending.raise_limit("tool_calls", 10)
    assert not spending.is_used_up
    assert list(spending.new_levels()) == []


@pytest.mark.parametrize("kind", ["tokens", "seconds", "tool_calls", "money"])
def test_every_kind_of_budget_is_watched(kind: str) -> None:
    spending = Spending(Budget(**{kind: 10}))
    spending.usage, spending.seconds, spending.tool_calls, spending.money = Usage(10, 0), 10.0, 10, {"CNY": 10.0}
    assert [(level.kind, level.level) for level in spending.new_levels()] == [(kind, "pause")]


def test_without_a_budget_nothing_is_watched() -> None:
    spending = Spending(None, Usage(10**9, 0), tool_calls=10**6)
    assert list(spending.new_levels()) == []
    assert not spending.is_used_up


def test_the_session_and_the_day_count_what_was_used_before() -> None:
    session = WiderBudget("session", Budget(tokens=100), Used(tokens=60))
    day = WiderBudget("day", Budget(tool_calls=10), Used(tool_calls=7))
    spending = Spending(Budget(tokens=1_000), wider=(session, day))
    assert list(spending.new_levels()) == []
    spending.usage, spending.tool_calls = Usage(20, 0), 1
    assert list(spending.new_levels()) == [
        BudgetLevel("tokens", 80, 100, "warn", "session"),
        BudgetLevel("tool_calls", 8, 10, "warn", "day"),
    ]
    spending.usage = Usage(40, 0)
    assert list(spending.new_levels()) == [BudgetLevel("tokens", 100, 100, "pause", "session")]
    spending.raise_limit("tokens", 200, "session")
    assert list(spending.new_levels()) == []
    assert not spending.is_used_up
    assert session.raised == {"tokens": 200}, "the next run of the session has it too"
    spending.usage = Usage(170, 0)
    assert spending.overdrawn == "session"


def test_runs_at_the_same_time_use_up_the_same_day() -> None:
    raised: dict[str, float] = {}
    one, other = (Spending(wider=(WiderBudget("day", Budget(tokens=100), raised=raised),)) for _n in range(2))
    one.wider[0].beside.append(other)
    other.wider[0].beside.append(one)
    one.usage, other.usage = Usage(50, 0), Usage(50, 0)
    pause = [BudgetLevel("tokens", 100, 100, "pause", "day")]
    assert list(one.new_levels()) == pause
    assert list(other.new_levels()) == pause
    one.raise_limit("tokens", 110, "day")
    assert not other.is_used_up, "raised for today, so for both"
    assert list(other.new_levels()) == [BudgetLevel("tokens", 100, 110, "warn", "day")], "told for the new limit"


def test_a_limit_that_is_not_raised_asks_again() -> None:
    spending = Spending(Budget(tool_calls=2), tool_calls=2)
    assert [level.level for level in spending.new_levels()] == ["pause"]
    spending.raise_limit("tool_calls", 0)
    assert list(spending.new_levels()) == [BudgetLevel("tool_calls", 2, 2, "pause")]


def used_before(tokens: float) -> Spending:
    return Spending(wider=(WiderBudget("session", Budget(tokens=100), Used(tokens=tokens)),))


@pytest.mark.parametrize("mode", ["direct", "react", "plan"])
async def test_a_session_used_up_before_the_run_gets_one_request_without_tools(mode: str) -> None:
    model = scripted(says("what I know"))
    lines = await run_mode(mode, model, spending=used_before(104))
    assert of(lines, BudgetLevel) == [BudgetLevel("tokens", 104, 100, "pause", "session")]
    assert [bool(request.tools) for request in model.requests] == [False]
    assert end_of(lines).answer == "what I know"


@pytest.mark.parametrize("mode", ["direct", "react", "plan"])
async def test_a_session_overdrawn_before_the_run_ends_it_without_a_request(mode: str) -> None:
    model = scripted(says("never"))
    lines = await run_mode(mode, model, spending=used_before(110))
    error = error_of(lines)
    assert (error.reason, error.error.code, len(model.requests)) == ("budget", "BUDGET_SESSION", 0)


@pytest.mark.parametrize("mode", ["direct", "react", "plan"])
async def test_where_somebody_is_there_a_used_up_session_asks_before_the_first_request(mode: str) -> None:
    model = scripted(says("an answer"))
    spending = used_before(150)
    run = Run(context(model, spending=spending, interactive=True), MODES_BY_ID[mode]).start()
    async for line in run.events():
        if isinstance(line.event, BudgetLevel):
            assert model.requests == []
            run.answer_now()
    lines = await finish(run)
    assert [level.level for level in of(lines, BudgetLevel)] == ["pause"]
    assert end_of(lines).answer == "an answer"
    assert not model.requests[0].tools


async def test_answer_now_is_said_once_for_all_budgets() -> None:
    spending = used_before(150)
    spending.wider += (WiderBudget("day", Budget(tokens=10), Used(tokens=20)),)
    run = Run(context(scripted(says("an answer")), spending=spending, interactive=True), MODES_BY_ID["react"]).start()
    async for line in run.events():
        if isinstance(line.event, BudgetLevel):
            run.answer_now()
    assert [level.scope for level in of(await finish(run), BudgetLevel)] == ["session"]


async def test_at_the_limit_comes_a_last_request_without_tools() -> None:
    kit = Kit()
    model = scripted(
        {**call("add", a=1), "usage": used(85)}, {**call("add", a=2), "usage": used(20)}, says("so far: 3")
    )  # fmt: skip
    lines = await run_mode("react", model, kit.tools, budget=Budget(tokens=100))
    assert [level.level for level in of(lines, BudgetLevel)] == ["warn", "pause"]
    assert [bool(request.tools) for request in model.requests] == [True, True, False]
    assert (end_of(lines).stop_reason, end_of(lines).answer) == ("budget", "so far: 3")


async def test_far_over_the_limit_the_run_ends_without_a_further_request() -> None:
    model = scripted({**call("add", a=1), "usage": used(200)}, says("never"))
    lines = await run_mode("react", model, budget=Budget(tokens=100))
    error = error_of(lines)
    assert (error.reason, error.error.code, len(model.requests)) == ("budget", "BUDGET", 1)


async def test_tool_calls_are_counted_when_they_run() -> None:
    model = scripted(calls(("add", {"a": 1}), ("add", {"a": 1}), ("broken", {})), says("ok"))
    lines = await run_mode("react", model, budget=Budget(tool_calls=2))
    assert of(lines, BudgetLevel)[-1] == BudgetLevel("tool_calls", 2, 2, "pause"), "the repeat did not run"
    assert end_of(lines).stop_reason == "budget"


async def test_a_plan_stops_working_at_its_limit_and_answers() -> None:
    kit = Kit()
    steps = [{"action": "save", "params": {"text": text}} for text in "ab"]
    model = scripted(says(json.dumps({"goal": "g", "steps": steps})), says("one of two"))
    lines = await run_mode("plan", model, kit.tools, budget=Budget(tool_calls=1))
    assert len(kit.ran) == 1
    assert (end_of(lines).stop_reason, end_of(lines).answer) == ("budget", "one of two")


@pytest.mark.parametrize("press", ["raise", "answer_now", "cancel"])
async def test_where_somebody_is_there_a_used_up_budget_waits_for_them(press: str) -> None:
    model = scripted({**call("add", a=1), "usage": used(100)}, says("answered"))
    run = Run(context(model, budget=Budget(tokens=100), interactive=True), MODES_BY_ID["react"]).start()
    async for line in run.events():
        if isinstance(line.event, BudgetLevel) and line.event.level == "pause":
            {"raise": lambda: run.raise_budget(1_000.0), "answer_now": run.answer_now, "cancel": run.cancel}[press]()
    lines = await finish(run)
    if press == "cancel":
        assert error_of(lines).reason == "cancelled"
        return
    assert end_of(lines).answer == "answered"
    assert bool(model.requests[1].tools) is (press == "raise")
