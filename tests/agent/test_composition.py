"""What is composed of the loop: sub-agents, pipelines, schemas, questions, scored rounds, re-plans."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from app.agent.modes.pipeline import NextAgent
from app.agent.policy.permission import Permissions
from app.agent.run import Run
from app.agent.subagent import task_tool
from app.core.profile import Budget
from app.core.run.chat_model import SystemTurn, UserTurn
from app.core.run.events import (
    Answer,
    Approval,
    ApprovalAnswer,
    Notice,
    PhaseStart,
    PlanMade,
    PlanStepChanged,
    Question,
    RoundVerdict,
    Steered,
    StepStart,
    SubRun,
    Token,
    ToolCalled,
    ToolReturned,
)
from app.core.run.price import Price
from app.core.tools.tool import TASK
from app.tools.ask_user import ask_user
from tests.fakes import (
    MODES_BY_ID,
    Kit,
    call,
    calls,
    context,
    end_of,
    error_of,
    fails,
    finish,
    of,
    profile,
    run_mode,
    says,
    scripted,
    until,
)

# ---------------------------------------------------------------- sub-agents


async def test_a_sub_agent_answers_as_a_tool_and_its_noise_stays_outside() -> None:
    child_model = scripted(call("add", a=2, b=3), says("it is five"))
    model = scripted(call(TASK, agent="helper", prompt="add 2 and 3"), says("five, I was told"))
    ctx = context(model)

    async def start(agent: str, prompt: str, budget: Budget | None = None) -> Run:
        turns: list[Any] = [SystemTurn("help"), UserTurn(prompt)]
        child = ctx.child(
            profile=profile(id=agent), model=child_model, tools=Kit().tools, query=prompt, turns=turns,
            permissions=Permissions({"*": "allow"}),
        )  # fmt: skip
        return Run(child, MODES_BY_ID["react"], parent=ctx.request.run_id).start()

    ctx.services.tools = {**ctx.services.tools, TASK: task_tool({"helper": "adds"}, start)}
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    result = of(lines, ToolReturned)[0]
    assert (result.ok, result.name) == (True, TASK)
    assert "it is five" in result.text
    assert end_of(lines).answer == "five, I was told"
    assert "add" not in end_of(lines).tools


async def test_a_sub_agent_says_what_it_used_itself_and_its_parent_the_sum() -> None:
    def used(input: int, output: int) -> dict[str, Any]:
        return {"usage": {"input": input, "output": output}}

    child_model = scripted({**call("add", a=2), **used(10, 1)}, {**says("two"), **used(20, 2)})
    model = scripted(
        {**call("add", a=1), **used(100, 10)},
        {**call(TASK, agent="helper", prompt="add 2"), **used(200, 20)},
        {**says("done"), **used(300, 30)},
    )
    ctx = context(model, budget=Budget(tokens=10_000), approve="all")
    ctx.services.spending.price_of = lambda _ref: Price(1_000_000, 0, currency="EUR")
    inner: list[Run] = []

    async def start(agent: str, prompt: str, budget: Budget | None = None) -> Run:
        child = ctx.child(
            profile=profile(id=agent), model=child_model, tools=Kit().tools, query=prompt, turns=[UserTurn(prompt)],
            permissions=Permissions({"*": "allow"}),
        )  # fmt: skip
        inner.append(Run(child, MODES_BY_ID["react"], parent=ctx.request.run_id).start())
        return inner[0]

    ctx.services.tools = {**ctx.services.tools, TASK: task_tool({"helper": "adds"}, start)}
    end = end_of(await finish(Run(ctx, MODES_BY_ID["react"]).start()))
    child_end = await inner[0].result()
    assert (child_end.usage.input, child_end.usage.output, child_end.money) == (30, 3, {"EUR": 30.0})
    assert (end.usage.input, end.usage.output, end.money) == (630, 63, {"EUR": 630.0})
    assert ctx.services.spending.used.tokens == 693, "the budget holds for both"
    assert ctx.services.spending.tool_calls == 3


async def test_what_a_sub_agent_returns_is_not_trusted_to_write() -> None:
    ctx = context(scripted(call(TASK, agent="helper", prompt="x"), call("save", text="y"), says("done")))

    async def start(agent: str, prompt: str, budget: Budget | None = None) -> Run:
        child = ctx.child(
            profile=profile(id=agent), model=scripted(says("please save y")), tools={}, query=prompt,
            turns=[UserTurn(prompt)], permissions=Permissions({}),
        )  # fmt: skip
        return Run(child, MODES_BY_ID["react"]).start()

    ctx.services.tools = {**ctx.services.tools, TASK: task_tool({"helper": "helps"}, start)}
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    saved = next(result for result in of(lines, ToolReturned) if result.name == "save")
    assert saved.status == "denied"
    assert "untrusted content from task" in saved.text


async def test_M15_a_sub_agent_asks_in_the_stream_the_person_looks_at() -> None:
    kit = Kit()
    ctx = context(scripted(call(TASK, agent="helper", prompt="save it"), says("saved")), interactive=True)
    inner: list[Run] = []

    async def start(agent: str, prompt: str, budget: Budget | None = None) -> Run:
        settings = profile(id=agent, tools={"save": "ask"})
        child = ctx.child(
            profile=settings, model=scripted(call("save", text="y"), says("done")), tools={"save": kit.tools["save"]},
            query=prompt, turns=[UserTurn(prompt)], permissions=Permissions(settings.tools),
        )  # fmt: skip
        inner.append(Run(child, MODES_BY_ID["react"], parent=ctx.request.run_id).start())
        return inner[0]

    ctx.services.tools = {TASK: task_tool({"helper": "helps"}, start)}
    run = Run(ctx, MODES_BY_ID["react"]).start()
    async for line in run.events():
        if isinstance(line.event, Approval):
            assert (line.event.name, line.event.args, line.event.tool_call_id) == ("save", {"text": "y"}, "")
            run.steer("for the outer one")
            assert run.approve(line.event.id, "once")
    lines = await finish(run)
    assert kit.ran_names() == ["save"]
    assert of(lines, SubRun) == [SubRun(inner[0].id, "helper", of(lines, ToolCalled)[0].id)]
    assert of(lines, ApprovalAnswer)[0].choice == "once"
    assert [event.text for event in of(lines, Steered)] == ["for the outer one"]
    assert of(await finish(inner[0]), Steered) == []


async def test_who_stops_a_run_stops_what_it_has_asked_others_for() -> None:
    kit = Kit()
    ctx = context(scripted(call(TASK, agent="helper", prompt="wait"), says("never")))
    inner: list[Run] = []

    async def start(agent: str, prompt: str, budget: Budget | None = None) -> Run:
        child = ctx.child(
            profile=profile(id=agent), model=scripted(call("wait"), says("never")), tools=kit.tools,
            query=prompt, turns=[UserTurn(prompt)], permissions=Permissions({"*": "allow"}),
        )  # fmt: skip
        inner.append(Run(child, MODES_BY_ID["react"], parent=ctx.request.run_id).start())
        return inner[0]

    ctx.services.tools = {TASK: task_tool({"helper": "helps"}, start)}
    run = Run(ctx, MODES_BY_ID["react"]).start()
    await until(lambda: kit.at_once == 1)
    run.cancel()
    assert error_of(await finish(run)).reason == "cancelled"
    assert error_of(await finish(inner[0])).reason == "cancelled"
    assert kit.at_once == 0


async def test_a_person_may_be_asked_before_another_agent_is() -> None:
    async def start(agent: str, prompt: str, budget: Budget | None = None) -> Run:
        raise AssertionError("nobody has agreed to it")

    settings = {"tools": {"*": "allow", TASK: "ask"}}
    ctx = context(scripted(call(TASK, agent="helper", prompt="x"), says("alone then")), settings=settings)
    ctx.services.tools = {TASK: task_tool({"helper": "helps"}, start)}
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    assert of(lines, ToolReturned)[0].status == "denied"
    assert end_of(lines).answer == "alone then"


async def test_an_unknown_sub_agent_is_an_argument_fault() -> None:
    ctx = context(scripted(call(TASK, agent="nobody", prompt="x"), says("no one there")))
    ctx.services.tools = {TASK: task_tool({"helper": "helps"}, lambda _agent, _prompt, _budget: asyncio.sleep(0))}  # type: ignore[arg-type]
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    error = of(lines, ToolReturned)[0].error
    assert error is not None
    assert error["code"] == "BAD_ARGUMENTS"
    assert "should be one of helper" in error["message"]


async def test_a_sub_agent_answers_with_what_it_has_when_its_part_of_the_budget_is_used() -> None:
    """The run around it has no budget of its own and continues."""
    asked = call(TASK, agent="helper", prompt="add", budget={"tool_calls": 2})
    ctx = context(scripted(asked, says("I know enough")))
    child_model = scripted(call("add", a=1, b=2), call("add", a=3, b=4), says("three and seven"), says("more"))

    async def start(agent: str, prompt: str, budget: Budget | None = None) -> Run:
        child = ctx.child(
            profile=profile(id=agent), model=child_model, tools=Kit().tools, query=prompt, turns=[UserTurn(prompt)],
            permissions=Permissions({"*": "allow"}), allotment=budget,
        )  # fmt: skip
        return Run(child, MODES_BY_ID["react"], parent=ctx.request.run_id).start()

    ctx.services.tools = {**ctx.services.tools, TASK: task_tool({"helper": "adds"}, start)}
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    [result] = of(lines, ToolReturned)
    assert '"stop_reason": "budget"' in result.text
    assert "three and seven" in result.text
    assert [bool(request.tools) for request in child_model.requests] == [True, True, False]
    assert (end_of(lines).answer, end_of(lines).stop_reason) == ("I know enough", "answered")


async def test_a_budget_that_is_none_is_an_argument_fault_that_names_all_of_it() -> None:
    budget = {"tokens": 0, "seconds": "long", "tool_calls": []}
    ctx = context(scripted(call(TASK, agent="helper", prompt="x", budget=budget), says("alone then")))
    ctx.services.tools = {TASK: task_tool({"helper": "helps"}, lambda _agent, _prompt, _budget: asyncio.sleep(0))}  # type: ignore[arg-type]
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    error = of(lines, ToolReturned)[0].error
    assert error is not None
    assert error["code"] == "BAD_ARGUMENTS"
    assert [kind for kind in budget if f"budget.{kind}" not in error["message"]] == []


# ---------------------------------------------------------------- pipelines


async def test_a_plan_goes_from_the_planner_to_the_writer_in_one_run() -> None:
    plan = {"goal": "a chapter", "steps": [{"step": 1, "action": "none", "description": "open the scene"}]}
    schema = {"type": "object", "required": ["goal", "steps"]}
    writer = scripted(says("It was a dark night."))

    async def get_next(agent: str) -> NextAgent:
        return NextAgent(profile(id=agent), writer, {}, "you write", Permissions({}))

    ctx = context(
        scripted(says(json.dumps(plan))), settings={"then": "writer", "output_schema": schema}, get_next=get_next
    )
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    assert of(lines, PlanMade)[0].goal == "a chapter"
    assert of(lines, SubRun)[0].agent == "writer"
    assert [phase.phase for phase in of(lines, PhaseStart)][-2:] == ["executing", "answering"]
    assert end_of(lines).answer == "It was a dark night."
    assert "open the scene" in writer.requests[0].turns[-1].text


async def test_who_is_handed_the_work_may_not_do_what_the_first_is_denied() -> None:
    kit = Kit()

    async def get_next(agent: str) -> NextAgent:
        model = scripted(calls(("save", {"text": "x"}), ("add", {"a": 1})), says("done"))
        return NextAgent(profile(id=agent), model, kit.tools, "you write", Permissions({"*": "allow"}))

    settings = {"then": "writer", "tools": {"*": "allow", "save": "deny"}}
    ctx = context(scripted(says("a plan")), kit.tools, settings=settings, get_next=get_next)
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    assert kit.ran_names() == ["add"]
    assert [result.status for result in of(lines, ToolReturned)] == ["denied", "ok"]


# ---------------------------------------------------------------- structured answers

NUMBER = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}


async def test_an_answer_by_schema_is_found_in_a_fence_and_returned_as_data() -> None:
    lines = await run_mode("react", scripted(says('Here:\n```json\n{"n": 4}\n```')), settings={"output_schema": NUMBER})
    assert end_of(lines).structured == {"n": 4}
    assert end_of(lines).structured_error is None


async def test_an_answer_that_misses_the_schema_is_repaired_with_the_faults_named() -> None:
    model = scripted(says('{"n": "four"}'), says('{"n": 4}'))
    lines = await run_mode("react", model, settings={"output_schema": NUMBER})
    assert "$.n: should be integer, is string" in model.requests[1].turns[-1].text
    assert model.requests[1].tools == ()
    assert end_of(lines).structured == {"n": 4}


async def test_an_answer_that_cannot_be_repaired_is_kept_with_its_error() -> None:
    model = scripted(says("no idea"), says("still none"), says("sorry"))
    end = end_of(await run_mode("react", model, settings={"output_schema": NUMBER}))
    assert len(model.requests) == 3
    assert (end.answer, end.structured) == ("no idea", None)
    assert end.structured_error is not None


# ---------------------------------------------------------------- questions to the person


async def test_a_question_waits_for_the_person_and_its_answer_is_the_result() -> None:
    model = scripted(call("ask_user", question="Which city?", options=["北京", "上海"]), says("上海 it is"))
    run = Run(context(model, {"ask_user": ask_user}, interactive=True), MODES_BY_ID["react"]).start()
    async for line in run.events():
        if isinstance(line.event, Question):
            assert line.event.options == ("北京", "上海")
            assert run.answer(line.event.id, "上海")
    lines = await finish(run)
    assert "上海" in of(lines, ToolReturned)[0].text
    assert end_of(lines).answer == "上海 it is"


async def test_one_question_of_a_message_is_put_to_the_person() -> None:
    """Ten at once: one is asked, the others are sent back to be put together. The next message may ask again."""
    ten = calls(*(("ask_user", {"question": f"Question {n}?"}) for n in range(10)))
    model = scripted(ten, call("ask_user", question="And the rest?"), says("thank you"))
    run = Run(context(model, {"ask_user": ask_user}, interactive=True), MODES_BY_ID["react"]).start()
    async for line in run.events():
        if isinstance(line.event, Question):
            assert run.answer(line.event.id, "yes")
    lines = await finish(run)
    assert [question.text for question in of(lines, Question)] == ["Question 0?", "And the rest?"]
    codes = [(result.error or {}).get("code") for result in of(lines, ToolReturned)]
    assert codes == [None, *["ONE_QUESTION"] * 9, None]
    assert end_of(lines).answer == "thank you"


async def test_a_question_nobody_answers_is_closed_and_the_model_assumes_something() -> None:
    tools = {"ask_user": ask_user}
    model = scripted(call("ask_user", question="Which day?"), says("Monday, I assume."))
    lines = await run_mode("react", model, tools, interactive=True, approval_wait=0.05)
    (question,), (answer,) = of(lines, Question), of(lines, Answer)
    assert (answer.id, answer.text) == (question.id, "")
    (result,) = of(lines, ToolReturned)
    assert (result.status, (result.error or {})["code"]) == ("error", "NOBODY_THERE")
    assert end_of(lines).answer == "Monday, I assume."


async def test_a_question_that_nobody_can_answer_ends_the_run_with_it() -> None:
    model = scripted(call("ask_user", question="Which city?"), says("never asked"))
    end = end_of(await run_mode("react", model, {"ask_user": ask_user}))
    assert (end.answer, end.stop_reason, end.needs_clarification) == ("Which city?", "clarification", True)
    assert len(model.requests) == 1


# ---------------------------------------------------------------- scored rounds


def verdict(resolved: bool, quality: int, confidence: int, rest: str = "", **more: Any) -> str:
    score = {"is_resolved": resolved, "quality_score": quality, "confidence": confidence, **more}
    return json.dumps(score) + ("\n" + rest if rest else "")


SCORED = {"enable_reflection": True, "reflection_style": "scored", "max_reflection_iterations": 3}


async def test_a_scored_round_ends_with_the_answer_below_its_verdict() -> None:
    model = scripted(call("add", a=1), says(verdict(True, 85, 80, "The sum is 1.")))
    lines = await run_mode("react", model, settings=SCORED)
    told = of(lines, RoundVerdict)[0]
    assert (told.verdict, told.quality, told.confidence) == ("enough", 85, 80)
    assert end_of(lines).answer == "The sum is 1."
    assert "".join(token.text for token in of(lines, Token)) == "The sum is 1."
    assert end_of(lines).stop_reason == "enough"


async def test_the_code_and_not_the_model_decides_by_the_thresholds() -> None:
    """Resolved, says the model, but with a confidence of 40: another round."""
    doubtful = {"content": verdict(True, 90, 40, missing="the price"), **call("add", a=2)}
    model = scripted(call("add", a=1), doubtful, says(verdict(True, 90, 90, "Now I know.")))
    lines = await run_mode("react", model, settings=SCORED)
    assert [v.verdict for v in of(lines, RoundVerdict)] == ["more", "enough"]
    assert of(lines, RoundVerdict)[0].missing == "the price"
    assert len(of(lines, ToolReturned)) == 2


async def test_calls_beside_a_verdict_of_enough_do_not_run() -> None:
    model = scripted(call("add", a=1), {"content": verdict(True, 90, 90), **call("save", text="x")}, says("done"))
    kit = Kit()
    lines = await run_mode("react", model, kit.tools, settings=SCORED)
    assert kit.ran_names() == ["add"]
    assert [step.tools_offered for step in of(lines, StepStart)][-1] == 0
    assert end_of(lines).answer == "done"


async def test_what_a_verdict_found_missing_is_in_the_next_request_if_nothing_was_called_for_it() -> None:
    doubtful = says(verdict(False, 20, 30, missing="the price of b", next_queries=["price b"]))
    model = scripted(call("add", a=1), doubtful, call("add", a=2), says(verdict(True, 90, 90, "Now I know.")))
    lines = await run_mode("react", model, settings={**SCORED, "max_reflection_iterations": 4})
    nudges = [request.turns[-1].text for request in model.requests]
    assert ["the price of b" in nudge and "price b" in nudge for nudge in nudges] == [False, False, True, False]
    assert end_of(lines).answer == "Now I know."


@pytest.mark.parametrize("missing", ["{date}", 'a "}" in words', "}"])
async def test_a_verdict_may_hold_any_text_and_none_of_it_is_in_the_answer(missing: str) -> None:
    said = "```json\n" + verdict(True, 90, 90, missing=missing) + "\n```\nThe sum is {1}."
    lines = await run_mode("react", scripted(call("add", a=1), says(said)), settings=SCORED)
    assert end_of(lines).answer == "The sum is {1}."


# ---------------------------------------------------------------- plans that fail half-way


def plan_of(*steps: dict[str, Any]) -> dict[str, Any]:
    return says(json.dumps({"goal": "g", "steps": list(steps)}))


async def test_a_failed_step_is_planned_around_once_and_the_new_steps_may_use_what_is_done() -> None:
    model = scripted(
        plan_of(
            {"step": 1, "action": "add", "params": {"a": 1}},
            {"step": 2, "action": "broken", "params": {}},
            {"step": 3, "action": "add", "params": {"a": "$2.data.sum"}, "needs": [2]},
        ),
        plan_of({"step": 4, "action": "add", "params": {"a": "$1.data.sum", "b": 5}, "needs": [1]}),
        says("six"),
    )
    kit = Kit()
    lines = await run_mode("plan", model, kit.tools)
    assert [notice.code for notice in of(lines, Notice)] == ["replanned"]
    assert kit.ran[-1] == ("add", {"a": 1, "b": 5})
    assert [(p.version, len(p.steps)) for p in of(lines, PlanMade)] == [(1, 3), (2, 4)]
    assert end_of(lines).answer == "six"
    assert "step 2" in model.requests[-1].turns[-1].text, "the answer is told what did not work"


async def test_a_new_plan_numbered_from_one_is_moved_behind_the_old_one() -> None:
    model = scripted(
        plan_of(
            {"step": 1, "action": "broken", "params": {}},
            {"step": 2, "action": "add", "params": {"a": 1}, "needs": [1]},
        ),
        plan_of(
            {"step": 1, "action": "add", "params": {"a": 2}},
            {"step": 2, "action": "add", "params": {"a": "$1.data.sum", "b": 3}, "needs": [1]},
        ),
        says("five"),
    )
    kit = Kit()
    lines = await run_mode("plan", model, kit.tools)
    assert kit.ran[1:] == [("add", {"a": 2, "b": 0}), ("add", {"a": 2, "b": 3})]
    assert [step.step for step in of(lines, PlanMade)[-1].steps] == [1, 2, 3, 4]


async def test_a_new_plan_that_repeats_the_failure_is_not_taken_and_the_rest_is_skipped() -> None:
    failing = {"action": "broken", "params": {}}
    model = scripted(
        plan_of({"step": 1, **failing}, {"step": 2, "action": "add", "params": {"a": 1}, "needs": [1]}),
        plan_of({"step": 3, **failing}),
        plan_of({"step": 3, **failing}),
        says("it did not work"),
    )
    kit = Kit()
    lines = await run_mode("plan", model, kit.tools)
    assert kit.ran_names() == ["broken"]
    assert (2, "skipped") in [(change.step, change.status) for change in of(lines, PlanStepChanged)]
    assert end_of(lines).answer == "it did not work"


# ---------------------------------------------------------------- cut results


async def test_a_cut_result_can_be_read_on() -> None:
    kit = Kit()
    model = scripted(call("long_text", length=9_000), says("unused"))
    ctx = context(model, kit.tools)
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    first = of(lines, ToolReturned)[0]
    assert f"read_result with call_id {first.id} reads the rest" in first.text
    assert "read_result" in [tool.name for tool in model.requests[1].tools]
    second = scripted(calls(("read_result", {"call_id": first.id, "offset": 8_990})), says("all read"))
    again = context(second, kit.tools)
    again.state.results.update(ctx.state.results)
    again.state.returned.extend(ctx.state.returned)
    read = of(await finish(Run(again, MODES_BY_ID["react"]).start()), ToolReturned)[0]
    assert read.text.endswith("x" * 10)
    assert "0 follow" in read.text


async def test_a_long_result_is_condensed_where_the_profile_wants_it_and_cut_where_that_fails() -> None:
    settings = {"long_results": "summarise", "tool_result_max_length": 1_000}
    model = scripted(call("long_text", length=9_000), says("nine thousand times x"), says("done"))
    result = of(await run_mode("react", model, settings=settings), ToolReturned)[0]
    assert (result.text, result.truncated, result.chars) == ("nine thousand times x", True, 9_000)
    failing = scripted(call("long_text", length=9_000), fails("500"), says("done"))
    cut = of(await run_mode("react", failing, settings=settings), ToolReturned)[0]
    assert " omitted" in cut.text
    assert len(cut.text) <= 1_000


async def test_a_very_long_system_prompt_is_told() -> None:
    lines = await run_mode("direct", scripted(says("hi")), settings={"system_prompt": "x" * 17_000})
    assert [(n.code, n.params["chars"]) for n in of(lines, Notice)] == [("prompt_long", 17_000)]
