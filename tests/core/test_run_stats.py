from __future__ import annotations

from dataclasses import replace

from app.core.run.analysis.run_stats import (
    ENOUGH_RUNS,
    Estimate,
    Measured,
    RunFigures,
    estimate_plan,
    expected,
    measured,
    sum_of,
)
from app.core.run.chat_model import Usage
from app.core.run.plan import PlanStep

STEPS = (PlanStep(1, "a", {}, "a"), PlanStep(2, "b", {}, "b", status="done"), PlanStep(3, "none", {}, "think"))


def figures(tokens: int, *, mode: str = "plan", whole: bool = True) -> RunFigures:
    return RunFigures("s", "travel", mode, 2, Usage(tokens), 4.0, whole)


def test_what_is_still_to_do_is_counted_with_the_answer() -> None:
    assert estimate_plan(STEPS, ()) == Estimate(1, 2, None, None, 0)


def test_tokens_and_time_are_the_median_of_whole_earlier_plans() -> None:
    runs = [figures(100), figures(200), figures(9_000), figures(1, mode="react"), figures(1, whole=False)]
    assert estimate_plan(STEPS, runs) == Estimate(1, 2, 200, 4.0, 3, request_seconds=2.0)


def test_between_two_middle_runs_the_estimate_is_their_mean() -> None:
    assert estimate_plan(STEPS, [figures(100), figures(300)]).tokens == 200


def test_sums_are_of_all_runs() -> None:
    assert sum_of([figures(100), figures(5, mode="react")]).total == 105


def test_own_figures_need_enough_whole_runs_and_leave_out_the_outliers() -> None:
    runs = [figures(100 * n) for n in range(1, 21)]
    assert measured(runs[: ENOUGH_RUNS - 1]) is None
    assert measured([figures(1, whole=False)] * 9) is None
    assert measured(runs) == Measured(20, (4.0, 4.0), (300, 1_800))


def test_the_next_run_is_expected_to_take_what_the_middle_of_the_last_ones_took() -> None:
    mine = [figures(100 * n, mode="react") for n in range(1, 6)]
    found = expected([*mine, *[figures(9_000)] * 9], "react")
    assert found is not None
    assert (found.runs, found.usage.total, found.seconds) == (5, 300, 4.0)
    assert expected(mine[:4], "react") is None, "four are too few"
    assert expected([*mine[:4], figures(1, mode="react", whole=False)], "react") is None
    own = [replace(run, model="m") for run in mine]
    found = expected([*own, *[figures(9_000, mode="react")] * 9], "react", "m")
    assert found is not None
    assert (found.runs, found.usage.total) == (5, 300), "the model's own runs, where there are enough"
