"""Going on from a stored run: from one of its steps, or with one round more. What was done is not done again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.core.errors import BadInput, UnknownName
from app.core.run.chat_model import AssistantTurn, ResultTurn
from app.core.run.event_line import Stamped
from app.core.run.events import (
    LoopStart,
    ModeSelected,
    PlanMade,
    PlanStepChanged,
    RoundStart,
    StepEnd,
    StepStart,
    ToolCalled,
    ToolReturned,
    ToolStarted,
)
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from tests.fakes import Kit, call, end_of, fails, of, says, scripted
from tests.services.conftest import Put
from tests.services.test_chat import ask, stored

ALONE = RunOptions(interactive=False, overrides={"tools": {"*": "allow"}, "enable_reflection": False})
REFLECTING = {"tools": {"*": "allow"}, "max_reflection_iterations": 2, "enable_reflection": True}


@pytest.fixture
def kit(services: Services) -> Kit:
    made = Kit()
    services.tools._tools.add(made.tools.values())
    return made


async def asked(services: Services, session: str, mode: str = "react", **options: Any) -> list[Stamped]:
    given = {"overrides": ALONE.overrides, **options}
    return await ask(services, session, "how much?", mode, **given)


def run_of(lines: list[Stamped]) -> str:
    return lines[0].run


async def test_M12_a_run_goes_on_from_step_three_and_keeps_what_came_before(
    services: Services, answers: Put, kit: Kit
) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("add", a=1), call("save", text="x"), call("add", a=5), says("nine")))
    before = await asked(services, session.id)
    ran = len(kit.ran)

    model = scripted(call("add", a=1), call("add", a=7), says("ten"))
    answers(model)
    run = await services.chat.repeats.run_again(run_of(before), from_step=3, options=ALONE)
    lines = await stored(services, run)

    assert [one.args for one in of(lines, ToolCalled)][:2] == [{"a": 1}, {"text": "x"}]
    assert kit.ran[ran:] == [("add", {"a": 1, "b": 0}), ("add", {"a": 7, "b": 0})], "a write emptied the cache"
    assert [one.step for one in of(lines, StepStart)] == [1, 2, 3, 4, 5]
    assert [one.usage.total for one in of(lines, StepEnd)][:2] == [0, 0], "not paid for twice"
    assert end_of(lines).answer == "ten"
    seen = [turn.name for turn in model.requests[0].turns if isinstance(turn, ResultTurn)]
    assert seen == ["add", "save"]
    messages = await services.sessions.messages(session.id)
    assert [one.role for one in messages] == ["user", "assistant"]
    assert messages[1].run == run.id
    line = await services.sessions.line(session.id)
    assert len(line.variants[messages[1].id]) == 2
    kept = of(lines, ToolReturned)[0]
    whole = await services.runs.full_result(run.id, kept.id)
    assert whole is not None
    assert whole.data == {"sum": 1}


async def test_M12_reads_that_were_made_before_come_from_the_kept_results(
    services: Services, answers: Put, kit: Kit
) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("add", a=1), call("add", a=5), says("nine")))
    before = await asked(services, session.id)
    ran = len(kit.ran)
    answers(scripted(call("add", a=1, b=0), says("ten"), call("add", a=1), says("ten")))
    lines = await stored(services, await services.chat.repeats.run_again(run_of(before), from_step=2, options=ALONE))
    assert of(lines, ToolReturned)[0].status == "ok"
    again = await stored(services, await services.chat.repeats.run_again(run_of(lines), from_step=2, options=ALONE))
    assert of(again, ToolReturned)[-1].status == "repeat"
    assert len(kit.ran) == ran + 1


async def test_M12_from_the_first_step_nothing_is_kept_and_another_mode_and_agent_may_be_named(
    services: Services, answers: Put, kit: Kit
) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("add", a=1), says("nine")))
    before = await asked(services, session.id, "auto")
    answers(scripted(says("ten")))
    options = RunOptions(interactive=False, agent="travel")
    lines = await stored(
        services, await services.chat.repeats.run_again(run_of(before), mode="direct", options=options)
    )
    start = lines[0].event
    assert isinstance(start, LoopStart)
    assert (start.mode, start.agent) == ("direct", "travel")
    assert of(lines, ToolCalled, ModeSelected) == []


def plan(*actions: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    steps = [{"step": n, "action": name, "params": params} for n, (name, params) in enumerate(actions, 1)]
    return says(json.dumps({"goal": "g", "steps": steps}))


async def test_M05_a_plan_goes_on_from_one_of_its_steps(services: Services, answers: Put, kit: Kit) -> None:
    session = await services.sessions.create("assistant")
    made = plan(("save", {"text": "a"}), ("add", {"a": 2}), ("add", {"a": "$2.data.sum", "b": 1}), ("none", {}))
    answers(scripted(made, says("thought"), says("done")))
    before = await asked(services, session.id, "plan")
    ran = len(kit.ran)
    answers(scripted(says("thought again"), says("done again")))
    run = await services.chat.repeats.run_again(run_of(before), from_plan_step=3, options=ALONE)
    lines = await stored(services, run)
    assert kit.ran[ran:] == [("add", {"a": 2, "b": 1})]
    assert [(one.step, one.status) for one in of(lines, PlanStepChanged)] == [
        (n, status) for n in (1, 2, 3, 4) for status in ("running", "done")
    ]
    assert end_of(lines).answer == "done again"
    assert [one.version for one in of(lines, PlanMade)] == [1, 2]


async def test_M05_a_plan_may_be_taken_up_by_react(services: Services, answers: Put, kit: Kit) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(plan(("add", {"a": 2}), ("save", {"text": "b"})), says("done")))
    before = await asked(services, session.id, "plan")
    answers(scripted(says("by hand")))
    run = await services.chat.repeats.run_again(run_of(before), from_plan_step=2, mode="react", options=ALONE)
    lines = await stored(services, run)
    assert of(lines, PlanMade, PlanStepChanged) == []
    assert [one.name for one in of(lines, ToolReturned)] == ["add"]


async def test_M08_one_more_round_after_the_answer(services: Services, answers: Put, kit: Kit) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("add", a=1), call("add", a=2), says("three")))
    before = await asked(services, session.id, overrides=REFLECTING)
    assert [one.round for one in of(before, RoundStart)] == [1, 2]
    ran = len(kit.ran)

    model = scripted(call("add", a=3), says("six"))
    answers(model)
    options = RunOptions(interactive=False, overrides=REFLECTING)
    lines = await stored(services, await services.chat.repeats.one_more_round(session.id, options=options))
    assert [(one.round, one.limit) for one in of(lines, RoundStart)] == [(1, 2), (2, 3), (3, 3)]
    assert kit.ran[ran:] == [("add", {"a": 3, "b": 0})]
    assert end_of(lines).answer == "six"
    assert "<answer>\nthree\n</answer>" in getattr(model.requests[0].turns[-1], "text", "")
    assert model.requests[1].tools == ()
    messages = await services.sessions.messages(session.id)
    assert len((await services.sessions.line(session.id)).variants[messages[1].id]) == 2


async def test_M08_one_more_round_also_where_no_round_was_and_after_a_plan(
    services: Services, answers: Put, kit: Kit
) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(says("hello")))
    await asked(services, session.id, "direct")
    answers(scripted(call("add", a=3), says("three")))
    lines = await stored(services, await services.chat.repeats.one_more_round(session.id, options=ALONE))
    assert end_of(lines).answer == "three"

    answers(scripted(plan(("add", {"a": 2})), says("two")))
    await asked(services, session.id, "plan")
    model = scripted(call("add", a=4), says("four"))
    answers(model)
    lines = await stored(services, await services.chat.repeats.one_more_round(session.id, options=ALONE))
    assert end_of(lines).answer == "four"
    assert [turn.text for turn in model.requests[0].turns if isinstance(turn, AssistantTurn)].count("two") == 0


async def test_M19_the_answer_of_an_earlier_round_costs_one_request_without_tools_or_none(
    services: Services, answers: Put, kit: Kit
) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("add", a=1), call("add", a=2), says("three")))
    before = await asked(services, session.id, overrides=REFLECTING)
    ran = len(kit.ran)
    model = scripted(says("two"))
    answers(model)
    lines = await stored(services, await services.chat.repeats.use_round(run_of(before), 1))
    assert (end_of(lines).answer, len(kit.ran), len(model.requests)) == ("two", ran, 1)
    assert model.requests[0].tools == ()
    assert [one.id for one in of(lines, ToolReturned)] == [one.id for one in of(before, ToolReturned)]

    model = scripted(says("never"))
    answers(model)
    lines = await stored(services, await services.chat.repeats.use_round(run_of(lines), 1))
    assert (end_of(lines).answer, model.requests) == ("two", []), "it is written already"
    message = (await services.sessions.messages(session.id))[-1]
    assert message.state == "complete"
    assert len((await services.sessions.line(session.id)).variants[message.id]) == 3
    with pytest.raises(BadInput):
        await services.chat.repeats.use_round(run_of(lines), 7)


async def test_M21_a_run_is_tried_from_a_call_on_with_other_arguments_another_result_mode_or_model(
    services: Services, answers: Put, kit: Kit
) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("add", a=1), call("add", a=2), says("three")))
    before = await asked(services, session.id)
    first = of(before, ToolReturned)[0].id
    ran = len(kit.ran)

    model = scripted(says("eight"))
    answers(model)
    lines = await stored(
        services, await services.chat.repeats.try_from(run_of(before), first, args={"a": 7}, options=ALONE)
    )
    assert (end_of(lines).answer, kit.ran[ran:]) == ("eight", [("add", {"a": 7, "b": 0})])
    results = [turn for turn in model.requests[0].turns if isinstance(turn, ResultTurn)]
    assert [turn.call_id for turn in results] == [of(lines, ToolReturned)[-1].id], "only the call as it is now"

    ran, model = len(kit.ran), scripted(says("forty-two"))
    answers(model)
    newest, changed = run_of(lines), of(lines, ToolReturned)[-1].id
    tried = await services.chat.repeats.try_from(newest, changed, result={"sum": 42}, mode="react", options=ALONE)
    lines = await stored(services, tried)
    assert (end_of(lines).answer, len(kit.ran)) == ("forty-two", ran), "nothing runs again"
    assert "42" in str([turn for turn in model.requests[0].turns if isinstance(turn, ResultTurn)])
    with pytest.raises(BadInput):
        await services.chat.repeats.try_from(run_of(lines), "no such call")


async def test_M21_a_step_without_a_call_is_tried_with_other_words_another_mode_or_model(
    services: Services, answers: Put, kit: Kit
) -> None:
    session = await services.sessions.create("assistant")
    planned = plan(("add", {"a": 2}), ("none", {}), ("add", {"a": 5}))
    answers(scripted(planned, says("I think it is two"), says("the end")))
    before = await asked(services, session.id, "plan")
    ran, newest = len(kit.ran), run_of(before)

    async def tried(*turns: Any, **place: Any) -> tuple[str, str]:
        """The newest answer once more: what it is now, and what the model was told for it."""
        nonlocal newest
        answers(model := scripted(*turns))
        lines = await stored(services, await services.chat.repeats.try_from_step(newest, options=ALONE, **place))
        newest = run_of(lines)
        return end_of(lines).answer, str([turn for request in model.requests for turn in request.turns])

    # a step of the plan worked off by reasoning: its result by hand, then the steps behind it
    answer, told = await tried(says("by hand"), plan_step=2, result="it is nine")
    assert (answer, kit.ran[ran:]) == ("by hand", [("add", {"a": 5, "b": 0})])
    assert "it is nine" in told
    assert "I think it is two" not in told
    assert (await tried(says("three"), says("anew"), plan_step=2))[0] == "anew", "done again"
    answer, told = await tried(says("freely"), plan_step=2, result={"n": 9}, mode="react")
    assert answer == "freely"
    assert '{"n": 9}' in told

    # a request of another mode
    answers(scripted(call("add", a=1), says("a one")))
    newest = run_of(await asked(services, session.id, "react"))
    answer, told = await tried(says("then two"), step=2, result="say two")
    assert answer == "then two"
    assert "say two" in told
    assert "a one" not in told
    assert (await tried(says("two again"), step=2))[0] == "two again"


async def test_a_run_or_an_answer_that_is_not_there_is_said_to_be_so(services: Services) -> None:
    session = await services.sessions.create("assistant")
    with pytest.raises(UnknownName):
        await services.chat.repeats.run_again("nothing")
    with pytest.raises(BadInput):
        await services.chat.repeats.one_more_round(session.id)


async def test_N16_N35_an_answer_that_broke_off_goes_on_where_it_stopped(
    services: Services, answers: Put, kit: Kit
) -> None:
    session = await services.sessions.create("assistant")
    cut = {"chunks": ["It is three, since ", "one and two make "], "raise": "disconnect_after:2"}
    answers(scripted(call("add", a=1, b=2), cut))
    before = await asked(services, session.id)
    assert (await services.sessions.messages(session.id))[-1].state == "interrupted"
    ran = len(kit.ran)

    model = scripted(says("one and two make three, as everybody knows."))
    answers(model)
    lines = await stored(services, await services.chat.repeats.resume(session.id, options=ALONE))
    whole = "It is three, since one and two make three, as everybody knows."
    assert end_of(lines).answer == whole
    assert len(kit.ran) == ran
    assert [one.name for one in of(lines, ToolReturned)] == ["add"]
    asked_for = model.requests[0].turns
    assert isinstance(asked_for[-2], AssistantTurn)
    assert asked_for[-2].text == "It is three, since one and two make "
    message = (await services.sessions.messages(session.id))[-1]
    assert (message.state, message.text) == ("complete", whole)
    assert len((await services.sessions.line(session.id)).variants[message.id]) == 2
    assert run_of(before) != message.run


@pytest.mark.parametrize("mode", ["direct", "plan"])
async def test_N26_an_answer_cut_by_length_goes_on_in_its_mode(
    services: Services, answers: Put, kit: Kit, mode: str
) -> None:
    session = await services.sessions.create("assistant")
    made = [plan(("add", {"a": 2}))] if mode == "plan" else []
    answers(scripted(*made, says("a long story that", finish="length")))
    await asked(services, session.id, mode)
    ran = len(kit.ran)
    answers(scripted(fails("500"), says(" ends well")))
    options = RunOptions(interactive=False, overrides={**ALONE.overrides, "max_retries": 1})
    lines = await stored(services, await services.chat.repeats.resume(session.id, options=options))
    assert end_of(lines).answer == "a long story that ends well"
    assert len(kit.ran) == ran


async def test_N35_a_break_in_a_tool_goes_on_with_what_there_is(services: Services, answers: Put, kit: Kit) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("wait")))
    run = await services.chat.send(session.id, "wait", "react", options=ALONE)
    async for line in run.events():
        if isinstance(line.event, ToolStarted):
            run.cancel()
    await stored(services, run)
    model = scripted(says("without it, then"))
    answers(model)
    lines = await stored(services, await services.chat.repeats.resume(session.id, options=ALONE))
    assert end_of(lines).answer == "without it, then"
    assert of(lines, ToolReturned)[0].status == "interrupted"


async def test_a_question_asked_again_is_fetched_anew_a_new_one_is_not(services: Services, answers: Put) -> None:
    asked_of: list[str] = []

    @tool("pure", ttl=600)
    def tide(ctx: ToolContext, port: str) -> ToolResult:
        """The tide of a port."""
        asked_of.append(port)
        return ToolResult.success({"port": port}, "high")

    services.tools._tools.add([tide])
    answers(scripted(*[call("tide", port="Brest"), says("high")] * 4))
    first = await services.sessions.create("assistant")
    await asked(services, first.id)
    second = await services.sessions.create("assistant")
    lines = await asked(services, second.id)
    assert of(lines, ToolReturned)[0].age is not None
    assert asked_of == ["Brest"]
    again = await services.chat.rerun(second.id, "react", options=ALONE)
    assert of(await stored(services, again), ToolReturned)[0].age is None
    assert asked_of == ["Brest", "Brest"]
    temporary = await services.sessions.create("assistant", temporary=True)
    assert of(await asked(services, temporary.id), ToolReturned)[0].age is None
