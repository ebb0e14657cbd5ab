"""ReAct: the loop, its limits, and that it always ends in an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.run.chat_model import AssistantTurn, CallTurn, ModelRequest, ResultTurn, UserTurn
from app.core.run.events import (
    LoopStart,
    Notice,
    PhaseStart,
    RoundStart,
    RoundVerdict,
    StepEnd,
    StepStart,
    Token,
    ToolReturned,
)
from app.core.tools.tool import Tool, ToolContext, ToolResult, tool
from tests.fakes import AskedModel, Kit, call, calls, end_of, error_of, of, run_mode, says, scripted


async def test_an_answer_without_tools_is_one_request() -> None:
    model = scripted(says("42"))
    lines = await run_mode("react", model)
    end = end_of(lines)
    assert (end.answer, end.stop_reason, end.steps, end.tools) == ("42", "answered", 1, ())
    assert len(model.requests) == 1
    assert {tool.name for tool in model.requests[0].tools} >= {"add", "save"}


async def test_a_call_is_executed_and_its_result_stands_in_the_next_request() -> None:
    model = scripted(call("add", a=1, b=2), says("three"))
    lines = await run_mode("react", model)
    result = of(lines, ToolReturned)[0]
    assert (result.ok, result.summary) == (True, "1 + 2 = 3")
    turn = model.requests[1].turns[-1]
    assert isinstance(turn, ResultTurn)
    assert turn.text == '1 + 2 = 3\n{"sum": 3}'
    assert end_of(lines).tools == ("add",)


async def test_text_before_a_call_is_not_the_answer() -> None:
    lines = await run_mode("react", scripted({**call("add", a=1), "content": "Let me add. "}, says("one")))
    assert end_of(lines).answer == "one"
    assert "".join(token.text for token in of(lines, Token)) == "Let me add. one"


async def test_a_call_runs_although_the_provider_says_stop() -> None:
    kit = Kit()
    await run_mode("react", scripted({**call("add", a=1), "finish": "stop"}, says("one")), kit.tools)
    assert kit.ran_names() == ["add"]


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 8])
async def test_the_last_request_has_no_tools_and_a_users_nudge(limit: int) -> None:
    kit = Kit()
    endless = [call("add", a=n) for n in range(limit - 1)]
    model = scripted(*endless, says("as far as I got"))
    lines = await run_mode("react", model, kit.tools, settings={"max_steps": limit})
    end = end_of(lines)
    assert (end.stop_reason, end.steps, len(kit.ran)) == ("max_steps", limit, limit - 1)
    assert [bool(request.tools) for request in model.requests] == [True] * (limit - 1) + [False]
    nudge = model.requests[-1].turns[-1]
    assert isinstance(nudge, UserTurn), "some providers refuse anything else at the end"
    assert [step.limit for step in of(lines, StepStart)] == [limit] * limit


async def test_a_model_that_still_calls_without_tools_is_asked_once_more_and_then_quoted() -> None:
    kit = Kit()
    model = scripted(call("add", a=1), call("add", a=2), call("add", a=3))
    lines = await run_mode("react", model, kit.tools, settings={"max_steps": 2})
    assert kit.ran_names() == ["add"], "calls of the last request do not run"
    assert end_of(lines).stop_reason == "fallback"
    assert "1 + 0 = 1" in end_of(lines).answer
    assert [notice.code for notice in of(lines, Notice)] == ["empty_answer"]


async def test_an_empty_answer_is_asked_for_once_more() -> None:
    model = scripted(says(""), says("here"))
    lines = await run_mode("react", model)
    assert end_of(lines).answer == "here"
    assert isinstance(model.requests[1].turns[-1], UserTurn)
    assert "empty" in model.requests[1].turns[-1].text


async def test_thinking_alone_is_no_answer() -> None:
    lines = await run_mode("react", scripted({"reasoning": "hmm"}, says("here")))
    assert end_of(lines).answer == "here"
    assert end_of(lines).thinking == "hmm"


async def test_empty_twice_and_nothing_found_is_an_error_never_a_blank() -> None:
    error = error_of(await run_mode("react", scripted(says(""), says("  \n"))))
    assert (error.reason, error.error.code) == ("api", "EMPTY_ANSWER")


async def test_empty_twice_after_tools_is_put_together_from_the_results() -> None:
    model = scripted(calls(("add", {"a": 1}), ("city", {"name": "北京"})), says(""), says(""))
    lines = await run_mode("react", model)
    end = end_of(lines)
    assert end.stop_reason == "fallback"
    assert "1 + 0 = 1" in end.answer
    assert "北京" in end.answer
    assert of(lines, Token)[-1].text == end.answer, "what is answered can be seen"


async def test_nothing_but_failed_tools_is_no_material_for_an_answer() -> None:
    error = error_of(await run_mode("react", scripted(call("broken"), says(""), says(""))))
    assert error.error.code == "EMPTY_ANSWER"


# ---------------------------------------------------------------- cut and filtered messages


async def test_T26_a_cut_call_never_runs_and_the_model_hears_of_it() -> None:
    kit = Kit()
    model = scripted({**call("save", text="half"), "finish": "length"}, says("shorter"))
    lines = await run_mode("react", model, kit.tools)
    assert kit.ran == []
    said = model.requests[1].turns[-1]
    assert isinstance(said, ResultTurn)
    assert said.is_error
    assert "cut off" in said.text
    assert end_of(lines).answer == "shorter"


async def test_T26_a_second_cut_call_ends_the_run() -> None:
    kit = Kit()
    cut = {**call("save", text="half"), "content": "So far. ", "finish": "length"}
    lines = await run_mode("react", scripted(cut, cut), kit.tools)
    assert kit.ran == []
    assert (end_of(lines).answer, end_of(lines).stop_reason) == ("So far. ", "cut")


async def test_T26_a_second_cut_call_without_a_word_still_ends_in_an_answer() -> None:
    kit = Kit()
    cut = {**call("save", text="half"), "finish": "length"}
    lines = await run_mode("react", scripted(cut, cut, says("I could not store it.")), kit.tools)
    assert kit.ran == []
    assert end_of(lines).answer == "I could not store it."


async def test_T26_a_filtered_call_never_runs() -> None:
    kit = Kit()
    filtered = {**call("save", text="x"), "finish": "content_filter"}
    lines = await run_mode("react", scripted(filtered), kit.tools)
    assert kit.ran == []
    assert end_of(lines).stop_reason == "filtered"


async def test_a_cut_answer_says_so() -> None:
    end = end_of(await run_mode("react", scripted(says("and then", finish="length"))))
    assert (end.answer, end.stop_reason) == ("and then", "cut")


# ---------------------------------------------------------------- reflection


@pytest.mark.parametrize("rounds", range(11))
async def test_N_rounds_are_N_batches_and_N_plus_1_requests(rounds: int) -> None:
    kit = Kit()
    batches = max(rounds, 1)  # 0: one batch, then the answer
    model = scripted(*(call("add", a=n) for n in range(batches)), says("enough now"))
    settings = {"enable_reflection": True, "max_reflection_iterations": rounds, "max_steps": 50}
    lines = await run_mode("react", model, kit.tools, settings=settings)
    assert len(kit.ran) == batches
    assert len(model.requests) == batches + 1
    assert [bool(request.tools) for request in model.requests] == [True] * batches + [False]
    assert [(start.round, start.limit) for start in of(lines, RoundStart)] == [
        (n, rounds) for n in range(1, rounds + 1)
    ]
    assert end_of(lines).stop_reason == "max_rounds"


async def test_each_round_names_itself_and_what_was_tried() -> None:
    model = scripted(call("add", a=1), call("broken"), says("done"))
    await run_mode("react", model, settings={"enable_reflection": True})
    first, second = (request.turns[-1] for request in model.requests[1:])
    assert isinstance(first, UserTurn)
    assert isinstance(second, UserTurn)
    assert "round 1 of 3" in first.text
    assert "- add: ok" in first.text
    assert "round 2 of 3" in second.text
    assert "- broken: failed" in second.text


async def test_nudges_are_not_kept_in_the_conversation() -> None:
    model = scripted(call("add", a=1), call("add", a=2), says("done"))
    await run_mode("react", model, settings={"enable_reflection": True})
    told = [turn for turn in model.requests[2].turns if isinstance(turn, UserTurn)]
    assert len(told) == 2, "the question, and the nudge of this round alone"


async def test_a_verdict_is_read_from_the_message() -> None:
    asks = {**call("add", a=2), "content": "The second sum is missing. I look."}
    lines = await run_mode("react", scripted(call("add", a=1), asks, says("3")), settings={"enable_reflection": True})
    more, enough = of(lines, RoundVerdict)
    assert (more.round, more.verdict, more.missing) == (1, "more", "The second sum is missing.")
    assert (more.next, enough.round, enough.verdict) == (("add",), 2, "enough")
    assert end_of(lines).stop_reason == "enough"


async def test_the_step_limit_holds_over_the_rounds() -> None:
    model = scripted(*(call("add", a=n) for n in range(2)), says("done"))
    settings = {"enable_reflection": True, "max_reflection_iterations": 10, "max_steps": 3}
    assert end_of(await run_mode("react", model, settings=settings)).stop_reason == "max_steps"


# ---------------------------------------------------------------- repeats


async def test_only_repeats_in_a_round_end_the_search() -> None:
    kit = Kit()
    model = scripted(call("add", a=1), call("add", a=1), says("one"))
    lines = await run_mode("react", model, kit.tools, settings={"enable_reflection": True})
    assert kit.ran_names() == ["add"]
    assert end_of(lines).stop_reason == "all_duplicates"
    assert not model.requests[-1].tools


async def test_answer_now_takes_the_tools_away() -> None:
    from app.agent.run import Run
    from tests.fakes import MODES_BY_ID, context, finish

    kit = Kit()
    model = scripted(call("wait"), says("in short"))
    run = Run(context(model, kit.tools), MODES_BY_ID["react"]).start()
    async for line in run.events():
        if line.event.type == "tool_start":
            run.answer_now()
            kit.gate.set()
    lines = await finish(run)
    assert (end_of(lines).answer, end_of(lines).stop_reason) == ("in short", "user")
    assert not model.requests[1].tools


# ---------------------------------------------------------------- what is told


async def test_a_run_tells_its_phases_steps_and_settings() -> None:
    lines = await run_mode("react", scripted(call("add", a=1), says("1")), query="推荐一个城市")
    start = of(lines, LoopStart)[0]
    assert (start.agent, start.mode, start.model, start.query) == ("tester", "react", "script/memory", "推荐一个城市")
    assert start.settings["max_steps"] == 8
    assert "system_prompt" not in start.settings, "the prompt is the person's own text"
    assert [(phase.phase, phase.title) for phase in of(lines, PhaseStart)] == [
        ("understanding", "lookup"),
        ("executing", ""),
        ("answering", ""),
    ]
    assert [end.finish_reason for end in of(lines, StepEnd)] == ["tool_calls", "stop"]


async def test_usage_is_the_sum_of_the_steps() -> None:
    used = {"input": 100, "output": 10, "reasoning": 3, "cached": 50}
    lines = await run_mode("react", scripted({**call("add", a=1), "usage": used}, says("1", usage=used)))
    usage = end_of(lines).usage
    assert (usage.input, usage.output, usage.reasoning, usage.cached, usage.exact) == (200, 20, 6, 100, True)


async def test_a_script_that_ends_is_a_failed_run() -> None:
    error = error_of(await run_mode("react", scripted(call("add", a=1))))
    assert (error.reason, error.error.code) == ("api", "SCRIPT_END")
    assert error.tools == ("add",)


async def test_a_round_whose_call_was_cut_is_asked_again_not_begun_again() -> None:
    model = scripted(call("add", a=1), {**call("add", a=2), "finish": "length"}, says("enough"))
    lines = await run_mode("react", model, settings={"enable_reflection": True})
    assert [start.round for start in of(lines, RoundStart)] == [1]
    assert [(verdict.round, verdict.verdict) for verdict in of(lines, RoundVerdict)] == [(1, "enough")]


FACTS = " ".join(f"fact{n}" for n in range(60))


def reporting(texts: list[str]) -> Tool:
    left = iter(texts)

    @tool("pure", name="look")
    def look(ctx: ToolContext, n: int) -> ToolResult:
        """Look something up."""
        return ToolResult.success(next(left))

    return look


@pytest.mark.parametrize(
    ("texts", "reason", "batches"),
    [
        ([FACTS, FACTS, FACTS, FACTS], "saturated", 3),
        ([FACTS, FACTS, " ".join(f"news{n}" for n in range(60)), FACTS, FACTS], "saturated", 5),
        (["short", "short", "short", "short", "short", "short"], "max_rounds", 6),
    ],
)
async def test_two_batches_that_bring_nothing_new_end_the_rounds(texts: list[str], reason: str, batches: int) -> None:
    model = scripted(*(call("look", n=n) for n in range(batches)), says("done"))
    settings = {"enable_reflection": True, "max_reflection_iterations": 6, "max_steps": 20}
    lines = await run_mode("react", model, {"look": reporting(texts)}, settings=settings)
    assert end_of(lines).stop_reason == reason
    assert len(of(lines, ToolReturned)) == batches


async def test_an_agent_with_a_measure_of_its_own_decides_by_that() -> None:
    own = replace(reporting([]), name="own_measure", measures=True)
    model = scripted(*(call("look", n=n) for n in range(4)), says("done"))
    settings = {"enable_reflection": True, "max_reflection_iterations": 4, "max_steps": 20}
    tools = {"look": reporting([FACTS] * 4), "own_measure": own}
    named = {**settings, "tools": {"look": "allow", "own_measure": "allow"}}
    assert end_of(await run_mode("react", model, tools, settings=named)).stop_reason == "max_rounds"

    # One that came with a `*` is not what the agent is judged by.
    again = scripted(*(call("look", n=n) for n in range(4)), says("done"))
    lines = await run_mode("react", again, {**tools, "look": reporting([FACTS] * 4)}, settings=settings)
    assert end_of(lines).stop_reason == "saturated"


async def test_T30_calls_that_fail_one_after_the_other_end_in_an_answer() -> None:
    """Ten of any kind: unknown tools, wrong arguments, tools that raise. A success in between begins anew."""
    kinds = [call("nobody"), call("add", b=1), call("broken"), call("broken", how="none")]
    nine = [kinds[n % len(kinds)] for n in range(9)]
    model = scripted(*nine, call("add", a=1), *nine, call("city"), says("it does not work"))
    lines = await run_mode("react", model, settings={"max_steps": 50})
    assert (end_of(lines).stop_reason, end_of(lines).answer) == ("failures", "it does not work")
    assert [len(request.tools) > 0 for request in model.requests] == [True] * 20 + [False]


async def test_T30_a_model_that_calls_for_ever_stops_at_the_cap_with_an_answer() -> None:
    def ask(request: ModelRequest) -> str | AssistantTurn:
        n = len(model.requests)
        return AssistantTurn(calls=(CallTurn(f"c{n}", "add", "{}", {"a": n}),)) if request.tools else "enough"

    model = AskedModel(ask)
    lines = await run_mode("react", model, settings={"max_steps": 50})
    assert (end_of(lines).stop_reason, end_of(lines).steps, end_of(lines).answer) == ("max_steps", 50, "enough")
