"""Budgets: 80 % warns, 100 % is the last request, 110 % ends the run."""

from __future__ import annotations

import json

import pytest

from app.agent.budget import Spending
from app.agent.run import Run
from app.core.chat_model import Usage
from app.core.events import BudgetLevel
from app.core.profile import Budget
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
    assert (spending.is_used_up, spending.is_overdrawn) == (True, False)
    spending.usage = Usage(110, 0)
    assert spending.is_overdrawn


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
