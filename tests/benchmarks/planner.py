"""P15: the travel planner's reckoning in plain Python.

    python -m tests.benchmarks.planner p15 [--short] [--json]

A route of ten stops with windows, solved exactly (goal: half a second); sixty stops over 21 days (three seconds); a
thousand itineraries through the validator (five seconds). The floor is the brute force over seven stops, which must
find the same ways as the solver. The figure is the worst share of a goal.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from itertools import permutations
from random import Random
from time import perf_counter
from typing import Any

from app.core.tools.tool import ToolContext
from app.domains.travel.model.hours import Window
from app.domains.travel.model.trip import read_trip
from app.domains.travel.routing.day_route import DayProblem, Visit, solve
from app.domains.travel.tools.check import checked
from app.domains.travel.tools.routes import generate_route

TEN_STOPS, THREE_WEEKS, A_THOUSAND = 0.5, 3.0, 5.0
CITY = "beijing"
HOME = {"name": "home", "lat": 39.9, "lon": 116.4}


def a_day(random: Random, stops: int) -> DayProblem:
    """Stops on a plane, each open for a part of the day."""
    places = [(random.uniform(0, 40), random.uniform(0, 40)) for _ in range(stops)]

    def way(a: tuple[float, float], b: tuple[float, float]) -> int:
        return round(abs(a[0] - b[0]) + abs(a[1] - b[1]))

    visits = []
    for i in range(stops):
        opens = random.randrange(8 * 60, 14 * 60, 30)
        closes = opens + random.randrange(240, 600, 30)
        visits.append(Visit(f"{i:02d}", random.choice([30, 45, 60]), (Window(opens, closes, closes),)))
    home = (20.0, 20.0)
    return DayProblem(
        visits, [way(home, p) for p in places], [[way(a, b) for b in places] for a in places],
        [way(p, home) for p in places], start=8 * 60, end=22 * 60,
    )  # fmt: skip


def brute_force(problem: DayProblem) -> tuple[int, int]:
    """The most stops, then the fewest minutes on the way, over every order of every choice."""
    best = (0, 0)
    count = len(problem.visits)
    for size in range(count, 0, -1):
        for order in permutations(range(count), size):
            travel = _walked(problem, order)
            if travel is not None and (best[0] < size or travel < best[1]):
                best = (size, travel)
        if best[0] == size:
            return best
    return best


def _walked(problem: DayProblem, order: tuple[int, ...]) -> int | None:
    time, travel, last = problem.start, 0, -1
    for i in order:
        way = problem.leave[i] if last < 0 else problem.go[last][i]
        start = problem.visits[i].earliest(time + way)
        if start is None or start + problem.visits[i].minutes > problem.end:
            return None
        time, travel, last = start + problem.visits[i].minutes, travel + way, i
    return travel + problem.back[last] if time + problem.back[last] <= problem.end else None


def seconds(work: Callable[[], Any]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def route(days: int, start: str) -> dict[str, Any]:
    ctx = ToolContext(language="en")
    result = generate_route.body(ctx, {"city": CITY, "days": days, "start_date": start, "pace": "packed"})
    itinerary: dict[str, Any] = result.data["itinerary"]  # type: ignore[union-attr]  # a plain tool answers at once
    return itinerary


def sixty_stops(random: Random) -> list[dict[str, Any]]:
    """As many as may be asked for, spread over a city, with a day of rest each."""
    stops = []
    for i in range(60):
        weekly = {day: [["09:00", "18:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}
        weekly[random.choice(list(weekly))] = []
        stops.append(
            {
                "id": f"s{i}", "name": f"place {i}", "lat": 39.9 + random.uniform(-0.15, 0.15),
                "lon": 116.4 + random.uniform(-0.2, 0.2), "visit_minutes": random.choice([45, 60, 90, 120]),
                "hours": {"weekly": weekly},
            }
        )  # fmt: skip
    return stops


def three_weeks() -> None:
    args = {"stops": sixty_stops(Random(21)), "days": 21, "start_date": "2026-12-08", "lodging": HOME}
    result = generate_route.body(ToolContext(language="en"), args)
    assert not result.data["unscheduled"]  # type: ignore[union-attr]  # a plain tool answers at once


def measure(*, short: bool) -> dict[str, Any]:
    random = Random(15)
    for _ in range(5 if short else 20):
        problem = a_day(random, 5 if short else 6)
        found = solve(problem)
        assert (len(found.order), found.travel) == brute_force(problem), "the solver is not exact"
    days = [a_day(random, 10) for _ in range(3 if short else 10)]
    ten = max(seconds(lambda day=day: solve(day)) for day in days)  # type: ignore[misc]  # bound on purpose
    seven = a_day(random, 7)
    floor = seconds(lambda: brute_force(seven))
    route(1, "2026-12-08")  # the data is read once, before the clock runs
    weeks = seconds(three_weeks)
    plans = [route(3, f"2026-12-{day:02d}") for day in range(1, 11)]
    ctx = ToolContext(language="en")
    rounds = 10 if short else 100
    check = seconds(lambda: [checked(ctx, read_trip(plan), {}) for _ in range(rounds) for plan in plans])
    check *= 100 / rounds
    worst = max(ten / TEN_STOPS, weeks / THREE_WEEKS, check / A_THOUSAND)
    return {
        "name": "P15", "ours": ten, "floor": floor, "ratio": worst, "goal": 1.0, "ok": worst <= 1.0,
        "ten_stops_s": ten, "three_weeks_s": weeks, "thousand_checks_s": check,
    }  # fmt: skip


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figure", choices=["p15"])
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    row = measure(short=args.short)
    if args.json:
        sys.stdout.write(json.dumps(row) + "\n")
    else:
        for name in ("ten_stops_s", "three_weeks_s", "thousand_checks_s"):
            sys.stdout.write(f"{name:20} {row[name]:.3f}\n")
    return 0 if row["ok"] else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
