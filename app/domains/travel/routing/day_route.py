"""The best order of one day's stops, exactly, by dynamic programming over subsets.

Ten stops at most. A state is the set of stops seen, the last of them and the meals eaten; what is kept per state are
the pairs of (time, travel) that no other pair beats in both. Better means, in this order: more must-sees, more stops,
fewer minutes on the way, an earlier end of the last visit (so less waiting), smaller ids.

Between two visits lies a gap: the way, a wait for the doors, and any meals, eaten before or after the way, whichever
ends earlier. Waiting for the doors and eating may be the same time. Meals may also lie before the first leg or after
the last. A visit of four hours or more can hold a meal inside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ..model.hours import Window

MAX_STOPS = 10
MEAL_INSIDE_VISIT = 240


@dataclass(frozen=True, slots=True)
class Meal:
    code: str
    start: int
    end: int
    minutes: int = 60


LUNCH = Meal("lunch", 11 * 60, 13 * 60 + 30)
DINNER = Meal("dinner", 17 * 60, 20 * 60)


@dataclass(frozen=True, slots=True)
class Visit:
    id: str
    minutes: int
    windows: tuple[Window, ...]
    must: bool = False

    def earliest(self, ready: int) -> int | None:
        """When the visit can start if one is before the door at `ready`."""
        for window in self.windows:
            start = max(ready, window.start)
            if start <= window.last_entry and start + self.minutes <= window.end and start < window.end:
                return start
        return None


@dataclass(frozen=True)
class DayProblem:
    """Stops and the minutes between them; `leave` from the day's start, `back` to its end."""

    visits: Sequence[Visit]
    leave: Sequence[int]
    go: Sequence[Sequence[int]]
    back: Sequence[int]
    start: int
    end: int
    meals: tuple[Meal, ...] = ()
    max_stops: int = MAX_STOPS
    max_visiting: int | None = None
    """Minutes of visits together, without ways; a day of a single stop may exceed it."""
    meal_first: bool = True
    """Whether a meal may come before the first visit."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done: a visit (`index` into the problem's visits) or a meal (index None, `code` says which)."""

    index: int | None
    code: str
    start: int
    end: int
    travel: int
    """Minutes on the way immediately before it; 0 where one stays."""
    wait: int
    leg: tuple[int | None, int | None] | None = None
    """The ends of that way as indices; None is the day's start or end."""


@dataclass(frozen=True)
class Route:
    order: tuple[int, ...] = ()
    steps: tuple[Step, ...] = ()
    travel: int = 0
    finish: int = 0
    """The end of the last visit."""
    home: int = 0
    """When the day's end is reached, after the way back."""
    back: int = 0
    must: int = 0
    inside_meals: tuple[str, ...] = ()

    def key(self, visits: Sequence[Visit]) -> tuple[int, int, int, int, tuple[str, ...]]:
        """Less is better."""
        return (-self.must, -len(self.order), self.travel, self.finish, tuple(visits[i].id for i in self.order))


@dataclass(slots=True)
class _Label:
    time: int
    travel: int
    index: int = -1
    before: _Label | None = None
    meals: tuple[int, ...] = ()
    """Meals eaten in the gap before this visit."""
    inside: tuple[int, ...] = ()
    start: int = 0


_States = dict[tuple[int, int], list[_Label]]


