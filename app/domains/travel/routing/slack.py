"""What becomes of the minutes a day's route leaves over between two things.

A visit before a wait lasts longer, up to the longest that is usual there and within the doors, the pace and the meals.
Where minutes are left all the same, the meal before them is moved towards what one waits for, and they are one stretch
of free time (`FREE`), so that the plan says what they are. A few minutes stay what they are: nobody plans those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .day_route import DayProblem, Route, Step

FREE = "free"
FEW = 15
"""Minutes of a day that may be left over without being named."""
ROUND = 5


@dataclass
class _Day:
    problem: DayProblem
    longest: Sequence[int]
    steps: list[Step]
    spare: int
    """Minutes of visits that the pace still allows."""

    def fill(self, place: int) -> None:
        """Visits before the step last longer as far as the things in between can be moved."""
        movable = self.steps[place].wait
        for i in range(place - 1, -1, -1):
            step = self.steps[i]
            more = min(movable, self._longer(step)) // ROUND * ROUND
            if more > 0:
                self.steps[i] = replace(step, end=step.end + more)
                self._shift(i + 1, place, more)
                self.spare -= more
                movable -= more
            movable = min(movable, self._later(self.steps[i]))
            if movable < ROUND:
                return

    def move_meals(self, place: int) -> None:
        """Meals right before the step come as late as they can: one free stretch instead of two."""
        first = place - 1
        if first == 0 or self.steps[first].index is not None:
            return
        while first > 1 and self.steps[first].wait == 0 and self.steps[first - 1].index is None:
            first -= 1
        later = [self._later(step) for step in self.steps[first:place]]
        by = min([self.steps[place].wait, *later]) // ROUND * ROUND
        if by > 0:
            self._shift(first, place, by)
            self.steps[first] = replace(self.steps[first], wait=self.steps[first].wait + by)

    def _shift(self, first: int, place: int, by: int) -> None:
        for i in range(first, place):
            step = self.steps[i]
            self.steps[i] = replace(step, start=step.start + by, end=step.end + by)
        self.steps[place] = replace(self.steps[place], wait=self.steps[place].wait - by)

    def _longer(self, step: Step) -> int:
        if step.index is None:
            return 0
        shut = next((w.end for w in self.problem.visits[step.index].windows if w.start <= step.start < w.end), step.end)
        return max(0, min(self.longest[step.index] - (step.end - step.start), shut - step.end, self.spare))

    def _later(self, step: Step) -> int:
        if step.index is None:
            ends = [meal.end for meal in self.problem.meals if meal.code == step.code]
            return max(0, min(ends, default=step.end) - step.end)
        windows = self.problem.visits[step.index].windows
        own = next((w for w in windows if w.start <= step.start < w.end), None)
        return 0 if own is None else max(0, min(own.last_entry - step.start, own.end - step.end))


def without_waits(route: Route, problem: DayProblem, longest: Sequence[int]) -> tuple[Step, ...]:
    """The steps of the route with its waits filled. `longest` is the longest visit to each stop of the problem."""
    visiting = sum(step.end - step.start for step in route.steps if step.index is not None)
    most = problem.max_visiting
    spare = 24 * 60 if most is None or len(route.order) == 1 else max(0, most - visiting)
    day = _Day(problem, longest, list(route.steps), spare)
    for place in range(1, len(day.steps)):
        day.fill(place)
    for place in range(len(day.steps) - 1, 0, -1):
        day.move_meals(place)
    left, steps = FEW, day.steps[:1]
    for step in day.steps[1:]:
        if step.wait > left:
            leaving = step.start - step.travel
            steps.append(Step(None, FREE, leaving - step.wait, leaving, 0, 0))
            steps.append(replace(step, wait=0))
        else:
            left -= step.wait
            steps.append(step)
    return tuple(steps)
