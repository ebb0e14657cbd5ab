"""Tool arguments a model may send (security-reliability.md c.2), through a whole run: what must never happen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.agent.tools.call_reader import MOST_CALLS
from app.core.run.events import Approval, ToolReturned
from tests.agent.test_executor import asking
from tests.fakes import Kit, call, calls, end_of, finish, of, run_mode, says, scripted


async def returned(kit: Kit, name: str, arguments: Any) -> ToolReturned:
    lines = await run_mode("react", scripted(calls((name, arguments)), says("ok")), kit.tools)
    assert end_of(lines).answer == "ok", "the run goes on"
    found: ToolReturned = of(lines, ToolReturned)[0]
    return found


@pytest.mark.parametrize(
    "arguments",
    [
        {"a": "many"}, {"a": True}, {"a": 1.5},  # A03
        {"a": None}, {},  # A04
    ],
)  # fmt: skip
async def test_A03_A04_what_the_schema_does_not_take_is_refused(arguments: dict[str, Any]) -> None:
    kit = Kit()
    result = await returned(kit, "add", arguments)
    assert kit.ran == []
    assert result.error is not None
    assert result.error["code"] == "BAD_ARGUMENTS"


async def test_A02_a_field_nobody_knows_is_left_out_where_it_can_do_no_harm_and_refused_elsewhere() -> None:
    kit = Kit()
    result = await returned(kit, "add", {"a": 1, "sudo": True})
    assert (result.ok, kit.ran) == (True, [("add", {"a": 1, "b": 0})])
    result = await returned(kit, "save", {"text": "x", "sudo": True})
    assert result.error is not None
    assert result.error["code"] == "BAD_ARGUMENTS"
    assert result.error["message"].startswith("sudo: ")
    assert kit.ran_names() == ["add"]


@pytest.mark.parametrize("text", ['{"a": 1e400}', '{"a": NaN}', '{"a": 1, "a": 2}', '{"a": 1'])
async def test_A03_numbers_that_are_none_and_broken_json_never_run(text: str) -> None:
    kit = Kit()
    result = await returned(kit, "add", text)
    assert not result.ok
    assert kit.ran == []


async def test_A11_a_value_of_300_kilobytes_is_refused() -> None:
    kit = Kit()
    result = await returned(kit, "save", {"text": "x" * 300_000})
    assert kit.ran == []
    assert "256 kB" in (result.error or {})["message"]
    assert len(result.text) < 1_000, "it is not quoted"


async def test_A11_a_reference_or_a_hook_cannot_make_a_value_larger_either() -> None:
    kit = Kit()
    plan = {"goal": "g", "steps": [
        {"action": "long_text", "params": {"length": 300_000}},
        {"action": "save", "params": {"text": "$1.data"}, "needs": [1]},
    ]}  # fmt: skip
    again = says('{"goal": "g", "steps": []}')
    lines = await run_mode("plan", scripted(says(json.dumps(plan)), again, again, says("not saved")), kit.tools)
    assert kit.ran_names() == ["long_text"]
    refused = of(lines, ToolReturned)[1]
    assert "256 kB" in (refused.error or {})["message"]


async def test_A12_of_two_hundred_calls_ten_are_looked_at() -> None:
    kit = Kit()
    many = calls(*(("add", {"a": n}) for n in range(200)))
    lines = await run_mode("react", scripted(many, says("ok")), kit.tools)
    results = of(lines, ToolReturned)
    assert len(results) == 200, "each call has its answer"
    assert len(kit.ran) == MOST_CALLS == 10
    refused = [result for result in results if not result.ok]
    assert len(refused) == 190
    assert {(result.error or {})["code"] for result in refused} == {"TOO_MANY_CALLS"}


async def test_A13_the_same_call_five_times_stops_at_three() -> None:
    kit = Kit()
    turns = [call("save", text="a") for _ in range(5)]
    settings = {"tools": {"*": "allow"}, "enable_reflection": False}
    await run_mode("react", scripted(*turns, says("ok")), kit.tools, settings=settings, approve="none")
    assert len(kit.ran) <= 3


async def test_A14_arguments_that_change_after_the_approval_do_not_run() -> None:
    kit = Kit()
    run = asking(scripted(call("save", text="a"), says("ok")), kit)
    async for line in run.events():
        if isinstance(line.event, Approval):
            line.event.args["text"] = "rm -rf"  # type: ignore[index]
            run.approve(line.event.id, "once")
    await finish(run)
    assert kit.ran == []


async def test_A06_A08_what_is_approved_is_what_runs_to_the_letter() -> None:
    kit = Kit()
    text = "\n" * 5_000 + "DELETE rm\u200b -rf \U000e0041"
    run = asking(scripted(call("save", text=text), says("ok")), kit)
    shown: list[str] = []
    async for line in run.events():
        if isinstance(line.event, Approval):
            shown.append(json.dumps(dict(line.event.args)))
            run.approve(line.event.id, "once")
    await finish(run)
    assert [json.dumps(args) for _name, args in kit.ran] == shown