@dataclass
class _Search:
    problem: DayProblem
    states: list[_States] = field(default_factory=list)
    visit_sum: list[int] = field(default_factory=list)
    subsets: list[tuple[tuple[int, ...], ...]] = field(default_factory=list)
    """By the meals eaten: every choice of meals still to be had."""
    must: int = 0

    def run(self) -> Route:
        problem, count = self.problem, len(self.problem.visits)
        self.visit_sum = [
            sum(problem.visits[i].minutes for i in range(count) if mask >> i & 1) for mask in range(1 << count)
        ]
        self.subsets = [tuple(_subsets(len(problem.meals), eaten)) for eaten in range(1 << len(problem.meals))]
        self.must = sum(1 << i for i, visit in enumerate(problem.visits) if visit.must)
        self.states = [{} for _ in range(1 << count)]
        self.states[0][-1, 0] = [_Label(problem.start, 0)]
        best = Route(finish=problem.start, home=problem.start)
        for mask in range(1 << count):
            for (last, eaten), labels in self.states[mask].items():
                for label in labels:
                    if mask:
                        best = self._finished(label, mask, last, eaten, best)
                    if mask.bit_count() < problem.max_stops:
                        self._extend(mask, last, eaten, label)
        return best

    def _extend(self, mask: int, last: int, eaten: int, label: _Label) -> None:
        problem = self.problem
        for i, visit in enumerate(problem.visits):
            if mask >> i & 1:
                continue
            way = problem.leave[i] if last < 0 else problem.go[last][i]
            for meals in self.subsets[eaten]:
                if not mask and meals and not problem.meal_first:
                    continue
                ready = _through_gap(label.time, way, [problem.meals[m] for m in meals])
                start = None if ready is None else visit.earliest(ready[0])
                if start is None:
                    continue
                end = start + visit.minutes
                seen, travel = mask | 1 << i, label.travel + way
                # The way back is judged at the end only: where ways are not symmetric, another stop may shorten it.
                if end > problem.end or not self._affordable(seen):
                    continue
                inside = self._meals_inside(visit, start, eaten, meals)
                now_eaten = eaten | sum(1 << m for m in (*meals, *inside))
                if self._meal_missed(end, now_eaten):
                    continue
                self._keep(seen, i, now_eaten, _Label(end, travel, i, label, meals, inside, start))

    def _affordable(self, mask: int) -> bool:
        limit = self.problem.max_visiting
        return limit is None or mask.bit_count() == 1 or self.visit_sum[mask] <= limit

    def _meal_missed(self, time: int, eaten: int) -> bool:
        return any(not eaten >> m & 1 and time + meal.minutes > meal.end for m, meal in enumerate(self.problem.meals))

    def _meals_inside(self, visit: Visit, start: int, eaten: int, meals: tuple[int, ...]) -> tuple[int, ...]:
        if visit.minutes < MEAL_INSIDE_VISIT:
            return ()
        end = start + visit.minutes
        return tuple(
            m
            for m, meal in enumerate(self.problem.meals)
            if not eaten >> m & 1 and m not in meals and min(end, meal.end) - max(start, meal.start) >= meal.minutes
        )

    def _keep(self, mask: int, last: int, eaten: int, label: _Label) -> None:
        labels = self.states[mask].setdefault((last, eaten), [])
        for other in labels:
            tie = (other.time, other.travel) == (label.time, label.travel)
            beaten = other.time <= label.time and other.travel <= label.travel
            if beaten and (not tie or self._ids(other) <= self._ids(label)):
                return
        labels[:] = [o for o in labels if not (label.time <= o.time and label.travel <= o.travel)]
        labels.append(label)

    def _ids(self, label: _Label) -> tuple[str, ...]:
        return tuple(self.problem.visits[step.index].id for step in _chain(label))

    def _finished(self, label: _Label, mask: int, last: int, eaten: int, best: Route) -> Route:
        """The day that goes home after `label`, if it is allowed and better."""
        problem = self.problem
        back = problem.back[last]
        must, travel = (mask & self.must).bit_count(), label.travel + back
        rank = -must, -mask.bit_count(), travel, label.time
        best_rank = -best.must, -len(best.order), best.travel, best.finish
        if rank > best_rank:
            return best
        missing = tuple(m for m in range(len(problem.meals)) if not eaten >> m & 1)
        home = _through_gap(label.time, back, [problem.meals[m] for m in missing])
        if home is None or home[0] > problem.end:
            return best
        order = tuple(step.index for step in _chain(label))
        bare = Route(order, travel=travel, finish=label.time, must=must)
        if bare.key(problem.visits) >= best.key(problem.visits):
            return best
        return self._written_out(label, bare, missing, back)

    def _written_out(self, label: _Label, bare: Route, missing: tuple[int, ...], back: int) -> Route:
        problem, steps, inside = self.problem, [], []
        time, last = problem.start, -1
        for visited in _chain(label):
            i = visited.index
            way = problem.leave[i] if last < 0 else problem.go[last][i]
            leg = (None if last < 0 else last, i)
            done, time, way_left = _gap_steps(time, way, [problem.meals[m] for m in visited.meals], leg)
            steps += done
            visit = problem.visits[i]
            wait = visited.start - time
            end = visited.start + visit.minutes
            steps.append(Step(i, visit.id, visited.start, end, way_left, wait, leg if way_left else None))
            inside += [problem.meals[m].code for m in visited.inside]
            time, last = end, i
        done, time, way_left = _gap_steps(time, back, [problem.meals[m] for m in missing], (last, None))
        steps += done
        return Route(bare.order, tuple(steps), bare.travel, bare.finish, time, way_left, bare.must, tuple(inside))


def solve(problem: DayProblem) -> Route:
    """The best route of the day; the empty one if nothing fits."""
    if len(problem.visits) > MAX_STOPS:
        raise ValueError(f"at most {MAX_STOPS} stops")
    return _Search(problem).run()


def _chain(label: _Label) -> list[_Label]:
    chain = []
    while label.before is not None:
        chain.append(label)
        label = label.before
    return chain[::-1]


def _subsets(count: int, eaten: int) -> Iterator[tuple[int, ...]]:
    missing = [m for m in range(count) if not eaten >> m & 1]
    for size in range(len(missing) + 1):
        yield from combinations(missing, size)


def _through_gap(time: int, way: int, meals: Sequence[Meal]) -> tuple[int, int] | None:
    """When one is at the next door, and after how many meals one sets out; None if a meal misses its hours."""
    if not meals:
        return time + way, 0
    best: tuple[int, int] | None = None
    for position in range(len(meals) + 1):
        ready = _ready(time, way, meals, position)
        if ready is not None and (best is None or ready < best[0]):
            best = ready, position
    return best


def _ready(time: int, way: int, meals: Sequence[Meal], position: int) -> int | None:
    now = time
    for k, meal in enumerate(meals):
        end = max(now + way if k == position else now, meal.start) + meal.minutes
        if end > meal.end:
            return None
        now = end
    return now + way if position == len(meals) else now


def _gap_steps(
    time: int, way: int, meals: Sequence[Meal], leg: tuple[int | None, int | None]
) -> tuple[list[Step], int, int]:
    """The meals of a gap as steps, the time after it, and the way still before the next visit."""
    through = _through_gap(time, way, meals)
    position = through[1] if through else 0
    steps = []
    for k, meal in enumerate(meals):
        travel = way if k == position else 0
        arrived = time + travel
        start = max(arrived, meal.start)
        wait, time = start - arrived, start + meal.minutes
        steps.append(Step(None, meal.code, start, time, travel, wait, leg if k == position else None))
    if position == len(meals):
        return steps, time + way, way
    return steps, time, 0
