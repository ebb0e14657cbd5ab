"""What the gate asks, and how often: one card per call, a no that holds, a time that runs out."""

from __future__ import annotations

import time

import pytest

from app.core.run.chat_model import ResultTurn
from app.core.run.events import Approval, ApprovalAnswer, Question, ToolReturned
from tests.agent.test_executor import approving, asking
from tests.fakes import Kit, call, calls, end_of, finish, of, says, scripted


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
