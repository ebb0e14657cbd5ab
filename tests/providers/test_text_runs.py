"""Whole runs in the text dialects: calls in the text are executed, results flow back, `auto` tells and remembers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.core.run.chat_model import Finished, ModelRequest, ResultTurn, ToolSpec, UserTurn
from app.core.run.events import Notice, Thinking, Token, ToolCalled, ToolReturned
from app.providers.scripted import ScriptedModel
from tests.fakes import Kit, call, end_of, of, run_mode, says, scripted

ADD = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>'
THINKS = json.dumps(
    {
        "has_enough_info": False,
        "tools_to_call": [{"tool_name": "add", "purpose": "I cannot add", "parameters": {"a": 1, "b": 2}}],
        "reasoning": "The sum is missing.",
    }
)


def _results(request: ModelRequest) -> list[str]:
    return [turn.text for turn in request.turns if isinstance(turn, ResultTurn)]


async def _run(model: ScriptedModel, dialect: str, kit: Kit | None = None) -> list[Any]:
    return await run_mode("react", model, (kit or Kit()).tools, settings={"dialect": dialect})


@pytest.mark.parametrize("dialect", ["tags", "json", "auto"])
async def test_a_call_in_the_text_is_executed_and_its_result_is_in_the_next_request(dialect: str) -> None:
    kit = Kit()
    model = scripted(says(f"I add.\n{ADD}"), says("It is 3."))
    lines = await _run(model, dialect, kit)
    assert kit.ran == [("add", {"a": 1, "b": 2})]
    (called,) = of(lines, ToolCalled)
    assert called.dialect == ("json" if dialect == "json" else "tags")
    (result,) = of(lines, ToolReturned)
    assert result.ok
    assert "1 + 2 = 3" in _results(model.requests[1])[0]
    assert (end_of(lines).answer, end_of(lines).stop_reason) == ("It is 3.", "answered")
    assert not any("<" in token.text for token in of(lines, Token))


async def test_auto_says_once_that_it_changed_and_stays_changed() -> None:
    model = scripted(says(ADD), says(ADD.replace("2", "5")), says("done"), says(ADD.replace("2", "7")), says("again"))
    first, second = await _run(model, "auto"), await _run(model, "auto")
    assert [notice.code for notice in of(first, Notice)] == ["dialect_changed"]
    assert of(second, Notice) == []
    assert [called.dialect for called in [*of(first, ToolCalled), *of(second, ToolCalled)]] == ["tags"] * 3


async def test_a_model_that_calls_the_usual_way_stays_native() -> None:
    lines = await _run(scripted(call("add", a=1, b=2), says("3")), "auto")
    assert [called.dialect for called in of(lines, ToolCalled)] == ["native"]
    assert of(lines, Notice) == []


async def test_native_by_wish_takes_a_scripts_text_as_text() -> None:
    kit = Kit()
    lines = await _run(scripted(says(ADD)), "native", kit)
    assert (kit.ran, end_of(lines).answer) == ([], ADD)


async def test_the_thinking_json_becomes_thinking_a_call_with_its_purpose_and_an_answer() -> None:
    enough = json.dumps({"has_enough_info": True, "tools_to_call": [], "reasoning": "Now I know."})
    model = scripted(says(THINKS), says(f"{enough}\n\nIt is 3."))
    lines = await _run(model, "json")
    (called,) = of(lines, ToolCalled)
    assert (called.name, called.why, called.dialect) == ("add", "I cannot add", "json")
    assert [thought.text for thought in of(lines, Thinking)] == ["The sum is missing.", "Now I know."]
    assert end_of(lines).answer == "It is 3."
    assert "has_enough_info" not in "".join(token.text for token in of(lines, Token))


async def test_enough_known_but_nothing_said_is_asked_for_the_answer() -> None:
    enough = json.dumps({"has_enough_info": True, "tools_to_call": [], "reasoning": "Now I know."})
    lines = await _run(scripted(says(THINKS), says(enough), says("It is 3.")), "json")
    assert end_of(lines).answer == "It is 3."


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ('<tool_call>{"name": "add", "arguments": {"a": 1</tool_call>', "not valid JSON"),
        ('<tool_call>{"name": "ad", "arguments": {"a": 1}}</tool_call>', "did you mean add"),
        ('<tool_call>{"name": "add", "arguments": [1]}</tool_call>', "one JSON object"),
        ("<tool_call>add(1, 2)</tool_call>", "no JSON object"),
        ('<tool_call>{"name": "add"}</tool_call>', "no arguments"),
    ],
)
async def test_what_cannot_be_run_is_told_to_the_model_which_may_try_again(bad: str, told: str) -> None:
    kit = Kit()
    model = scripted(says(bad), says(ADD), says("3"))
    lines = await _run(model, "tags", kit)
    assert told in _results(model.requests[1])[0]
    assert kit.ran_names() == ["add"]
    assert end_of(lines).answer == "3"


async def test_several_calls_of_one_message_are_one_batch() -> None:
    kit = Kit()
    two = ADD + "\n" + ADD.replace("2", "3")
    model = scripted(says(two), says("done"))
    await _run(model, "tags", kit)
    assert sorted(args["b"] for _, args in kit.ran) == [2, 3]
    assert len(_results(model.requests[1])) == 2


async def test_the_last_request_drops_what_the_model_still_wants() -> None:
    model = scripted(says(ADD), says(f"It is 3.\n{ADD.replace('2', '4')}"))
    kit = Kit()
    lines = await run_mode("react", model, kit.tools, settings={"dialect": "tags", "max_steps": 2})
    assert len(kit.ran) == 1
    assert end_of(lines).answer.strip() == "It is 3."
    assert "markup_suppressed" in [notice.code for notice in of(lines, Notice)]


async def test_permission_is_asked_for_a_written_call_as_for_any_other() -> None:
    kit = Kit()
    save = '<tool_call>{"name": "save", "arguments": {"text": "x"}}</tool_call>'
    lines = await run_mode(
        "react",
        scripted(says(save), says("not saved")),
        kit.tools,
        settings={"dialect": "tags", "tools": {"*": "allow", "save": "deny"}},
    )
    assert kit.ran == []
    assert [result.status for result in of(lines, ToolReturned)] == ["denied"]


async def test_a_call_quoted_from_a_page_is_not_executed() -> None:
    kit = Kit()
    lines = await run_mode(
        "react", scripted(says(f"You wrote: {ADD}")), kit.tools, query=f"what is {ADD}?", settings={"dialect": "tags"}
    )
    assert kit.ran == []
    assert end_of(lines).answer == f"You wrote: {ADD}"


async def test_a_script_cut_by_its_finish_runs_nothing() -> None:
    tools = (ToolSpec("add", "", {}),)
    model = scripted(says(ADD, finish="length"))
    request = ModelRequest([UserTurn("q")], tools, dialect="tags")
    *_, last = [chunk async for chunk in model.stream(request)]
    assert isinstance(last, Finished)
    assert [found.args for found in last.turn.calls] == [None]
