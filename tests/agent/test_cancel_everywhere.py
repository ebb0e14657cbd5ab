"""Stop at every point where a run waits: always one orderly end, in every mode, and nothing goes on behind it."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from app.agent.modes.pipeline import NextAgent
from app.agent.policy.permission import Permissions
from app.agent.run import Run
from app.core.run.chat_model import ModelRequest
from app.core.run.events import LoopEnd, LoopError, StepEnd, ToolReturned
from app.core.run.transcript import fold, replay
from tests.fakes import MODES_BY_ID, Kit, call, calls, context, events, fails, finish, of, profile, says, scripted

PLAN = {
    "goal": "g",
    "steps": [
        {"step": 1, "action": "add", "params": {"a": 1}},
        {"step": 2, "action": "none", "needs": [1]},
        {"step": 3, "action": "save", "params": {"text": "x"}, "needs": [1]},
    ],
}
RUNS: dict[str, tuple[str, Callable[[], list[dict[str, Any]]], dict[str, Any]]] = {
    "direct": ("direct", lambda: [{"reasoning": "hm", "chunks": ["a", "b", "c"]}], {}),
    "react": (
        "react",
        lambda: [
            {**calls(("add", {"a": 1}), ("save", {"text": "x"}), ("alone", {})), "content": "I look."},
            fails("500"),
            call("long_text", length=9_000),
            says("done"),
        ],
        {"enable_reflection": True, "max_retries": 2},
    ),
    "plan": ("plan", lambda: [call("city", name="x"), says(json.dumps(PLAN)), says("thought"), says("done")], {}),
    "a schema": ("react", lambda: [says("no"), says('{"a": 1}')], {"output_schema": {"type": "object"}}),
    "compaction": (
        "react",
        lambda: [*(call("long_text", length=3_900, mark=mark) for mark in "abcd"), says("summary"), says("done")],
        {"context_limit": 4_000},
    ),
    "scored rounds": (
        "react",
        lambda: [call("add", a=1), says(MORE), call("add", a=2), says("done")],
        {"enable_reflection": True, "reflection_style": "scored"},
    ),
    "another agent": ("react", lambda: [says("notes"), call("city", name="x"), says("done")], {"then": "writer"}),
}
MORE = '{"is_resolved": false, "quality_score": 20, "confidence": 10, "missing": "x", "next_queries": ["y"]}'


def _run(kind: str) -> Run:
    mode, turns, settings = RUNS[kind]
    kit = Kit()
    kit.gate.set()
    model = scripted(*turns(), repeat_last=True)

    async def get_next(agent: str) -> NextAgent:
        await asyncio.sleep(0)
        return NextAgent(profile(id=agent), model, kit.tools, "you write", Permissions({"*": "allow"}))

    return Run(context(model, kit.tools, settings=settings, get_next=get_next), MODES_BY_ID[mode])


async def _turns(count: int) -> None:
    for _turn in range(count):
        await asyncio.sleep(0)


async def _length(kind: str) -> int:
    """Turns of the loop that the whole run takes."""
    run = _run(kind).start()
    turns = 0
    while run.is_running:
        await asyncio.sleep(0)
        turns += 1
    return turns


@pytest.mark.parametrize("most", [30, pytest.param(100_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", RUNS)
async def test_R26_stopped_at_any_moment_a_run_ends_in_order(kind: str, most: int) -> None:
    moments = range(await _length(kind) + 1)
    for moment in random.Random(26).sample(moments, min(most, len(moments))):
        run = _run(kind)
        run.start()
        await _turns(moment)
        was_running = run.is_running
        run.cancel()
        lines = await asyncio.wait_for(finish(run), 30)
        end = await run.result()
        if was_running:
            assert isinstance(end, LoopEnd) or (end.reason, end.error.code) == ("cancelled", "CANCELLED")
        message = fold(events(lines), "m")
        assert message.state in ("stopped", "complete")
        assert fold(replay(message), "m") == message
        if isinstance(end, LoopError):
            assert message.text.endswith(end.partial)
            assert all(result.text for result in of(lines, ToolReturned))
            assert [step.step for step in of(lines, StepEnd)] == list(range(1, end.steps + 1))


@pytest.mark.parametrize("moment", [0, 1, 5, 20])
async def test_R26_a_second_press_ends_it_at_once_whatever_hangs(moment: int) -> None:
    class Deaf:
        ref, traits = "fake/deaf", context(scripted()).traits

        async def stream(self, _request: ModelRequest) -> Any:
            while True:
                try:
                    await asyncio.sleep(60)
                except asyncio.CancelledError:
                    if stop.is_set():
                        raise
            yield None

        async def aclose(self) -> None:
            return

    stop = asyncio.Event()
    run = Run(context(Deaf()), MODES_BY_ID["react"]).start()
    await _turns(moment)
    run.cancel()
    await _turns(3)
    run.cancel()
    assert not run.is_running
    lines = await asyncio.wait_for(finish(run), 30)
    assert isinstance(lines[-1].event, LoopError)
    stop.set()
    run.cancel()
    if run._task is not None:
        run._task.cancel()
        await asyncio.wait([run._task], timeout=60)
