"""The order in which to visit several cities, exactly, by dynamic programming over subsets.

A day on which one travels counts for both cities: n cities of d days each take Σd − (n − 1) days, unless the days
given simply add up to the total. When a city begins depends only on which cities came before, so windows and links
are judged while the subsets grow. Order by distance, or the first feasible one in the order given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

MAX_CITIES = 12


@dataclass(frozen=True)
class CityVisit:
    name: str
    days: int


@dataclass(frozen=True)
class CityWindow:
    """The city must be visited so that its stay covers these days, or lies within them if it is shorter."""

    city: str
    first: int
    last: int

    def holds(self, start: int, end: int) -> bool:
        covers = start <= self.first and self.last <= end
        return covers or (self.first <= start and end <= self.last)


@dataclass(frozen=True)
class Order:
    names: list[str]
    spans: list[tuple[int, int]]
    km: float
    count: int
    """How many orders are feasible."""


@dataclass(frozen=True)
class Task:
    visits: Sequence[CityVisit]
    total_days: int
    linked: Callable[[str, str], bool]
    distance: Callable[[str, str], float]
    windows: Sequence[CityWindow] = ()
    start: str | None = None
    end: str | None = None
    by_distance: bool = True

    @property
    def overlap(self) -> int | None:
        """Days that two stays share at a change of city: 1 or 0; None if the days fit neither way."""
        days = sum(visit.days for visit in self.visits)
        if days == self.total_days:
            return 0
        return 1 if days - (len(self.visits) - 1) == self.total_days else None


def share_out(visits: Sequence[CityVisit], total_days: int) -> list[CityVisit]:
    """So many days for all of them in proportion to what each has, one at least; the largest remainders round up."""
    whole = sum(visit.days for visit in visits)
    spare = total_days - len(visits)
    shares = [visit.days * spare / whole for visit in visits]
    days = [1 + int(share) for share in shares]
    for i in sorted(range(len(visits)), key=lambda i: (int(shares[i]) - shares[i], i))[: total_days - sum(days)]:
        days[i] += 1
    return [CityVisit(visit.name, each) for visit, each in zip(visits, days, strict=True)]


def best_order(task: Task) -> Order | None:
    """None if no order is feasible."""
    overlap, count = task.overlap, len(task.visits)
    if overlap is None or count > MAX_CITIES:
        return None
    starts = [_first_day(task, mask, overlap) for mask in range(1 << count)]
    ways: list[dict[int, int]] = [{} for _ in range(1 << count)]
    best: list[dict[int, tuple[float, tuple[int, ...]]]] = [{} for _ in range(1 << count)]
    for i in range(count):
        if _fits(task, i, 1) and task.start in (None, task.visits[i].name):
            ways[1 << i][i] = 1
            best[1 << i][i] = (0.0, (i,))
    for mask in range(1, 1 << count):
        for last, number in list(ways[mask].items()):
            km, order = best[mask][last]
            for i in range(count):
                if mask >> i & 1 or not _fits(task, i, starts[mask]):
                    continue
                a, b = task.visits[last].name, task.visits[i].name
                if not task.linked(a, b) or (task.end == b and mask | 1 << i != (1 << count) - 1):
                    continue
                grown = mask | 1 << i
                ways[grown][i] = ways[grown].get(i, 0) + number
                further = (round(km + task.distance(a, b), 3) if task.by_distance else 0.0, (*order, i))
                if i not in best[grown] or further < best[grown][i]:
                    best[grown][i] = further
    full = (1 << count) - 1
    finished = [i for i in best[full] if task.end in (None, task.visits[i].name)]
    if not finished:
        return None
    _, chosen = min(best[full][i] for i in finished)
    return _told(task, chosen, overlap, sum(ways[full][i] for i in finished))


def _first_day(task: Task, mask: int, overlap: int) -> int:
    """The first day of the next city, after those of `mask`."""
    before = [visit.days for i, visit in enumerate(task.visits) if mask >> i & 1]
    return 1 + sum(before) - overlap * len(before)


def _fits(task: Task, index: int, start: int) -> bool:
    visit = task.visits[index]
    end = start + visit.days - 1
    return all(window.holds(start, end) for window in task.windows if window.city == visit.name)


def _told(task: Task, order: tuple[int, ...], overlap: int, count: int) -> Order:
    day, spans, km = 1, [], 0.0
    for position, i in enumerate(order):
        spans.append((day, day + task.visits[i].days - 1))
        day += task.visits[i].days - overlap
        if position:
            km += task.distance(task.visits[order[position - 1]].name, task.visits[i].name)
    return Order([task.visits[i].name for i in order], spans, round(km, 1), count)
