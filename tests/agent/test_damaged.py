"""Damage on the wire, to the end of the run: nothing runs from it, nothing hides it, and the text so far stays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.agent.run import Run
from app.agent.subagent import task_tool
from app.core.profile import Budget
from app.core.run.chat_model import SystemTurn, UserTurn
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, LoopError, Notice, PlanStepChanged, Retry, ToolReturned, ToolStarted
from app.core.run.outcome import outcome_of
from app.core.run.transcript import fold
from app.core.tools.tool import TASK
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat, warm_up
from app.providers.http.timeouts import RequestTimeouts
from tests.fakes import MODES_BY_ID, Kit, call, context, events, finish, of, profile, says, scripted
from tests.rigs.fault_server import Exchange, FaultServer, Scenario
from tests.rigs.holes import Holed, holed
from tests.rigs.replay import is_event_stream, own_streams

LIMITS = RequestTimeouts(connect=5.0, first_byte=5.0, bytes=5.0, content=5.0, total=30.0, rest=0.2)
BAD = b'data: {"choices":[{"index":0,"delta":{"content":"no, never \n\n'
DEEP = b"data: " + b"[" * 200_000 + b"\n\n"
BYTES = b'data: {"choices":[{"index":0,"delta":{"content":"\xff"}}]}\n\n'


def piece(finish: str | None = None, **delta: Any) -> bytes:
    return (
        b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}).encode() + b"\n\n"
    )


def fragment(arguments: str, **more: Any) -> bytes:
    function = {"arguments": arguments, **({"name": more.pop("name")} if "name" in more else {})}
    return piece(tool_calls=[{"index": 0, "function": function, **more}])


SAVE = (fragment('{"text":"do ', id="c1", name="save"), fragment('delete everything"}'))
DONE = b"data: [DONE]\n\n"


def sends(*answers: bytes) -> Scenario:
    """One answer for each request, the last one for all that follow."""
    asked = 0

    async def scenario(exchange: Exchange) -> None:
        nonlocal asked
        asked += 1
        await exchange.head()
        await exchange.send(answers[min(asked, len(answers)) - 1])

    return scenario


async def _run(url: str, kit: Kit, mode: str = "react", **settings: Any) -> list[Stamped]:
    model = OpenAIChat(ModelEndpoint("test", url, "sk-test-0123456789abc"), "m", limits=LIMITS)
    run = Run(context(model, kit.tools, settings={"max_retries": 2, **settings}), MODES_BY_ID[mode]).start()
    lines = await finish(run)
    await model.aclose()
    return lines


async def test_a_call_with_a_hole_in_its_arguments_never_runs() -> None:
    """`{"text":"do ` + an event nobody can read + `delete everything"}`, before and after visible text."""
    for bad in (BAD, DEEP, BYTES, b"data: oops\n\n"):
        holed_call = SAVE[0] + bad + SAVE[1] + piece("tool_calls") + DONE
        kit = Kit()
        async with FaultServer(sends(holed_call)) as server:
            lines = await _run(server.base_url, kit)
        end = lines[-1].event
        assert isinstance(end, LoopError), bad[:40]
        assert (end.error.code, len(of(lines, Retry)), len(server.requests)) == ("DAMAGED", 2, 3)
        assert (kit.ran, of(lines, ToolStarted)) == ([], [])

        async with FaultServer(sends(piece(content="I save it.") + holed_call)) as server:
            lines = await _run(server.base_url, kit)
        end = lines[-1].event
        assert isinstance(end, LoopEnd), bad[:40]
        assert (end.stop_reason, end.answer, len(server.requests)) == ("damaged", "I save it.", 1)
        assert (kit.ran, of(lines, ToolStarted)) == ([], [])


async def test_damage_before_visible_text_is_asked_again() -> None:
    kit = Kit()
    good = SAVE[0] + SAVE[1] + piece("tool_calls") + DONE
    async with FaultServer(
        sends(SAVE[0] + BAD + SAVE[1] + DONE, good, piece("stop", content="saved") + DONE)
    ) as server:
        lines = await _run(server.base_url, kit)
    assert [retry.code for retry in of(lines, Retry)] == ["DAMAGED"]
    assert isinstance(end := lines[-1].event, LoopEnd)
    assert (end.stop_reason, end.answer) == ("answered", "saved")
    assert kit.ran == [("save", {"text": "do delete everything"})]


async def test_after_visible_text_every_mode_keeps_it_and_says_what_happened() -> None:
    text = piece(content="Hello, ") + BAD + piece("stop", content="world") + DONE
    steps = [
        {"step": 1, "action": "none", "description": "think"},
        {"step": 2, "action": "add", "params": {"a": 1}, "description": "add", "needs": [1]},
    ]
    plan = {"goal": "g", "steps": steps}
    made = piece("stop", content=json.dumps(plan)) + DONE
    for mode, answers in {"direct": [text], "react": [text], "plan": [made, text]}.items():
        kit = Kit()
        async with FaultServer(sends(*answers)) as server:
            lines = await _run(server.base_url, kit, mode)
        end, message = lines[-1].event, fold(events(lines), "m")
        assert isinstance(end, LoopEnd), (mode, end)
        assert (end.stop_reason, end.answer, message.state) == ("damaged", "Hello, ", "interrupted"), mode
        assert [notice.code for notice in of(lines, Notice)] == ["damaged"], mode
        assert outcome_of(end).exit_code == 1
        assert len(server.requests) == len(answers), mode
        assert kit.ran == [], mode
        if mode == "plan":
            changed = [(change.step, change.status) for change in of(lines, PlanStepChanged)]
            assert changed[-2:] == [(1, "failed"), (2, "skipped")]


async def test_noise_and_empty_values_are_no_damage() -> None:
    noise = b": ping\n\nretry: 5\n\nid: 7\n\nevent: ping\n\ndata:\n\ndata: \n\n"
    empty = b'data: null\n\ndata: 42\n\ndata: "x"\n\ndata: {"choices":[]}\n\ndata: {"choices":[{"delta":{}}]}\n\n'
    body = noise + piece(content="Hello, ") + noise + empty + piece("stop", content="world") + noise + DONE
    async with FaultServer(sends(body)) as server:
        lines = await _run(server.base_url, Kit())
    assert isinstance(end := lines[-1].event, LoopEnd)
    assert (end.stop_reason, end.answer, of(lines, Notice)) == ("answered", "Hello, world", [])


async def test_a_sub_agent_whose_answer_was_damaged_has_failed() -> None:
    async with FaultServer(sends(piece(content="half of it ") + BAD + DONE)) as server:
        child = OpenAIChat(ModelEndpoint("test", server.base_url, "sk-test-0123456789abc"), "m", limits=LIMITS)
        ctx = context(scripted(call(TASK, agent="helper", prompt="look"), says("it did not work")))

        async def start(agent: str, prompt: str, budget: Budget | None = None) -> Run:
            turns: list[Any] = [SystemTurn("help"), UserTurn(prompt)]
            inner = ctx.child(
                profile=profile(id=agent),
                model=child,
                tools={},
                query=prompt,
                turns=turns,
                permissions=ctx.services.permissions,
            )
            return Run(inner, MODES_BY_ID["react"], parent=ctx.request.run_id).start()

        ctx.services.tools = {TASK: task_tool({"helper": "looks"}, start)}
        lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
        await child.aclose()
    (result,) = of(lines, ToolReturned)
    assert not result.ok
    assert "damaged" in result.text
    assert "half of it" in result.text


# ---------------------------------------------------------------- many, over a real connection

GOOD = [
    data
    for _, data, expected in own_streams(Path(__file__).resolve().parents[1] / "data" / "streams")
    if is_event_stream(data) and "error" not in expected and len(data) < 20_000
]


async def hidden(streams: Sequence[Holed]) -> list[str]:
    """Holes after which the run answered as if nothing had happened, or ran a tool."""
    warm_up()
    wrong: list[str] = []
    for n, stream in enumerate(streams):
        kit = Kit()
        kit.gate.set()
        # The second request gets an honest answer: what the first one was believed to say shows in the log.
        async with FaultServer(sends(stream.data, piece("stop", content="after all") + DONE)) as server:
            lines = await _run(server.base_url, kit, ["react", "direct"][n % 2], max_retries=0)
        end = lines[-1].event
        assert isinstance(end, LoopEnd | LoopError)
        says_so = isinstance(end, LoopError) or end.stop_reason == "damaged"
        if stream.has_hole and (not says_so or of(lines, ToolStarted)):
            wrong.append(f"{n} ({stream.how}) {end}: {stream.data[:300]!r}")
        if says_so and outcome_of(end).exit_code != 1:
            wrong.append(f"{n}: exit code {outcome_of(end).exit_code} after {end}")
    return wrong


async def test_no_hole_on_the_wire_is_hidden() -> None:
    assert await hidden(list(holed(GOOD, 25, seed=11))) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
async def test_no_hole_of_a_thousand_on_the_wire_is_hidden() -> None:
    streams = list(holed(GOOD, 1_400, seed=1_138))
    assert sum(stream.has_hole for stream in streams) > 1_000
    assert await hidden(streams) == []
