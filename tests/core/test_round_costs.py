"""What rounds cost, measured: any limit a run could have had is told by its requests up to there."""

from __future__ import annotations

import pytest

from app.core.run.analysis.round_costs import RunRounds, round_costs, rounds_of
from app.core.run.chat_model import Usage
from app.core.run.events import LoopEnd, RoundStart, RunEvent, StepEnd, StepStart, ToolReturned
from app.core.run.view import RunView, view_of


def folded(*events: RunEvent) -> RunView:
    return view_of(events)


def request(step: int, tokens: int, ms: int = 2_000, tool_ms: int | None = None) -> list[RunEvent]:
    tools: list[RunEvent] = []
    if tool_ms is not None:
        tools = [ToolReturned(step, f"c{step}", "x", True, "ok", "", "", 1, 1, False, tool_ms)]
    return [StepStart(step, 9, 1), *tools, StepEnd(step, "stop", Usage(tokens, 0), ms)]


def run(*tokens: int, limit: int = 3) -> RunRounds:
    events: list[RunEvent] = request(1, tokens[0], tool_ms=1_000)
    for number, count in enumerate(tokens[1:], 1):
        is_last = number == len(tokens) - 1
        events += [RoundStart(number, limit), *request(number + 1, count, tool_ms=None if is_last else 3_000)]
    found = rounds_of(folded(*events, LoopEnd("yes", "enough")))
    assert found is not None
    return found


def test_a_log_is_read_round_by_round() -> None:
    found = run(100, 200, 300)
    assert (found.tokens, found.rounds, found.limit) == ([100, 200, 300], 2, 3)
    assert found.model_seconds == [2.0, 2.0, 2.0]
    assert found.tool_seconds == [1.0, 3.0, 0.0]


@pytest.mark.parametrize(("rounds", "share"), [(0, 1.0), (1, 1.0), (2, 2.0), (3, 2.0), (9, 2.0)])
def test_a_run_that_ended_by_itself_tells_of_every_limit(rounds: int, share: float) -> None:
    assert run(100, 200, 300).share(rounds) == share


def test_a_run_stopped_by_its_limit_tells_nothing_of_higher_ones() -> None:
    stopped = run(100, 200, 300, limit=2)
    assert stopped.share(2) == 2.0
    assert stopped.share(3) is None


def test_five_runs_make_a_figure() -> None:
    assert round_costs([run(100, 200, 300)] * 4) is None
    costs = round_costs([run(100, 200, 300)] * 4 + [run(100, 200)])
    assert costs is not None
    assert costs.runs == 5
    assert costs.multiple(2) == pytest.approx((4 * 2 + 1) / 5)
    assert costs.model_seconds == 2.0
    assert costs.tool_seconds == pytest.approx((4 * (1 + 3) + 1) / 9)
    stopped = round_costs([run(100, 200, 300, limit=2)] * 6)
    assert stopped is not None
    assert stopped.multiple(3) is None


def test_runs_without_rounds_or_without_an_end_tell_nothing() -> None:
    assert rounds_of(folded(*request(1, 100), LoopEnd("yes", "answered"))) is None
    assert rounds_of(folded(*request(1, 100), RoundStart(1, 3), *request(2, 100))) is None
