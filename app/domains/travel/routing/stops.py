"""What the planner works with: stops and their wishes, days and their hours, the limits of a pace, and a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol

from ..model.hours import DAY, Hours, Window, opens_on, windows_on
from .day_route import Route, Step

NOON = 12 * 60
WAY_HOME = 30
"""Minutes kept for the way back after a sight of the evening."""
PACE_LIMITS = {"relaxed": (3, 6 * 60), "normal": (4, 8 * 60), "packed": (6, 10 * 60)}
"""Stops and minutes of visits a day: ways and meals take what the day leaves besides."""
FAR = 60
"""Minutes of the first way from which a day is a trip out of town, and begins earlier."""
EARLIEST, LATEST = 7 * 60 + 30, 23 * 60
"""How early such a day, and how late an evening after dusk may make a day whose hours nobody has fixed."""
QUARTER = 15
DINNER_HOUR = 60


@dataclass(frozen=True)
class Leg:
    mode: str
    minutes: int
    km: float | None
    estimate: bool
    """False where the caller gave the minutes."""


class Ways(Protocol):
    """The way between two places, by key: a stop's id, or the name of a start or end."""

    def leg(self, origin: str, destination: str) -> Leg: ...


@dataclass(frozen=True)
class Stop:
    id: str
    hours: Hours = field(hash=False)
    minutes: int
    must: bool = False
    not_before: int = 0
    not_after: int = DAY
    """Wishes for the start, no rules of the house: what is best in the evening is not begun earlier."""

    longest: int = 0
    """Minutes up to which one may stay where the day leaves them; less than `minutes` is no wish."""
    rank: int = 3
    """How much one would miss it, 1 to 5."""
    day: int = 0
    """The one day it may be on; 0: any."""
    shortest: int = 0
    """Minutes that do where there is no time for `minutes`; 0: no fewer."""

    def brief(self) -> Stop:
        """A visit as short as it can be."""
        return replace(self, minutes=min(self.minutes, self.shortest or self.minutes))

    def without_wishes(self) -> Stop:
        return replace(self, not_before=0, not_after=DAY)


def wished_start(
    best_time: Sequence[str], minutes: int, windows: Sequence[Window], day_end: int, dusk: int
) -> tuple[int, int]:
    """From when until when a visit is best begun: `not_before` and `not_after` of a stop.

    What is best in the evening begins at dusk, or as late as the day and the doors allow where the sun sets later.
    """
    late = tuple(best_time) == ("evening",) and day_end >= 19 * 60 + 30
    latest = [day_end - WAY_HOME - minutes, *(min(w.end - minutes, w.last_entry) for w in windows[-1:])]
    earliest = max(0, min(dusk, *latest)) if late else 0
    return earliest, (NOON if tuple(best_time) == ("morning",) else DAY)


@dataclass(frozen=True)
class Day:
    number: int
    date: date | None
    start: int
    end: int
    origin: str | None
    """Where the day begins; None: at its first stop."""
    destination: str | None
    holiday: bool = False
    """A public holiday where the day is spent: some doors open, some close."""
    earliest: int | None = None
    """When it may begin for the sake of a long way; None: not before `start`."""
    latest: int | None = None
    """When it may end for the sake of what begins at dusk; None: not after `end`."""

    @property
    def usable(self) -> bool:
        return self.end > self.start

    def begins(self, first_ways: Iterable[int]) -> int:
        """When one sets out: earlier where a way leads out of town."""
        way = max(first_ways, default=0)
        if self.earliest is None or way < FAR:
            return self.start
        return max(self.earliest, self.start - -(-way // QUARTER) * QUARTER)

    def ends(self, evenings: Sequence[tuple[int, int, int]]) -> int:
        """When one is back: later where visits begin at dusk, of which come the start, the minutes and the way home.

        Dinner before or behind them has its hour too.
        """
        if self.latest is None or not evenings:
            return self.end
        done = DINNER_HOUR + max(start for start, _, _ in evenings) + sum(minutes for _, minutes, _ in evenings)
        done += (len(evenings) - 1) * WAY_HOME + max(back for _, _, back in evenings)
        return max(self.end, min(self.latest, done))


@dataclass(frozen=True)
class Limits:
    max_stops: int
    max_visiting: int | None
    meals: bool = True


@dataclass(frozen=True)
class DayPlan:
    day: Day
    stops: tuple[Stop, ...] = ()
    route: Route = field(default_factory=Route)
    steps: tuple[Step, ...] = ()
    """Those of the route once its waits are filled (`slack`)."""

    @property
    def ids(self) -> list[str]:
        return [self.stops[i].id for i in self.route.order]


@dataclass(frozen=True)
class RoutePlan:
    days: list[DayPlan]
    unscheduled: dict[str, str]
    solver: str
    optimal: bool

    @property
    def scheduled(self) -> set[str]:
        return {key for plan in self.days for key in plan.ids}


def opens(stop: Stop, day: Day) -> bool:
    return stop.day in (0, day.number) and opens_on(stop.hours, day.date, public_holiday=day.holiday)


def windows_of(stop: Stop, day: Day) -> tuple[Window, ...]:
    if not opens(stop, day):
        return ()
    return within(windows_on(stop.hours, day.date, public_holiday=day.holiday), stop.not_before, stop.not_after)


def within(windows: Iterable[Window], earliest: int, latest: int) -> tuple[Window, ...]:
    """What the doors leave of the wish to begin between `earliest` and `latest`."""
    return tuple(
        Window(max(window.start, earliest), window.end, min(window.last_entry, latest))
        for window in windows
        if window.last_entry >= earliest and window.start <= latest
    )
