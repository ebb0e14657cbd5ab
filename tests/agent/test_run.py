"""The run itself: one terminal event whatever happens, cancelled anywhere, heard by everyone alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from app.agent.context import RunContext
from app.agent.inbox import RunClock
from app.agent.modes import Mode
from app.agent.run import GATHER, Run
from app.core.run.event_line import Stamped
from app.core.run.events import (
    Approval,
    LoopError,
    LoopStart,
    PhaseStart,
    RunEvent,
    StepEnd,
    StepStart,
    Thinking,
    Token,
    ToolReturned,
)
from app.core.tools.tool import ToolContext, ToolResult, tool
from tests.fakes import (
    MODES_BY_ID,
    FakeClock,
    Kit,
    call,
    calls,
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
from tests.grammar import check_grammar


def start(mode: str, model: Any, kit: Kit | None = None, **given: Any) -> Run:
    return Run(context(model, kit.tools if kit else None, **given), MODES_BY_ID[mode]).start()


# ---------------------------------------------------------------- cancelling


async def test_R24_cancelled_before_its_first_step_a_run_still_ends_once() -> None:
    run = start("react", scripted(says("never")))
    run.cancel()
    lines = await finish(run)
    assert [line.event.type for line in lines] == ["loop_start", "loop_error"]
    assert error_of(lines).reason == "cancelled"


async def _turns_of_a_whole_run(mode: str) -> int:
    run = start(mode, _long_script(mode), Kit(), settings={"max_retries": 2})
    turns = 0
    while run.is_running:
        await asyncio.sleep(0)
        turns += 1
    await finish(run)
    return turns


def _long_script(mode: str) -> Any:
    plan = '{"goal": "g", "steps": [{"action": "add", "params": {"a": 1}}, {"action": "none", "needs": [1]}]}'
    turns = {
        "direct": [fails("500"), {"reasoning": "thinking about it", "content": "The answer is in these words."}],
        "react": [
            fails("500"),
            {**calls(("add", {"a": 1}), ("save", {"text": "x"}), ("broken", {})), "reasoning": "first the tools"},
            says("The answer is in these words."),
        ],
        "plan": [says(plan), call("add", a=2), says("two"), says("The answer is in these words.")],
    }
    return scripted(*turns[mode])


@pytest.mark.parametrize("mode", ["direct", "react", "plan"])
async def test_R26_cancelled_at_any_await_a_run_ends_tidily(mode: str) -> None:
    """Every turn of the loop is a place where a person can press Stop."""
    turns = await _turns_of_a_whole_run(mode)
    ended = []
    for place in range(turns + 1):
        run = start(mode, _long_script(mode), Kit(), settings={"max_retries": 2})
        for _ in range(place):
            await asyncio.sleep(0)
        run.cancel()
        lines = await asyncio.wait_for(finish(run), 30)
        ended.append(lines[-1].event.type)
        if isinstance(end := lines[-1].event, LoopError):
            assert (end.reason, end.error.code) == ("cancelled", "CANCELLED")
            shown = "".join(t.text for t in of(lines, Token) if t.step == end.steps)
            assert end.partial == shown, "what was visible of the open step is kept"
    assert ended[0] == "loop_error"
    assert ended.count("loop_error") > 5


async def test_R26_tools_that_run_are_cancelled_and_told_as_interrupted() -> None:
    kit = Kit()
    run = start("react", scripted(calls(("wait", {"id": 1}), ("wait", {"id": 2})), says("never")), kit)
    await until(lambda: kit.at_once == 2)
    run.cancel()
    lines = await finish(run)
    assert kit.at_once == 0
    assert [(r.status, r.ok) for r in of(lines, ToolReturned)] == [("interrupted", False)] * 2
    assert of(lines, StepEnd)[-1].finish_reason == "tool_calls"


async def test_a_step_that_is_stopped_in_the_middle_took_until_then() -> None:
    run = start("direct", scripted({"chunks": ["one ", *["more "] * 2_000], "delay": 0.03}), Kit())
    async for line in run.events():
        if isinstance(line.event, Token) and line.t > 0.5:
            run.cancel()
    lines = await finish(run)
    (end,) = of(lines, StepEnd)
    assert end.finish_reason == "interrupted"
    assert end.ttft_ms is not None
    asked = next(line.t for line in lines if isinstance(line.event, StepStart))
    last = [line.t for line in lines if isinstance(line.event, Token)][-1]
    assert end.ms >= 1_000 * (last - asked) / 2, "not only until the first word"


async def test_R26_a_pending_approval_does_not_hold_a_run() -> None:
    kit = Kit()
    run = start("react", scripted(call("save", text="x"), says("never")), kit, interactive=True,
                settings={"tools": {"*": "ask"}})  # fmt: skip
    async for line in run.events():
        if isinstance(line.event, Approval):
            run.cancel()
    lines = await finish(run)
    assert error_of(lines).reason == "cancelled"
    assert kit.ran == []
    assert not run.approve(of(lines, Approval)[0].id, "once"), "nobody waits for it any more"


async def test_R26_a_pending_plan_review_does_not_hold_a_run() -> None:
    plan = says('{"goal": "g", "steps": [{"action": "none"}]}')
    run = start("plan", scripted(plan), Kit(), interactive=True, settings={"plan_review": "always"})
    async for line in run.events():
        if line.event == PhaseStart("approval"):
            run.cancel()
    assert error_of(await finish(run)).reason == "cancelled"
    assert not run.submit_plan("late", [])


async def test_a_second_press_does_not_wait_for_what_hangs() -> None:
    release = asyncio.Event()

    @tool("pure")
    async def stubborn(ctx: ToolContext) -> ToolResult:
        """Refuse to be cancelled."""
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        return ToolResult.success("finally")

    run = Run(context(scripted(call("stubborn"), says("never")), {"stubborn": stubborn}), MODES_BY_ID["react"]).start()
    await until(lambda: any(line.event.type == "tool_start" for line in run._log))
    run.cancel()
    for _ in range(20):
        await asyncio.sleep(0)
    assert run.is_running, "the first press waits for the tool a moment"
    run.cancel()
    assert not run.is_running
    lines = await finish(run)
    assert error_of(lines).reason == "cancelled"
    release.set()
    assert run._task is not None
    await asyncio.wait([run._task])
    assert [line.event.type for line in run._log].count("loop_error") == 1, "nothing is said after the end"


async def test_cancelling_what_has_ended_changes_nothing() -> None:
    run = start("direct", scripted(says("done")))
    lines = await finish(run)
    run.cancel()
    assert await run.result() == lines[-1].event
    assert len(run._log) == len(lines)


async def test_R25_text_that_was_shown_stays_when_the_run_is_stopped() -> None:
    run = start("direct", scripted({"chunks": ["one ", "two ", "three"], "delay": 0.001}))
    async for line in run.events():
        if isinstance(line.event, Token):
            run.cancel()
            break
    lines = await finish(run)
    assert error_of(lines).partial.startswith("one ")
    assert "".join(token.text for token in of(lines, Token)) == error_of(lines).partial


# ---------------------------------------------------------------- other ends


async def test_a_run_that_takes_too_long_ends_in_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.agent.run.CLOCK_CHECK", 0.001)
    kit = Kit()
    time = FakeClock()
    run = start("react", scripted(call("wait"), says("never")), kit, clock=RunClock(time))
    await until(lambda: kit.at_once == 1)
    assert run.is_running
    for time.time in range(0, 1_802, 8):
        run._ctx.services.clock.working()
    lines = await finish(run)
    assert (error_of(lines).reason, error_of(lines).error.code) == ("timeout", "TIMEOUT")
    assert of(lines, ToolReturned)[0].status == "interrupted"


async def test_waiting_for_the_person_does_not_wear_off_the_time() -> None:
    time = FakeClock()
    clock = RunClock(time)
    time.time = 5.0
    clock.stop()
    time.time = 1000.0
    assert clock.working() == 5.0
    clock.resume()
    time.time = 1002.0
    assert (clock.working(), clock.elapsed()) == (7.0, 1002.0)


async def test_a_timeout_does_not_run_while_an_approval_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.agent.run.CLOCK_CHECK", 0.001)
    time = FakeClock()
    settings = {"tools": {"*": "ask"}}
    clock = RunClock(time)
    model = scripted(call("save", text="x"), says("saved"))
    run = start("react", model, Kit(), clock=clock, interactive=True, settings=settings)
    async for line in run.events():
        if isinstance(line.event, Approval):
            time.time = 10_000.0
            await asyncio.sleep(0.01)
            assert run.approve(line.event.id, "once")
    assert end_of(await finish(run)).answer == "saved"


def mode(*given: RunEvent, error: Exception | None = None, answer: str | None = None) -> Mode:
    async def say(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
        for event in given:
            yield event
        if error:
            raise error
        if answer:
            ctx.conclude(answer, "answered")

    return Mode("test", say)


@pytest.mark.expects_log_errors("the mistake of ours is logged with its traceback")
async def test_a_mistake_of_ours_is_an_internal_error() -> None:
    run = Run(context(scripted()), mode(error=ZeroDivisionError("oops"))).start()
    error = error_of(await finish(run))
    assert (error.reason, error.error.code) == ("internal", "INTERNAL")
    assert "oops" in error.error.message


async def test_a_mode_that_ends_without_an_answer_is_our_mistake() -> None:
    run = Run(context(scripted()), mode(PhaseStart("planning"))).start()
    assert error_of(await finish(run)).reason == "internal"


async def test_the_end_sums_up_the_run() -> None:
    twice = calls(("add", {"a": 1}), ("add", {"a": 1}), ("city", {"name": "x"}))
    end = end_of(await run_mode("react", scripted(twice, says("ok"))))
    assert (end.steps, end.tools) == (2, ("add", "city"))
    told = [(entry["step"], entry.get("tool") or entry["finish"]) for entry in end.trace]
    assert sorted(told) == [(1, "add"), (1, "add"), (1, "city"), (1, "tool_calls"), (2, "stop")]


# ---------------------------------------------------------------- listening


async def test_several_listeners_hear_the_same() -> None:
    run = start("react", scripted(call("add", a=1), says("The answer, in a few words, slowly.", delay=0.0005)))

    async def slow() -> list[Stamped]:
        heard = []
        async for line in run.events():
            heard.append(line)
            await asyncio.sleep(0.001)
        return heard

    async def quick() -> list[Stamped]:
        return [line async for line in run.events()]

    first, second, third = await asyncio.gather(quick(), slow(), quick())
    assert first == second == third
    assert [line async for line in run.events()] == first, "also one that comes when all is over"
    check_grammar(first)


async def test_a_listener_that_leaves_does_not_disturb_the_others() -> None:
    run = start("react", scripted(call("add", a=1), says("The answer", delay=0.0005)))
    leaving = asyncio.create_task(_listen_to(run))
    await asyncio.sleep(0)
    leaving.cancel()
    lines = await finish(run)
    assert end_of(lines).answer == "The answer"


async def _listen_to(run: Run) -> None:
    async for _line in run.events():
        pass


async def test_text_nobody_has_read_yet_is_gathered() -> None:
    pieces = ["word "] * 1000
    run = start("direct", scripted({"chunks": pieces}))
    await run.result()
    lines = await finish(run)
    tokens = of(lines, Token)
    assert "".join(token.text for token in tokens) == "word " * 1000
    assert len(tokens) <= 1 + 5000 // GATHER + 1
    assert [line.seq for line in lines] == list(range(len(lines)))


async def test_who_wants_text_gathered_gets_the_first_at_once_and_the_rest_in_few_pieces() -> None:
    words = [f"word{n} " for n in range(400)]
    run = start("direct", scripted({"chunks": words, "delay": 0.00001}))
    lines = [line async for line in run.events(gathered=True)]
    tokens = [event.text for event in of(lines, Token)]
    assert "".join(tokens) == "".join(words)
    assert tokens[0] == words[0]
    assert len(tokens) < 100, "as often as 20 times a second, not once for each"
    assert end_of(lines).answer == "".join(words)
    assert [line async for line in run.events()] == lines
    check_grammar(lines)


async def test_text_that_was_read_is_not_changed_any_more() -> None:
    run = start("direct", scripted({"chunks": ["a", "b", "c", "d"], "delay": 0.0005}))
    heard: list[str] = []
    async for line in run.events():
        if isinstance(line.event, Token):
            heard.append(line.event.text)
    assert "".join(heard) == "abcd"
    assert heard == [token.text for token in of(await finish(run), Token)]


async def test_thinking_and_text_are_not_mixed_when_gathered() -> None:
    run = Run(
        context(scripted()),
        mode(Thinking(0, "a"), Thinking(0, "b"), Token(0, "c"), Token(1, "d"), Thinking(1, "e"), answer="cd"),
    ).start()
    await run.result()
    said = [line.event for line in [line async for line in run.events()][1:-1]]
    assert said == [Thinking(0, "ab"), Token(0, "c"), Token(1, "d"), Thinking(1, "e")]


async def test_the_first_event_is_there_before_the_run_does_anything() -> None:
    run = start("react", scripted(says("x")))
    assert isinstance(run._log[0].event, LoopStart)
    await finish(run)


async def test_a_run_knows_its_parent() -> None:
    run = Run(context(scripted(says("x"))), MODES_BY_ID["direct"], parent="p").start()
    assert {line.parent for line in await finish(run)} == {"p"}
