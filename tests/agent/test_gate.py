"""What the gate asks, and how often: one card per call, a no that holds, a time that runs out."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.agent.run import Run
from app.core.run.chat_model import ResultTurn
from app.core.run.events import Approval, ApprovalAnswer, Question, ToolReturned
from app.core.tools.tool import Tool, ToolContext, ToolResult
from tests.agent.test_executor import approving, asking
from tests.fakes import MODES_BY_ID, Kit, call, calls, context, end_of, finish, of, says, scripted


def made(name: str, permission: Any, schema: Any = None, **more: Any) -> Tool:
    def body(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
        return ToolResult.success("done")

    return Tool(name, "", permission, body, lambda: schema or {}, lambda _args: [], read_only=False, **more)


async def test_one_approval_is_one_execution_however_often_the_call_stands_in_a_message() -> None:
    five = calls(*[("save", {"text": "a"})] * 5)
    table = {  # what is answered, one after the other: how many cards there are, and how often it runs
        ("once", "deny"): (2, 1),
        ("once", "once", "deny"): (3, 2),
        ("deny",): (1, 0),
        ("run",): (2, 2),  # the third in a row asks whatever was granted
    }
    wrong = {}
    for answers, expected in table.items():
        kit = Kit()
        left = list(answers)
        run = asking(scripted(five, says("ok")), kit)
        async for line in run.events():
            if isinstance(line.event, Approval):
                run.approve(line.event.id, left.pop(0) if left else "deny")
        lines = await finish(run)
        if (got := (len(of(lines, Approval)), len(kit.ran))) != expected:
            wrong[answers] = got
    assert wrong == {}


async def test_a_card_says_what_deserves_a_second_look(tmp_path: Path) -> None:
    """The tool and its arguments, and why no key may allow it."""
    picked = tmp_path / "picked"
    picked.mkdir()
    (picked / "out").symlink_to(tmp_path)
    plain: dict[str, Any] = {"schema": {"properties": {"path": {"type": "string"}, "url": {"type": "string"}}}}
    table: list[tuple[Tool, dict[str, Any], str]] = [
        (made("run", "exec"), {"command": "ls"}, "exec"),
        (made("delete_note", "app.write"), {"id": "1"}, "delete"),
        (made("notes__removeAll", "mcp"), {}, "delete"),
        (made("notes__edit", "mcp"), {"operation": "delete", "id": "1"}, "delete"),
        (made("notes__edit", "mcp", destructive=True), {}, "delete"),
        (made("notes__删除", "mcp"), {}, "delete"),
        (made("files__read", "mcp", **plain), {"path": "/etc/passwd"}, "outside"),
        (made("files__read", "mcp", roots=(str(picked),), **plain), {"path": f"{picked}/../x"}, "outside"),
        (made("files__read", "mcp", roots=(str(picked),), **plain), {"path": f"{picked}/out/x"}, "outside"),
        (made("files__read", "mcp", roots=(str(picked),), **plain), {"path": f"{picked}/x"}, ""),
        (made("files__read", "mcp", roots=(str(picked),), **plain), {"path": "x"}, ""),
        (made("web__get", "mcp", **plain), {"url": "https://new.test/x"}, "host"),
        (made("page", "net", subject=lambda args: "new.test"), {}, "host"),
        (made("page", "net", subject=lambda args: "known.test"), {}, ""),
        (made("save", "app.write"), {"text": "delete everything and then some more of it"}, ""),
        (made("calendar__list", "mcp"), {"day": "2026-11-20"}, ""),
    ]
    wrong = []
    for tool, args, expected in table:
        model = scripted(calls((tool.name, args)), says("ok"))
        ctx = context(model, {tool.name: tool}, interactive=True, settings={"tools": {"*": "ask"}})
        ctx.state.hosts.add("known.test")
        lines = await approving(Run(ctx, MODES_BY_ID["react"]).start(), "deny")
        if [one.careful for one in of(lines, Approval)] != [expected]:
            wrong.append((tool.name, args, of(lines, Approval)))
    assert wrong == []


async def test_a_host_is_new_once() -> None:
    kit = Kit()
    run = asking(scripted(call("fetch", host="h"), call("fetch", host="h", path="/2"), says("ok")), kit)
    assert [one.careful for one in of(await approving(run, "once"), Approval)] == ["host", ""]


async def test_a_second_card_for_the_very_same_call_says_so() -> None:
    kit = Kit()
    lines = await approving(asking(scripted(calls(*[("save", {"text": "a"})] * 2), says("ok")), kit), "once")
    assert [approval.rule for approval in of(lines, Approval)] == ["tools save", "again"]


async def test_what_is_answered_from_an_earlier_result_asks_nobody() -> None:
    """Five times the same question to a service is one card and one request; another answer to it never runs."""
    kit = Kit()
    lines = await approving(asking(scripted(calls(*[("fetch", {"host": "h"})] * 5), says("ok")), kit), "once")
    assert len(of(lines, Approval)) == 1
    assert kit.ran_names() == ["fetch"]
    assert [result.status for result in of(lines, ToolReturned)] == ["ok", *["repeat"] * 4]


async def test_arguments_a_person_changed_answer_for_no_other_call() -> None:
    kit = Kit()
    run = asking(scripted(calls(*[("fetch", {"host": "h"})] * 2), says("ok")), kit)
    async for line in run.events():
        if isinstance(line.event, Approval):
            changed = None if kit.ran else {"host": "mine"}
            run.approve(line.event.id, "once", args=changed)
    lines = await finish(run)
    assert [args["host"] for _name, args in kit.ran] == ["mine", "h"]
    assert [result.status for result in of(lines, ToolReturned)] == ["ok", "ok"]


async def test_the_same_call_a_while_later_asks_again() -> None:
    kit = Kit()
    run = asking(scripted(call("save", text="a"), call("save", text="a"), says("ok")), kit)
    lines = await approving(run, "once")
    assert len(of(lines, Approval)) == 2, "another step is another moment"


async def test_what_was_refused_is_not_asked_again_in_this_run() -> None:
    kit = Kit()
    model = scripted(call("save", text="a"), call("save", text="a"), call("save", text="b"), says("ok"))
    lines = await approving(asking(model, kit), "deny", reason="no")
    assert [approval.args["text"] for approval in of(lines, Approval)] == ["a", "b"]
    assert kit.ran == []
    told = of(lines, ToolReturned)[1].error
    assert told is not None
    assert "refused before in this run; no" in told["message"]


async def test_a_card_says_until_when_it_waits_and_no_answer_is_a_no() -> None:
    kit = Kit()
    began = time.time()
    run = asking(scripted(call("save", text="a"), says("ok")), kit)
    run._ctx.request = replace(run._ctx.request, approval_wait=0.05)
    lines = await finish(run)
    (approval,) = of(lines, Approval)
    assert began < approval.until < time.time() + 0.2
    assert of(lines, ApprovalAnswer)[0].choice == "deny"
    assert kit.ran == []


async def test_where_nobody_says_how_to_go_on_the_run_goes_on_without_the_calls() -> None:
    kit = Kit()
    run = asking(scripted(*(call("save", text=str(n)) for n in range(3)), says("ok")), kit)
    asked = 0
    async for line in run.events():
        if isinstance(line.event, Approval):
            asked += 1
            run.approve(line.event.id, "deny")
            if asked == 3:
                run._ctx.request = replace(run._ctx.request, approval_wait=0.05)  # that of the question
    lines = await finish(run)
    assert len(of(lines, Question)) == 1
    assert kit.ran == []
    assert end_of(lines).answer == "ok"


@pytest.mark.parametrize("said", ["Go on", "Answer now", "use the other folder"])
async def test_three_refusals_make_the_run_ask_how_to_go_on(said: str) -> None:
    kit = Kit()
    turns = [call("save", text=str(n)) for n in range(3)]
    model = scripted(*turns, call("add", a=1), says("ok"), repeat_last=True)
    run = asking(model, kit)
    questions: list[str] = []
    async for line in run.events():
        if isinstance(line.event, Approval):
            run.approve(line.event.id, "deny" if line.event.name == "save" else "once")
        elif isinstance(line.event, Question):
            questions.append(line.event.text)
            assert line.event.options == ("Go on", "Answer now")
            run.answer(line.event.id, said)
    await finish(run)
    assert questions == ["You have refused 3 calls in this run. How should it go on?"]
    assert (not model.requests[3].tools) is (said == "Answer now")
    told = [turn.text for turn in model.requests[3].turns if isinstance(turn, ResultTurn)][-1]
    assert ("use the other folder" in told) is (said == "use the other folder")
