"""Whatever a model says, in any mode, with any limits: the grammar holds and nothing is our mistake (R24)."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from app.agent.request.history import repair, turns_of
from app.agent.run import Run
from app.core.profile import Budget
from app.core.run.chat_model import AssistantTurn, ResultTurn
from app.core.run.event_line import Stamped
from app.core.run.events import Approval, BudgetLevel, LoopError, PhaseStart, Question
from app.core.run.messages import user_message
from app.core.run.outcome import UNFINISHED
from app.core.run.transcript import fold, replay
from tests.fakes import MODES_BY_ID, Kit, call, calls, context, events, fails, finish, says, scripted

PLAN = {
    "goal": "g",
    "steps": [
        {"action": "add", "params": {"a": 1}},
        {"action": "none", "needs": [1]},
        {"action": "broken"},
        {"action": "city", "params": {"name": "$3.data"}},
        {"action": "save", "params": {"text": "$2.data"}, "needs": [3]},
    ],
}
TURNS: Sequence[dict[str, Any]] = (
    says("ok"),
    says(""),
    says("cut", finish="length"),
    says("bad", finish="content_filter"),
    says("odd", finish="other"),
    {"reasoning": "only thinking"},
    call("add", a=1),
    call("add", a=2),
    call("save", text="x"),
    call("fetch", host="h"),
    call("nope"),
    call("long_text", length=30_000),
    calls(("add", '{"a": NaN}')),
    calls(("add", {"a": 1}), ("broken", {"how": "raise"}), ("alone", {}), ("add", {"a": 1})),
    {**call("add", a=3), "finish": "length"},
    {**call("save", text="y"), "content": "I save."},
    *(fails(word) for word in ("500", "429", "401", "context_overflow", "disconnect_after:0")),
    {"chunks": ["par", "tial"], "raise": "disconnect_after:1"},
    {"reasoning": "a long thought", "raise": "disconnect_after:1"},
    says(json.dumps(PLAN)),
    says('```json\n{"goal": "g", "steps": [{"action": "fly"}]}\n```'),
    says('{"is_resolved": false, "quality_score": 20, "confidence": 10, "missing": "x", "next_queries": ["y"]}'),
    says('{"is_resolved": true, "quality_score": 90, "confidence": 90}\nfine'),
)

WATCHDOG = 60.0
"""Seconds after which a run of these hangs."""


def any_run(rng: random.Random) -> Run:
    settings = {
        "max_steps": rng.randrange(1, 6),
        "enable_reflection": rng.random() < 0.6,
        "reflection_style": rng.choice(["guided", "scored"]),
        "max_reflection_iterations": rng.randrange(0, 4),
        "max_retries": rng.randrange(0, 3),
        "context_limit": rng.choice([4_000, 40_000]),
        "parallel_tool_calls": rng.random() < 0.8,
        "tools": {"*": rng.choice(["allow", "ask"])},
        "plan_review": rng.choice(["always", "writes", "never"]),
    }
    budget = rng.choice([None, None, Budget(tokens=rng.randrange(20, 3_000)), Budget(tool_calls=rng.randrange(1, 4))])
    model = scripted(*(rng.choice(TURNS) for _ in range(rng.randrange(1, 9))), repeat_last=rng.random() < 0.3)
    ctx = context(
        model, Kit().tools, settings=settings, budget=budget, approve=rng.choice(["ask", "all", "none"]),
        interactive=rng.random() < 0.3, query=rng.choice(["hi", "帮我规划", "why"]), plan_only=rng.random() < 0.1,
    )  # fmt: skip
    return Run(ctx, MODES_BY_ID[rng.choice(["react", "plan", "direct", "auto"])])


async def a_person(run: Run, rng: random.Random, *, stops: bool) -> list[Stamped]:
    """Answers what is asked, and sometimes presses Stop or Answer now."""
    async for line in run.events():
        match line.event:
            case Approval(id):
                run.approve(id, rng.choice(["once", "run", "deny"]))
            case PhaseStart("approval"):
                run.submit_plan("mine", PLAN["steps"][:2])  # type: ignore[arg-type]
            case Question(id, _text, options):
                run.answer(id, rng.choice([*options, "as you like"]))
            case BudgetLevel(level="pause"):
                presses: list[Callable[[], object]] = [run.answer_now, run.cancel, lambda: run.raise_budget(1e6)]
                rng.choice(presses)()
            case _ if stops and rng.random() < 0.05:
                rng.choice([run.cancel, run.answer_now])()
            case _:
                pass
    return await finish(run)


async def _check(seed: int, runs: int, *, stops: bool) -> None:
    rng = random.Random(seed)
    for n in range(runs):
        run = any_run(rng).start()
        lines = await asyncio.wait_for(a_person(run, rng, stops=stops), WATCHDOG)
        end = lines[-1].event
        assert not (isinstance(end, LoopError) and end.reason == "internal"), (seed, n, end)
        message = fold(events(lines), "m")
        assert message.state not in UNFINISHED
        assert fold(replay(message), "m") == message
        turns = repair(turns_of([user_message("u", "q", created=0.0), message]))
        asked = [made.id for turn in turns if isinstance(turn, AssistantTurn) for made in turn.calls]
        assert [turn.call_id for turn in turns if isinstance(turn, ResultTurn)] == asked


@pytest.mark.parametrize("stops", [False, True])
async def test_R24_any_run_ends_well(stops: bool) -> None:
    await _check(24, 60, stops=stops)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(8))
async def test_R24_many_runs_end_well(seed: int) -> None:
    await _check(seed, 5_000, stops=seed % 2 == 1)
