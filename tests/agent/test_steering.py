"""What the person does while a plan runs, and when a budget is used up."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from app.agent.request.history import turns_of
from app.agent.run import Run
from app.core.profile import Budget
from app.core.run.chat_model import AssistantTurn, UserTurn
from app.core.run.event_line import Stamped
from app.core.run.events import (
    Approval,
    BudgetLevel,
    PlanMade,
    PlanStepChanged,
    Steered,
    Token,
    ToolReturned,
    ToolStarted,
)
from app.core.run.transcript import fold
from tests.fakes import MODES_BY_ID, Kit, call, context, end_of, events, finish, of, run_mode, says, scripted


def plan_of(*steps: dict[str, Any]) -> dict[str, Any]:
    return says(json.dumps({"goal": "g", "steps": list(steps)}))


def adding(n: int, a: object, **more: Any) -> dict[str, Any]:
    return {"step": n, "action": "add", "params": {"a": a}, **more}


THREE = plan_of(adding(1, 1), adding(2, "$1.data.sum"), adding(3, "$2.data.sum"))


def statuses(lines: list[Stamped]) -> dict[int, str]:
    return {change.step: change.status for change in of(lines, PlanStepChanged)}


async def test_a_paused_plan_runs_one_step_at_a_time_and_then_on() -> None:
    kit = Kit()
    run = Run(context(scripted(THREE, says("done")), kit.tools, interactive=True), MODES_BY_ID["plan"])
    run.start()
    run.control_plan("pause")
    run.control_plan("next")
    async for line in run.events():
        if isinstance(line.event, PlanStepChanged) and line.event.status == "done":
            break
    for _turn in range(20):
        await asyncio.sleep(0)
    assert len(kit.ran) == 1
    run.control_plan("resume")
    assert statuses(await finish(run)) == {1: "done", 2: "done", 3: "done"}


async def test_a_step_that_is_skipped_takes_those_with_it_that_need_it() -> None:
    run = Run(context(scripted(THREE, says("done")), interactive=True), MODES_BY_ID["plan"])
    run.start()
    run.control_plan("skip", 2)
    lines = await finish(run)
    assert statuses(lines) == {1: "done", 2: "skipped", 3: "skipped"}
    assert end_of(lines).answer == "done"


async def test_a_result_put_in_by_hand_is_used_by_the_next_steps_and_told_to_the_model() -> None:
    kit = Kit()
    model = scripted(THREE, says("done"))
    run = Run(context(model, kit.tools, interactive=True), MODES_BY_ID["plan"]).start()
    run.control_plan("result", 2, {"sum": 40})
    lines = await finish(run)
    assert kit.ran[-1] == ("add", {"a": 40, "b": 0})
    assert statuses(lines)[3] == "done"
    assert any("by hand" in getattr(turn, "text", "") for turn in model.requests[-1].turns)


async def test_a_failed_step_is_tried_again_with_other_arguments_and_wakes_what_was_skipped() -> None:
    failing = {"step": 1, "action": "broken", "params": {}}
    model = scripted(plan_of(failing, adding(2, 5, needs=[1])), says("no new plan"), says("none"), says("done"))
    kit = Kit()
    run = Run(context(model, kit.tools, interactive=True), MODES_BY_ID["plan"])
    run.start()
    run.control_plan("pause")
    run.control_plan("next")
    async for line in run.events():
        if isinstance(line.event, PlanStepChanged) and (line.event.step, line.event.status) == (1, "failed"):
            run.control_plan("retry", 1, {"how": "objects"})
            run.control_plan("resume")
            break
    lines = await finish(run)
    assert kit.ran[1] == ("broken", {"how": "objects"})
    assert of(lines, PlanMade)[-1].steps[0].params == {"how": "objects"}
    assert statuses(lines) == {1: "done", 2: "done"}


async def retried(kit: Kit, *steps: dict[str, Any], number: int, params: dict[str, Any]) -> list[Stamped]:
    """A plan whose first step fails; `number` then gets other arguments."""
    failing = {"step": 1, "action": "broken", "params": {}}
    model = scripted(plan_of(failing, *steps), says("no new plan"), says("none"), says("done"), says("done"))
    run = Run(context(model, kit.tools, interactive=True), MODES_BY_ID["plan"])
    run.start()
    run.control_plan("pause")
    run.control_plan("next")
    async for line in run.events():
        if isinstance(line.event, PlanStepChanged) and (line.event.step, line.event.status) == (1, "failed"):
            run.control_plan("retry", number, params)
            run.control_plan("resume")
    return await finish(run)


async def test_arguments_without_the_reference_free_a_step_from_the_one_that_failed() -> None:
    kit = Kit()
    lines = await retried(kit, adding(2, "$1.data.sum"), adding(3, 3), number=2, params={"a": 5})
    assert statuses(lines) == {1: "failed", 2: "done", 3: "done"}
    assert ("add", {"a": 5, "b": 0}) in kit.ran
    assert of(lines, PlanMade)[-1].steps[1].needs == ()


async def test_arguments_that_refer_to_a_failed_step_are_not_filled_with_its_error() -> None:
    kit = Kit()
    lines = await retried(kit, adding(2, "$1.data.sum"), adding(3, 3), number=2, params={"a": "$1"})
    assert statuses(lines) == {1: "failed", 2: "skipped", 3: "done"}
    assert kit.ran_names() == ["broken", "add"]


@pytest.mark.parametrize("there", ["$2", "$3.data.sum", "$9.data"])
async def test_a_reference_to_itself_or_to_a_later_step_fails_the_step_and_holds_nothing_up(there: str) -> None:
    lines = await retried(Kit(), adding(2, "$1.data.sum"), adding(3, "$2.data.sum"), number=2, params={"a": there})
    assert statuses(lines) == {1: "failed", 2: "failed", 3: "skipped"}
    assert end_of(lines).answer == "done"


async def test_a_step_marked_ask_me_shows_arguments_whose_reference_leads_nowhere_as_they_stand() -> None:
    model = scripted(plan_of(adding(1, 1), adding(2, "$1.data.nothing", ask=True)), says("done"))
    run = Run(context(model, interactive=True), MODES_BY_ID["plan"]).start()
    async for line in run.events():
        if isinstance(line.event, Approval):
            assert line.event.args == {"a": "$1.data.nothing"}
            run.approve(line.event.id, "once")
    assert statuses(await finish(run)) == {1: "done", 2: "failed"}


@pytest.mark.parametrize("number", [1, 2, 4], ids=["done", "skipped", "pending"])
async def test_a_result_by_hand_may_be_put_in_whatever_became_of_the_step(number: int) -> None:
    kit = Kit()
    plan = plan_of(adding(1, 1), adding(2, "$1.data.sum"), adding(3, "$2.data.sum"), adding(4, 4))
    run = Run(context(scripted(plan, says("done")), kit.tools, interactive=True), MODES_BY_ID["plan"])
    run.start()
    run.control_plan("pause")
    run.control_plan("next")
    run.control_plan("skip", 2)
    async for line in run.events():
        if isinstance(line.event, PlanStepChanged) and (line.event.step, line.event.status) == (1, "done"):
            run.control_plan("result", number, {"sum": 40})
            run.control_plan("resume")
    seen = statuses(await finish(run))
    assert [seen[1], seen[4], seen[number]] == ["done"] * 3
    assert seen[3] == ("done" if number == 2 else "skipped")


async def test_a_step_that_failed_may_be_tried_again_as_it_is() -> None:
    model = scripted(plan_of({"step": 1, "action": "broken", "params": {}}, adding(2, 5)), says("done"))
    kit = Kit()
    run = Run(context(model, kit.tools, interactive=True), MODES_BY_ID["plan"])
    run.start()
    run.control_plan("pause")
    run.control_plan("next")
    tried = 0
    async for line in run.events():
        if isinstance(line.event, PlanStepChanged) and (line.event.step, line.event.status) == (1, "failed"):
            tried += 1
            run.control_plan(*(("retry", 1) if tried == 1 else ("skip", 9)))
            run.control_plan("resume")
    lines = await finish(run)
    assert (tried, kit.ran_names()) == (2, ["broken", "broken", "add"])
    assert [plan.version for plan in of(lines, PlanMade)] == [1]
    assert statuses(lines) == {1: "failed", 2: "done"}


async def test_a_step_marked_ask_me_waits_and_may_be_declined() -> None:
    kit = Kit()
    model = scripted(plan_of(adding(1, 1, ask=True), adding(2, 2)), says("done"))
    run = Run(context(model, kit.tools, interactive=True), MODES_BY_ID["plan"]).start()
    async for line in run.events():
        if isinstance(line.event, Approval):
            assert line.event.rule == "step 1 asks first"
            run.approve(line.event.id, "deny", reason="not today")
    lines = await finish(run)
    assert statuses(lines) == {1: "skipped", 2: "done"}
    assert kit.ran == [("add", {"a": 2, "b": 0})]


async def test_a_step_marked_ask_me_is_left_out_where_nobody_answers() -> None:
    kit = Kit()
    model = scripted(plan_of(adding(1, 1, ask=True), adding(2, 2)), says("done"))
    lines = await run_mode("plan", model, kit.tools, interactive=True, approval_wait=0.05)
    (approval,) = of(lines, Approval)
    assert approval.until > 0
    assert statuses(lines) == {1: "skipped", 2: "done"}
    assert kit.ran == [("add", {"a": 2, "b": 0})]


async def test_a_step_marked_ask_me_shows_what_would_run_and_takes_other_arguments() -> None:
    kit = Kit()
    model = scripted(plan_of(adding(1, 1), adding(2, "$1.data.sum", ask=True)), says("done"))
    run = Run(context(model, kit.tools, interactive=True), MODES_BY_ID["plan"]).start()
    async for line in run.events():
        if isinstance(line.event, Approval):
            assert line.event.args == {"a": 1}
            run.approve(line.event.id, "once", args={"a": 40})
    lines = await finish(run)
    assert kit.ran[-1] == ("add", {"a": 40, "b": 0})
    assert of(lines, PlanMade)[-1].steps[1].params == {"a": 40}


async def test_a_step_marked_ask_me_asks_again_before_it_is_tried_again() -> None:
    kit = Kit()
    step = {"step": 1, "action": "broken", "params": {}, "ask": True}
    model = scripted(plan_of(step, adding(2, 2)), says("no other plan"), says("no"), says("done"), repeat_last=True)
    run = Run(context(model, kit.tools, interactive=True), MODES_BY_ID["plan"]).start()
    asked = 0
    run.control_plan("pause")
    run.control_plan("next")
    async for line in run.events():
        if isinstance(line.event, Approval):
            asked += 1
            run.approve(line.event.id, "once" if asked == 1 else "deny")
            run.control_plan("next")
        elif isinstance(line.event, PlanStepChanged) and (line.event.step, line.event.status) == (1, "failed"):
            run.control_plan("retry", 1)
            run.control_plan("resume")
    await finish(run)
    assert (asked, kit.ran_names().count("broken")) == (2, 1)


# ---------------------------------------------------------------- a word meanwhile


async def test_M14_what_the_person_says_meanwhile_stands_in_the_next_request() -> None:
    kit = Kit()
    model = scripted(call("wait"), says("blue"))
    run = Run(context(model, kit.tools), MODES_BY_ID["react"]).start()
    async for line in run.events():
        if isinstance(line.event, ToolStarted):
            assert run.steer("make it blue")
            kit.gate.set()
    lines = await finish(run)
    assert of(lines, Steered) == [Steered(2, "make it blue")]
    assert model.requests[1].turns[-1] == UserTurn("make it blue")
    assert not run.steer("too late")
    message = fold(events(lines), "m", run="r1")
    assert turns_of([message])[2:] == [UserTurn("make it blue"), AssistantTurn("blue")]


async def test_M14_a_word_during_the_last_answer_gets_an_answer_of_its_own() -> None:
    model = scripted({"chunks": ["red", " is", " it"]}, says("no, blue"))
    run = Run(context(model), MODES_BY_ID["react"]).start()
    async for line in run.events():
        if isinstance(line.event, Token) and line.event.text.startswith("red"):
            run.steer("blue!")
    lines = await finish(run)
    assert end_of(lines).answer == "no, blue"
    assert [event.text for event in of(lines, Steered)] == ["blue!"]


async def test_M14_nothing_is_taken_by_a_run_that_makes_no_further_request() -> None:
    model = scripted({"chunks": ["red", " is"]})
    run = Run(context(model), MODES_BY_ID["direct"]).start()
    async for line in run.events():
        if isinstance(line.event, Token):
            run.steer("blue!")
    assert of(await finish(run), Steered) == []


# ---------------------------------------------------------------- budgets


async def follow(run: Run, decide: Any) -> list[Stamped]:
    async for line in run.events():
        if isinstance(line.event, BudgetLevel) and line.event.level == "pause":
            decide(run)
    return await finish(run)


async def test_a_used_up_budget_waits_and_can_be_raised() -> None:
    model = scripted(call("add", a=1), call("add", a=2), says("three"))
    run = Run(context(model, budget=Budget(tool_calls=1), interactive=True), MODES_BY_ID["react"]).start()
    lines = await follow(run, lambda run: run.raise_budget(10))
    assert len(of(lines, ToolReturned)) == 2
    assert end_of(lines).stop_reason == "answered"


async def test_a_used_up_budget_can_be_answered_with_what_there_is() -> None:
    model = scripted(call("add", a=1), says("one"))
    run = Run(context(model, budget=Budget(tool_calls=1), interactive=True), MODES_BY_ID["react"]).start()
    lines = await follow(run, lambda run: run.answer_now())
    assert (end_of(lines).answer, end_of(lines).stop_reason) == ("one", "user")
    assert model.requests[-1].tools == ()
