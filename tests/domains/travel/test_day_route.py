"""The exact day: against trying everything, and the rules of meals and limits."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from app.domains.travel.model.hours import Window
from app.domains.travel.routing.day_route import DINNER, LUNCH, DayProblem, Meal, Visit, solve
from tests.every import looped

ALL_DAY = (Window(0, 1440, 1440),)


def problem(visits: list[Visit], ways: dict[str, int] | int, **more: object) -> DayProblem:
    """Ways as {"0>1": minutes, "H>0": …} with a default of 10, or one figure for all."""
    count = len(visits)

    def way(a: object, b: object) -> int:
        return ways if isinstance(ways, int) else ways.get(f"{a}>{b}", 10)

    settings: dict[str, object] = {"start": 540, "end": 1260, **more}
    return DayProblem(
        visits,
        [way("H", i) for i in range(count)],
        [[way(i, j) for j in range(count)] for i in range(count)],
        [way(i, "H") for i in range(count)],
        **settings,  # type: ignore[arg-type]
    )


def outcomes(day: DayProblem) -> Iterator[tuple[int, int, int, int]]:
    """Every day there is, as (-must, -stops, travel, finish): written without a look at the solver."""

    def eat(time: int, meal: Meal) -> int | None:
        end = max(time, meal.start) + meal.minutes
        return end if end <= meal.end else None

    def walk(
        at: int, time: int, travel: int, finish: int, seen: tuple[int, ...], meals: tuple[Meal, ...], going: int | None
    ) -> Iterator[tuple[int, int, int, int]]:
        # `going` is None at a place, an index at a door not yet passed, -1 when back at the start.
        for k, meal in enumerate(meals):
            end = eat(time, meal)
            if end is not None:
                yield from walk(at, end, travel, finish, seen, meals[:k] + meals[k + 1 :], going)
        if going == -1:
            fits = (
                day.max_visiting is None
                or len(seen) == 1
                or sum(day.visits[i].minutes for i in seen) <= day.max_visiting
            )
            if not meals and time <= day.end and fits:
                yield -sum(day.visits[i].must for i in seen), -len(seen), travel, finish
            return
        if going is not None:
            start = day.visits[going].earliest(time)
            if start is not None:
                end = start + day.visits[going].minutes
                yield from walk(going, end, travel, end, (*seen, going), meals, None)
            return
        if seen:
            back = day.back[at]
            yield from walk(at, time + back, travel + back, finish, seen, meals, -1)
        if len(seen) < day.max_stops:
            for i in range(len(day.visits)):
                if i not in seen:
                    way = day.leave[i] if at < 0 else day.go[at][i]
                    yield from walk(at, time + way, travel + way, finish, seen, meals, i)

    yield from walk(-1, day.start, 0, day.start, (), day.meals, None)


def random_day(seed: int, most: int, meals: tuple[Meal, ...]) -> DayProblem:
    luck = random.Random(seed)
    count = luck.randint(1, most)
    visits = []
    for i in range(count):
        opening = luck.choice([0, 480, 540, 600, 840, 1080])
        closing = opening + luck.choice([120, 240, 480, 900])
        last = closing - luck.choice([0, 0, 30, 60])
        visits.append(
            Visit(f"s{i}", luck.choice([30, 60, 90, 120, 180]), (Window(opening, closing, last),), luck.random() < 0.2)
        )
    return DayProblem(
        visits,
        [luck.randint(5, 60) for _ in visits],
        [[luck.randint(5, 60) for _ in visits] for _ in visits],
        [luck.randint(0, 60) for _ in visits],
        start=540,
        end=luck.choice([1020, 1200, 1260, 1320]),
        meals=meals,
        max_stops=luck.choice([2, 3, 4, 10]),
        max_visiting=luck.choice([None, 360, 480]),
    )


@looped("seed", range(60))
def test_nothing_beats_it_among_all_orders_of_six_stops(seed: int) -> None:
    day = random_day(seed, 6, ())
    best = min(outcomes(day), default=(0, 0, 0, 540))
    route = solve(day)
    assert route.key(day.visits)[:4] == best


@looped("seed", range(100, 130))
def test_nothing_beats_it_when_meals_are_to_be_had(seed: int) -> None:
    day = random_day(seed, 4, (LUNCH, DINNER))
    best = min(outcomes(day), default=(0, 0, 0, 540))
    route = solve(day)
    assert route.key(day.visits)[:4] == best


@pytest.mark.parametrize("seed", range(200, 203))
def test_nothing_beats_it_among_seven_stops(seed: int) -> None:
    day = random_day(seed, 7, (LUNCH,))
    assert solve(day).key(day.visits)[:4] == min(outcomes(day), default=(0, 0, 0, 540))


@looped("seed", range(300, 340))
def test_what_is_written_out_can_be_lived(seed: int) -> None:
    day = random_day(seed, 7, (LUNCH, DINNER))
    route = solve(day)
    time, travel = day.start, 0
    for step in route.steps:
        assert step.start == time + step.travel + step.wait
        assert step.wait >= 0
        if step.index is not None:
            visit = day.visits[step.index]
            assert step.end - step.start == visit.minutes
            assert any(w.start <= step.start <= w.last_entry and step.end <= w.end for w in visit.windows)
        else:
            meal = LUNCH if step.code == "lunch" else DINNER
            assert meal.start <= step.start
            assert step.end == step.start + 60 <= meal.end
        time, travel = step.end, travel + step.travel
    if route.order:
        assert time + route.back == route.home <= day.end
        assert travel + route.back == route.travel
        assert {step.code for step in route.steps if step.index is None} == {"lunch", "dinner"}


def test_a_must_see_is_worth_more_than_two_others() -> None:
    visits = [
        Visit("long", 660, ALL_DAY, must=True),
        Visit("a", 60, ALL_DAY),
        Visit("b", 60, ALL_DAY),
    ]
    route = solve(problem(visits, 10))
    assert [visits[i].id for i in route.order] == ["long"]


def test_more_stops_are_worth_more_than_a_short_way() -> None:
    visits = [Visit("near", 60, ALL_DAY), Visit("far", 60, ALL_DAY)]
    route = solve(problem(visits, {"H>1": 100, "0>1": 100, "1>H": 100}))
    assert len(route.order) == 2


def test_equal_ways_are_decided_by_the_ids() -> None:
    visits = [Visit("b", 60, ALL_DAY), Visit("a", 60, ALL_DAY)]
    assert [visits[i].id for i in solve(problem(visits, 10)).order] == ["a", "b"]


def test_one_long_stop_may_exceed_the_active_hours_of_the_pace() -> None:
    park = Visit("park", 540, ALL_DAY)
    assert solve(problem([park], 30, max_visiting=480)).order == (0,)
    assert len(solve(problem([park, Visit("x", 30, ALL_DAY)], 30, max_visiting=480)).order) == 1


def test_a_way_that_gets_shorter_by_another_stop_is_found() -> None:
    visits = [Visit("a", 60, ALL_DAY), Visit("b", 60, ALL_DAY)]
    route = solve(problem(visits, {"0>H": 900, "0>1": 5, "1>H": 5, "1>0": 900}))
    assert [visits[i].id for i in route.order] == ["a", "b"]


def test_a_meal_may_be_had_inside_a_long_visit() -> None:
    park = Visit("park", 480, (Window(600, 1200, 1080),))
    route = solve(problem([park], 10, meals=(LUNCH, DINNER)))
    assert "lunch" in route.inside_meals
    assert route.order == (0,)


def test_nothing_possible_is_an_empty_day() -> None:
    assert solve(problem([Visit("a", 60, ())], 10)).order == ()


def test_more_than_ten_stops_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 10"):
        solve(problem([Visit(str(i), 10, ALL_DAY) for i in range(11)], 1))
