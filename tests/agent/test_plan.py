"""Plan: found, checked, repaired once, shown, reviewed, worked off, answered – or ReAct."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.agent.run import Run
from app.core.run.chat_model import ResultTurn, UserTurn
from app.core.run.event_line import Stamped
from app.core.run.events import (
    Discard,
    LoopEnd,
    ModeSelected,
    Notice,
    PhaseStart,
    PlanMade,
    PlanStepChanged,
    StepStart,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
)
from app.core.run.plan import PlanStep
from tests.fakes import (
    MODES_BY_ID,
    Kit,
    call,
    context,
    end_of,
    error_of,
    fails,
    finish,
    of,
    run_mode,
    says,
    scripted,
    until,
)


def step(
    action: str = "none", params: dict[str, Any] | None = None, needs: list[int] | None = None, **more: Any
) -> Any:
    return {"action": action, "params": params or {}, "needs": needs or [], "description": f"do {action}"}


def plan_json(*steps: Any, goal: str = "a goal") -> str:
    numbered = [{"step": n, **each} if isinstance(each, dict) else each for n, each in enumerate(steps, 1)]
    return json.dumps({"goal": goal, "steps": numbered}, ensure_ascii=False)


def plan(*steps: Any) -> dict[str, Any]:
    return says(plan_json(*steps))


def statuses(lines: list[Stamped]) -> list[tuple[int, str]]:
    return [(change.step, change.status) for change in of(lines, PlanStepChanged)]


SUM = step("add", {"a": 1, "b": 2})


# ---------------------------------------------------------------- finding the plan


@pytest.mark.parametrize(
    "said",
    [
        plan_json(SUM),
        f"```json\n{plan_json(SUM)}\n```",
        f"Here is my plan:\n\n```\n{plan_json(SUM)}\n```\nShall I?",
        f"<think>first {{ think }}</think>\n{plan_json(SUM)}",
        f'<think>\n```json\n{{"draft": 1}}\n```\n</think>```json\n{plan_json(SUM)}\n```',
        f"The plan: {plan_json(SUM)} – that is all.",
        json.dumps(json.loads(plan_json(SUM)), indent=4),
    ],
)
async def test_the_plan_is_found_wherever_the_model_put_it(said: str) -> None:
    lines = await run_mode("plan", scripted(says(said), says("three")))
    made = of(lines, PlanMade)[0]
    assert (made.goal, made.version, [each.action for each in made.steps]) == ("a goal", 1, ["add"])
    assert end_of(lines).answer == "three"


async def test_a_plan_is_thought_not_said() -> None:
    lines = await run_mode("plan", scripted(plan(SUM), says("three")))
    assert "".join(token.text for token in of(lines, Token)) == "three"
    assert "".join(thought.text for thought in of(lines, Thinking)) == plan_json(SUM)


async def test_a_plan_in_the_reasoning_counts_when_nothing_else_was_said() -> None:
    lines = await run_mode("plan", scripted({"reasoning": plan_json(SUM)}, says("three")))
    assert len(of(lines, PlanMade)) == 1


async def test_the_phases_of_a_plan() -> None:
    lines = await run_mode("plan", scripted(plan(SUM), says("three")), query="做个计划")
    assert [(phase.phase, phase.title) for phase in of(lines, PhaseStart)] == [
        ("understanding", "plan"),
        ("planning", ""),
        ("decomposing", "a goal"),
        ("executing", ""),
        ("answering", ""),
    ]


async def test_look_ups_come_before_the_plan() -> None:
    kit = Kit()
    model = scripted(call("city", name="北京"), plan(SUM), says("three"))
    await run_mode("plan", model, kit.tools)
    assert kit.ran_names() == ["city", "add"]
    assert {tool.name for tool in model.requests[0].tools} == {name for name, t in kit.tools.items() if t.read_only}


async def test_a_long_look_up_may_be_read_on_before_the_plan() -> None:
    model = scripted(call("long_text", length=20_000), plan(SUM), says("three"))
    lines = await run_mode("plan", model)
    assert "read_result" in {tool.name for tool in model.requests[1].tools}
    assert end_of(lines).answer == "three"


async def test_planning_takes_three_requests_at_most_the_last_without_tools() -> None:
    kit = Kit()
    model = scripted(call("add", a=1), call("add", a=2), plan(SUM), says("three"))
    await run_mode("plan", model, kit.tools)
    assert [bool(request.tools) for request in model.requests] == [True, True, False, False]


async def test_T24_nothing_is_written_before_the_plan_is_made() -> None:
    kit = Kit()
    model = scripted(call("save", text="too early"), plan(SUM), says("three"))
    lines = await run_mode("plan", model, kit.tools)
    assert kit.ran_names() == ["add"]
    assert of(lines, ToolReturned)[0].status == "blocked"


async def test_T24_calls_without_tools_in_planning_do_not_run() -> None:
    kit = Kit()
    model = scripted(call("add", a=1), call("add", a=2), call("add", a=3), plan(SUM), says("three"))
    lines = await run_mode("plan", model, kit.tools)
    assert [args["a"] for _name, args in kit.ran] == [1, 2, 1]
    assert end_of(lines).answer == "three"


# ---------------------------------------------------------------- faults, repair, fallback


async def test_a_faulty_plan_is_repaired_once_with_every_fault_named() -> None:
    faulty = says(plan_json(step("fly"), step("add", {"a": "many"}), step("add", {"a": "$5.x"}, needs=[9])))
    model = scripted(faulty, plan(SUM), says("three"))
    lines = await run_mode("plan", model)
    asked = model.requests[1].turns[-1]
    assert isinstance(asked, UserTurn)
    assert all(text in asked.text for text in ("unknown action 'fly'", "$5 is not an earlier step", "needs 9"))
    assert model.requests[1].tools == ()
    assert end_of(lines).answer == "three"


async def test_wrong_arguments_in_a_plan_are_a_fault() -> None:
    model = scripted(plan(step("add", {"a": "many"})), plan(SUM), says("three"))
    await run_mode("plan", model)
    asked = model.requests[1].turns[-1]
    assert isinstance(asked, UserTurn)
    assert "step 1 (add): a:" in asked.text


async def test_the_repair_is_not_kept_in_the_conversation() -> None:
    model = scripted(says("no plan at all"), plan(SUM), says("three"))
    await run_mode("plan", model)
    assert "no plan at all" in str(model.requests[1].turns)
    assert "no plan at all" not in str(model.requests[2].turns)


@pytest.mark.parametrize("second", ["still none", '{"goal": "x"}', '{"steps": []}', "{", ""])
async def test_after_one_failed_repair_react_takes_over_and_says_so(second: str) -> None:
    kit = Kit()
    model = scripted(says("no plan"), says(second), call("add", a=1), says("one"))
    lines = await run_mode("plan", model, kit.tools)
    assert [notice.code for notice in of(lines, Notice)] == ["plan_fallback"]
    assert of(lines, PlanMade) == []
    assert (end_of(lines).answer, kit.ran_names()) == ("one", ["add"])


async def test_thirteen_steps_are_too_many() -> None:
    model = scripted(plan(*[SUM] * 13), plan(SUM), says("three"))
    await run_mode("plan", model)
    assert "at most 12" in str(model.requests[1].turns[-1])


# ---------------------------------------------------------------- working it off


async def test_references_are_filled_in_from_earlier_results() -> None:
    kit = Kit()
    places = step("city", {"name": "$1.data.places.0.id"})
    model = scripted(
        plan(step("city", {"name": "北京"}), places, step("save", {"text": "$2.data.city.name"})), says("done")
    )
    lines = await run_mode("plan", model, kit.tools)
    assert kit.ran == [("city", {"name": "北京"}), ("city", {"name": "gugong"}), ("save", {"text": "gugong"})]
    assert of(lines, PlanMade)[0].steps[2].needs == (2,), "a reference is a need"
    assert [called.plan_step for called in of(lines, ToolCalled)] == [1, 2, 3]
    assert {called.dialect for called in of(lines, ToolCalled)} == {"plan"}


async def test_steps_that_only_read_run_side_by_side() -> None:
    kit = Kit()
    model = scripted(plan(step("wait", {"id": 1}), step("wait", {"id": 2}), step("save", {"text": "x"})), says("done"))
    run = Run(context(model, kit.tools), MODES_BY_ID["plan"]).start()
    await until(lambda: kit.at_once == 2)
    kit.gate.set()
    lines = await finish(run)
    assert statuses(lines)[:2] == [(1, "running"), (2, "running")]


async def test_a_step_without_a_tool_is_worked_off_by_the_loop() -> None:
    kit = Kit()
    model = scripted(
        plan(step("none"), step("save", {"text": "$1.data"})), call("add", a=1), says("it is 1"), says("done")
    )
    lines = await run_mode("plan", model, kit.tools)
    assert kit.ran == [("add", {"a": 1, "b": 0}), ("save", {"text": "it is 1"})]
    assert statuses(lines) == [(1, "running"), (1, "done"), (2, "running"), (2, "done")]
    assert "Work off step 1 of 2" in str(model.requests[1].turns[-1])


async def test_a_failed_step_takes_its_dependants_with_it_the_others_run() -> None:
    kit = Kit()
    model = scripted(
        plan(step("broken"), step("add", {"a": 1}, [1]), step("add", {"a": 2}, [2]), step("save", {"text": "x"})),
        says("no other way"), says("still none"),  # the one new plan for the rest, and its repair
        says("partly done"),
    )  # fmt: skip
    lines = await run_mode("plan", model, kit.tools)
    last = dict(statuses(lines))
    assert last == {1: "failed", 2: "skipped", 3: "skipped", 4: "done"}
    assert kit.ran_names() == ["broken", "save"]
    asked = str(model.requests[-1].turns[-1])
    assert "these did not work" in asked
    assert "step 1" in asked
    assert "step 2" in asked
    assert end_of(lines).answer == "partly done"


async def test_after_a_failure_the_rest_is_planned_anew_once() -> None:
    kit = Kit()
    again = {"goal": "another way", "steps": [{"step": 3, "action": "add", "params": {"a": 5}, "description": "five"}]}
    model = scripted(plan(step("broken"), step("add", {"a": 1}, [1])), says(json.dumps(again)), says("five"))
    lines = await run_mode("plan", model, kit.tools)
    first, second = of(lines, PlanMade)
    assert (first.version, second.version) == (1, 2)
    assert [each.status for each in second.steps] == ["failed", "skipped", "pending"]
    assert [notice.code for notice in of(lines, Notice)] == ["replanned"]
    assert kit.ran_names() == ["broken", "add"]
    assert end_of(lines).answer == "five"


async def test_a_reference_that_leads_nowhere_fails_its_step_alone() -> None:
    kit = Kit()
    model = scripted(plan(step("add", {"a": 1}), step("city", {"name": "$1.data.nothing"}), SUM), says("done"))
    lines = await run_mode("plan", model, kit.tools)
    assert dict(statuses(lines)) == {1: "done", 2: "failed", 3: "done"}
    assert "nothing at 'nothing'" in next(c.error for c in of(lines, PlanStepChanged) if c.error)


@pytest.mark.parametrize("path", ["²", "٣", "9" * 5000, "", "-1", "0"])
async def test_no_path_of_a_reference_breaks_the_run(path: str) -> None:
    model = scripted(
        plan(step("city", {"name": "北京"}), step("city", {"name": f"$1.data.places.{path}.id"})), says("done")
    )
    lines = await run_mode("plan", model)
    assert end_of(lines).answer == "done"
    assert dict(statuses(lines))[2] == ("done" if path == "0" else "failed")


async def test_a_reference_to_the_wrong_kind_of_value_is_refused_by_the_tool() -> None:
    kit = Kit()
    model = scripted(plan(step("city", {"name": "北京"}), step("add", {"a": "$1.data.city.id"})), says("done"))
    lines = await run_mode("plan", model, kit.tools)
    assert of(lines, ToolReturned)[1].error["code"] == "BAD_ARGUMENTS"
    assert dict(statuses(lines))[2] == "failed"


async def test_T24_a_plan_gives_no_permission() -> None:
    kit = Kit()
    model = scripted(plan(step("save", {"text": "x"})), says("not allowed"))
    settings = {"tools": {"*": "ask"}}
    lines = await run_mode("plan", model, kit.tools, settings=settings, approve="none")
    assert kit.ran == []
    assert dict(statuses(lines)) == {1: "failed"}
    assert of(lines, ToolReturned)[0].status == "denied"


async def test_an_empty_answer_after_the_work_quotes_the_results() -> None:
    lines = await run_mode("plan", scripted(plan(SUM), says(""), says("")))
    assert end_of(lines).stop_reason == "fallback"
    assert "1 + 2 = 3" in end_of(lines).answer


async def test_a_plan_step_that_finds_no_words_fails_and_the_rest_goes_on() -> None:
    kit = Kit()
    model = scripted(plan(step("none"), SUM), says(""), says(""), says("three, and one step had nothing to say"))
    lines = await run_mode("plan", model, kit.tools)
    assert dict(statuses(lines)) == {1: "failed", 2: "done"}
    assert end_of(lines).answer.startswith("three")


async def test_a_model_that_fails_while_planning_is_a_failed_run() -> None:
    assert error_of(await run_mode("plan", scripted(fails("401")))).error.code == "AUTH"


async def test_a_retry_takes_back_the_thinking_of_the_lost_attempt() -> None:
    cut = {"chunks": ["half a pl", "an"], "raise": "disconnect_after:1"}
    lines = await run_mode("plan", scripted(cut, plan(SUM), says("three")), settings={"max_retries": 1})
    assert len(of(lines, Discard)) == 1
    assert end_of(lines).answer == "three"


# ---------------------------------------------------------------- only the plan, and review


async def test_plan_only_stops_after_the_plan() -> None:
    kit = Kit()
    lines = await run_mode("plan", scripted(plan(SUM)), kit.tools, plan_only=True)
    end = end_of(lines)
    assert (end.stop_reason, kit.ran) == ("plan_only", [])
    assert json.loads(end.answer)["steps"][0]["action"] == "add"


def reviewing(model: Any, kit: Kit, review: str = "always") -> Run:
    return Run(
        context(model, kit.tools, interactive=True, settings={"plan_review": review}), MODES_BY_ID["plan"]
    ).start()


async def approve_plan(run: Run) -> None:
    """Sends the plan back as it was shown."""
    made = of(run._log, PlanMade)[0]
    await until(lambda: run.submit_plan(made.goal, [each.to_json() for each in made.steps]))


async def test_an_approved_plan_runs_as_it_is() -> None:
    kit = Kit()
    run = reviewing(scripted(plan(SUM), says("three")), kit)
    async for line in run.events():
        if line.event == PhaseStart("approval"):
            assert kit.ran == []
            await approve_plan(run)
    lines = await finish(run)
    assert len(of(lines, PlanMade)) == 1
    assert kit.ran_names() == ["add"]


async def test_an_edited_plan_is_the_one_that_runs() -> None:
    kit = Kit()
    run = reviewing(scripted(plan(SUM), says("seven")), kit)
    async for line in run.events():
        if line.event == PhaseStart("approval"):
            await until(lambda: run.submit_plan("mine", [{"step": 1, **step("add", {"a": 7})}]))
    lines = await finish(run)
    assert [made.version for made in of(lines, PlanMade)] == [1, 2]
    assert kit.ran == [("add", {"a": 7, "b": 0})]


async def test_an_edit_with_faults_is_told_and_waited_for_again() -> None:
    kit = Kit()
    run = reviewing(scripted(plan(SUM), says("three")), kit)
    async for line in run.events():
        if line.event == PhaseStart("approval"):
            await until(lambda: run.submit_plan("mine", [{"step": 1, **step("add", {"a": "no"})}]))
        if isinstance(line.event, Notice):
            assert line.event.code == "plan_faults"
            await until(lambda: run.submit_plan("mine", [{"step": 1, **SUM}]))
    lines = await finish(run)
    assert [notice.code for notice in of(lines, Notice)] == ["plan_faults"]
    assert kit.ran_names() == ["add"]


@pytest.mark.parametrize(
    ("review", "action", "waits"),
    [
        ("never", "save", False),
        ("writes", "add", False),
        ("writes", "save", True),
        ("writes", "fetch", True),
        ("always", "add", True),
    ],
)
async def test_when_a_plan_waits_for_the_person(review: str, action: str, waits: bool) -> None:
    kit = Kit()
    params: dict[str, dict[str, Any]] = {"save": {"text": "x"}, "add": {"a": 1}, "fetch": {"host": "h"}}
    run = reviewing(scripted(plan(step(action, params[action])), says("done")), kit, review)
    asked = False
    async for line in run.events():
        if line.event == PhaseStart("approval"):
            asked = True
            await approve_plan(run)
    await finish(run)
    assert asked is waits


async def test_without_a_person_no_plan_waits() -> None:
    kit = Kit()
    lines = await run_mode("plan", scripted(plan(SUM), says("three")), kit.tools, settings={"plan_review": "always"})
    assert PhaseStart("approval") not in [line.event for line in lines]


# ---------------------------------------------------------------- agents.md 2.7, A2


async def test_A2_four_steps_with_references_in_a_fence() -> None:
    from app.domains.travel import TOOLS as TRAVEL

    tools = {tool.name: tool for tool in TRAVEL}
    steps = [
        step("get_city_info", {"city": "北京"}),
        step("query_attractions", {"cities": ["$1.data.city.id"]}, [1]),
        step("search_food", {"city": "$1.data.city.id"}, [1]),
        step("generate_route", {"city": "$1.data.city.id", "days": 3}, [1, 2]),
    ]
    model = scripted(says(f"```json\n{plan_json(*steps)}\n```"), says("三天行程如下"))
    lines = await run_mode("plan", model, tools, query="帮我规划北京三日游", language="zh_CN")
    results = {result.name: result for result in of(lines, ToolReturned)}
    assert [result.ok for result in results.values()] == [True] * 4, [r.text[:200] for r in results.values()]
    assert dict(statuses(lines)) == {1: "done", 2: "done", 3: "done", 4: "done"}
    order = [change.step for change in of(lines, PlanStepChanged) if change.status == "done"]
    assert order[0] == 1
    assert order[-1] == 4
    assert results["generate_route"].display is not None, "the itinerary is shown as a card"
    assert end_of(lines).answer == "三天行程如下"
    answered = [turn for turn in model.requests[-1].turns if isinstance(turn, ResultTurn)]
    assert len(answered) == 4


async def test_A2_an_unknown_tool_is_one_repair_request_that_lists_it() -> None:
    from app.domains.travel import TOOLS as TRAVEL

    tools = {tool.name: tool for tool in TRAVEL}
    good = [step("get_city_info", {"city": "北京"}), step("search_food", {"city": "$1.data.city.id"})]
    bad = [good[0], step("book_hotel", {"city": "$1.data.city.id"})]
    model = scripted(says(plan_json(*bad)), says(plan_json(*good)), says("好的"))
    lines = await run_mode("plan", model, tools, query="帮我规划北京三日游")
    assert len(model.requests) == 3
    assert "step 2: unknown action 'book_hotel'" in str(model.requests[1].turns[-1])
    assert dict(statuses(lines)) == {1: "done", 2: "done"}


# ---------------------------------------------------------------- auto


async def test_auto_says_what_it_chose_and_why() -> None:
    lines = await run_mode("auto", scripted(plan(SUM), says("three")), query="你好，帮我规划北京三日游")
    assert of(lines, ModeSelected)[0] == ModeSelected("plan", "planning_words", ("规划",))
    assert isinstance(lines[-1].event, LoopEnd)


@pytest.mark.parametrize(("query", "mode", "offered"), [("你好！", "direct", 0), ("推荐几个美食城市", "react", 8)])
async def test_A1_auto_leads_to_direct_and_react(query: str, mode: str, offered: int) -> None:
    model = scripted(says("ok"))
    lines = await run_mode("auto", model, query=query)
    assert of(lines, ModeSelected)[0].mode == mode
    assert (len(model.requests), len(model.requests[0].tools)) == (1, offered)
    assert of(lines, StepStart)[0].tools_offered == offered


def test_a_step_keeps_its_shape() -> None:
    assert PlanStep(1, "none", {}, "x").to_json()["status"] == "pending"
