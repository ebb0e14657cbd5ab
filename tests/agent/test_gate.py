"""What the gate asks, and how often: one card per call, a no that holds, a time that runs out."""

from __future__ import annotations

import time

import pytest

from app.core.run.chat_model import ResultTurn
from app.core.run.events import Approval, ApprovalAnswer, Question, ToolReturned
from tests.agent.test_executor import approving, asking
from tests.fakes import Kit, call, calls, end_of, finish, of, says, scripted


async def test_the_same_call_twice_at_once_is_one_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.agent.tools.gate.MERGE_WITHIN", 600.0)
    kit = Kit()
    twice = calls(("save", {"text": "a"}), ("save", {"text": "a"}), ("save", {"text": "b"}))
    lines = await approving(asking(scripted(twice, says("ok")), kit), "once")
    assert [approval.args["text"] for approval in of(lines, Approval)] == ["a", "b"]
    assert kit.ran_names() == ["save", "save", "save"]


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
    run._ctx.approval_wait = 0.05
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
                run._ctx.approval_wait = 0.05  # that of the question
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
