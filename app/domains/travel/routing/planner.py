"""Which stop on which day: several days' stops shared out, each day then solved exactly.

One day with at most ten stops is solved outright and is optimal. Otherwise stops are put in one after the other where
they cost the least way, days filled evenly first, under several orders of insertion; the best outcome stays. Two stops
a short walk apart count as TOGETHER minutes saved when they are on one day. Whatever finds no place is reported with
its reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise, product

from ..model.hours import DAY, Window, windows_on
from .day_route import DINNER, LUNCH, MAX_STOPS, DayProblem, Visit, solve
from .slack import without_waits
from .stops import FAR, Day, DayPlan, Limits, RoutePlan, Stop, Ways, opens, windows_of, within
from .transfer import DETOUR, SPEED_KMH

EARLIER = 30
MORNING = 10 * 60
EFFORT = 400_000
"""What a plan may cost, in steps of the day solver (2^n · n² for n stops): some seconds. Beyond it nothing is improved
any more, and no day grows over EASY stops; every stop left out is still told."""
EASY = 7
EXCHANGE_ROUNDS = 6
PARTNERS = 2
MOST_TRIED = 40
GUESS_SLACK = 15
"""Minutes that a guess may lie above what is already known and still be worth solving."""
NEIGHBOUR_WALK = 20
"""Minutes on foot up to which two stops are neighbours."""
TOGETHER = 25
"""Minutes on the way that a plan may cost more to have two neighbours on one day: our choice, as people plan."""
CLOSEST = 60
"""As many more for each stop whose nearest one of the whole plan is on its day."""
CLOSE_KM = 2.0
"""Up to how far apart that counts."""
WALK_KM = SPEED_KMH["walk"] / DETOUR["walk"] / 60
"""Of a straight line, in a minute."""
RANK = 30
"""Minutes on the way that one star more of a sight is worth, where stops are proposals."""
FAMOUS = 4
"""Stars from which a sight is not given up for one of fewer."""
CHOICE = 3
"""How many of the stops left over are weighed against those of a day; each doubles the work."""


@dataclass
class Planner:
    days: Sequence[Day]
    ways: Ways
    limits: Limits
    _cache: dict[tuple[int, frozenset[Stop]], DayPlan] = field(default_factory=dict)
    _known: dict[tuple[str, str], int] = field(default_factory=dict)
    _near: dict[tuple[str, str], bool] = field(default_factory=dict)
    _closest: dict[str, str] = field(default_factory=dict)
    """The nearest other stop of the plan, for each that is in it and has one within CLOSE_KM."""
    _guesses: dict[tuple[str | None, str | None, frozenset[str]], int] = field(default_factory=dict)
    _settled: set[tuple[int, int, frozenset[Stop], frozenset[Stop]]] = field(default_factory=set)
    """Pairs of days between which no exchange was any good."""
    _spent: int = 0

    @property
    def _tired(self) -> bool:
        return self._spent > EFFORT

    def plan(self, stops: Sequence[Stop], *, by_rank: bool = False) -> RoutePlan:
        """`by_rank`: the stops are proposals in order of preference, so an early one is not given up for two later."""
        stops = [self._granted(stop) for stop in stops]
        reasons = {stop.id: reason for stop in stops if (reason := self._impossible(stop))}
        possible = [stop for stop in stops if stop.id not in reasons]
        usable = [day for day in self.days if day.usable]
        if len(usable) == 1 and len(possible) <= MAX_STOPS and not by_rank:
            chosen = {usable[0].number: self._solved(usable[0], possible)}
            solver, optimal = "exact", True
        else:
            chosen = self._shared_out(possible, usable, by_rank)
            solver, optimal = "insertion+exact-day", False
        plans = [self._filled(chosen.get(day.number, DayPlan(day))) for day in self.days]
        placed = {key for plan in plans for key in plan.ids}
        for stop in possible:
            if stop.id not in placed:
                reasons[stop.id] = "NO_TIME_LEFT"
        ordered = {stop.id: reasons[stop.id] for stop in stops if stop.id in reasons}
        return RoutePlan(plans, ordered, solver, optimal)

    def _filled(self, plan: DayPlan) -> DayPlan:
        """The day as it is written down: its waits are longer visits, or free time."""
        longest = [max(stop.minutes, stop.longest) for stop in plan.stops]
        problem, route = self._problem(plan.day, plan.stops), plan.route
        if route.steps and route.steps[0].index is None and problem.start < MORNING:
            # Nobody goes out to eat first: a day that can begin with a sight does, for a few minutes more.
            other = solve(replace(problem, meal_first=False))
            if set(other.order) == set(route.order) and other.travel <= route.travel + GUESS_SLACK:
                route = other
        return replace(plan, route=route, steps=without_waits(route, problem, longest))

    def _shared_out(self, stops: Sequence[Stop], days: Sequence[Day], by_rank: bool) -> dict[int, DayPlan]:
        first = sorted(stops, key=lambda stop: not stop.must)
        orders = [first]
        if not by_rank:
            orders.append(sorted(first, key=lambda stop: (not stop.must, self._open_days(stop), -stop.minutes)))
            orders.append(sorted(first, key=lambda stop: (not stop.must, self._closing(stop), stop.id)))
        outcomes = [self._inserted(orders[0], days, by_rank)]
        outcomes += [self._inserted(order, days, by_rank) for order in orders[1:] if not self._tired]
        return min(outcomes, key=self._worth)

    def _inserted(self, stops: Sequence[Stop], days: Sequence[Day], by_rank: bool) -> dict[int, DayPlan]:
        plans = {day.number: DayPlan(day) for day in days}
        even = -(-len(stops) // max(1, len(days)))
        remaining = list(stops)
        for cap in sorted({min(even, self.limits.max_stops), self.limits.max_stops}):
            remaining = [stop for stop in remaining if not self._insert(stop, plans, cap)]
        while True:
            self._pair_up(plans)
            self._exchange(plans, even)
            if by_rank:
                remaining = self._replace(plans, remaining)
            rest = [stop for stop in remaining if not self._insert(stop, plans, self.limits.max_stops)]
            if len(rest) == len(remaining):
                break
            remaining = rest
        self._pair_up(plans)
        self._exchange(plans, even)
        if not by_rank:
            self._choose_again(plans, remaining)
        return plans

    def _pair_up(self, plans: Mapping[int, DayPlan]) -> None:
        placed = sorted(stop.id for plan in plans.values() for stop in plan.stops)
        self._closest = {}
        self._settled.clear()
        for key in placed:
            apart = [(self._apart(key, other), other) for other in placed if other != key]
            if apart and min(apart)[0] < CLOSE_KM:
                self._closest[key] = min(apart)[1]

    def _apart(self, a: str, b: str) -> float:
        """Kilometres in a straight line, about; of a way that was given in minutes, as one walks."""
        leg = self.ways.leg(a, b)
        return leg.minutes * WALK_KM if leg.km is None else leg.km / DETOUR[leg.mode]

    def _replace(self, plans: dict[int, DayPlan], left: list[Stop]) -> list[Stop]:
        """Proposals change places with those left over where that is worth it: less way, more neighbours, more fame."""
        left = list(left)
        for number, into in product(plans, list(left)):
            plan = plans[number]
            if self._tired or into not in left or not opens(into, plan.day):
                continue
            for out in plan.stops:
                others = _changed(plan.stops, (out,), (into,))
                gain = RANK * (into.rank - out.rank)
                if out.must or out.rank - into.rank > (1 if out.rank < FAMOUS else 0):
                    continue
                if self._guess(plan.day, others) - gain >= self._cost(plan):
                    continue
                new = self._solved_all(plan.day, others)
                if new and self._cost(new) - gain < self._cost(plan):
                    plans[number] = new
                    left[left.index(into)] = out
                    break
        return left

    def _choose_again(self, plans: dict[int, DayPlan], left: list[Stop]) -> None:
        """A last look at each day: perhaps another choice among its stops and those left over holds more."""
        for number, plan in plans.items():
            if self._tired:
                return
            pool = [*plan.stops, *left[:CHOICE]][:MAX_STOPS]
            if len(pool) == len(plan.stops):
                continue
            better = self._solved(plan.day, pool)
            if _gain(better) < _gain(plan) and {s.id for s in plan.stops if s.must} <= set(better.ids):
                ids = set(better.ids)
                left[:] = [stop for stop in (*plan.stops, *left) if stop.id not in ids]
                plans[number] = self._solved(plan.day, [stop for stop in pool if stop.id in ids])

    def _exchange(self, plans: dict[int, DayPlan], even: int) -> None:
        """Stops change days, up to PARTNERS for as many others, as long as that makes two days cheaper."""
        for _ in range(EXCHANGE_ROUNDS):
            moved = [self._exchanged(plans, a, b, even) for a, b in combinations(plans, 2) if not self._tired]
            if not any(moved):
                return

    def _exchanged(self, plans: dict[int, DayPlan], a: int, b: int, even: int) -> bool:
        """The best change between two days, of those that a guess finds promising, if it makes them cheaper."""
        plan_a, plan_b = plans[a], plans[b]
        pair = a, b, frozenset(plan_a.stops), frozenset(plan_b.stops)
        if pair in self._settled:
            return False
        fullest = max(len(plan_a.stops), len(plan_b.stops), min(even, self.limits.max_stops))
        now = self._cost(plan_a) + self._cost(plan_b)
        promising = []
        for given, taken in product(_groups(plan_a.stops), _groups(plan_b.stops)):
            stops_a, stops_b = _changed(plan_a.stops, given, taken), _changed(plan_b.stops, taken, given)
            if not (given or taken) or not min(len(stops_a), len(stops_b)):
                continue
            if max(len(stops_a), len(stops_b)) > fullest:
                continue
            guess = self._guess(plan_a.day, stops_a) + self._guess(plan_b.day, stops_b)
            if guess < now + GUESS_SLACK:
                promising.append((guess, [stop.id for stop in stops_a], stops_a, stops_b))
        for _guess, _ids, stops_a, stops_b in sorted(promising, key=lambda each: each[:2])[:MOST_TRIED]:
            new_a = self._solved_all(plan_a.day, stops_a)
            new_b = self._solved_all(plan_b.day, stops_b) if new_a else None
            if new_a and new_b and self._cost(new_a) + self._cost(new_b) < now:
                plans[a], plans[b] = new_a, new_b
                return True
        self._settled.add(pair)
        return False

    def _guess(self, day: Day, stops: Sequence[Stop]) -> int:
        """About the cost of a day, from the way that always goes to the nearest stop next."""
        keys = [stop.id for stop in stops]
        known = day.origin, day.destination, frozenset(keys)
        if known not in self._guesses:
            self._spent += len(keys) ** 2
            self._guesses[known] = self._nearest_first(day, keys)
        return self._guesses[known] - self._together(keys)

    def _nearest_first(self, day: Day, left: list[str]) -> int:
        left, here, total = list(left), day.origin, 0
        while left:
            nearest = min(left, key=lambda key: (self._minutes(here, key), key))
            total += self._minutes(here, nearest)
            left.remove(nearest)
            here = nearest
        return total + self._minutes(here, day.destination)

    def _length(self, plan: DayPlan, out: Stop | None, into: Stop | None) -> int:
        """The cost of a day with one stop exchanged and the others in their order."""
        keys = [key for key in plan.ids if out is None or key != out.id]
        if into is None:
            return self._along(plan.day, keys) - self._together(keys)
        if not keys:
            return self._along(plan.day, [into.id])
        ends = pairwise([plan.day.origin, *keys, plan.day.destination])
        detours = (self._minutes(a, into.id) + self._minutes(into.id, b) - self._minutes(a, b) for a, b in ends)
        return self._along(plan.day, keys) + min(detours) - self._together([*keys, into.id])

    def _cost(self, plan: DayPlan) -> int:
        """Minutes on the way, less what neighbours on the same day are worth."""
        return plan.route.travel - self._together(plan.ids)

    def _together(self, keys: Sequence[str]) -> int:
        pairs = sum(self._are_near(a, b) for a, b in combinations(keys, 2))
        return TOGETHER * pairs + CLOSEST * sum(self._closest.get(key) in keys for key in keys)

    def _are_near(self, a: str, b: str) -> bool:
        pair = (a, b) if a < b else (b, a)
        if pair not in self._near:
            leg = self.ways.leg(*pair)
            self._near[pair] = leg.mode == "walk" and leg.minutes <= NEIGHBOUR_WALK
        return self._near[pair]

    def _along(self, day: Day, keys: list[str]) -> int:
        route = [day.origin, *keys, day.destination] if keys else []
        return sum(self._minutes(a, b) for a, b in pairwise(route))

    def _minutes(self, origin: str | None, destination: str | None) -> int:
        if origin is None or destination is None or origin == destination:
            return 0
        pair = origin, destination
        if pair not in self._known:
            self._known[pair] = self.ways.leg(origin, destination).minutes
        return self._known[pair]

    def _solved_whole(self, plan: DayPlan, out: Stop | None, into: Stop | None) -> DayPlan | None:
        """The day with one stop exchanged, if all of them still fit."""
        if into and not opens(into, plan.day):
            return None
        return self._solved_all(plan.day, _changed(plan.stops, (out,) if out else (), (into,) if into else ()))

    def _solved_all(self, day: Day, stops: Sequence[Stop]) -> DayPlan | None:
        """The day with exactly these stops, if all of them fit."""
        if self._over(stops):
            return None
        solved = self._solved(day, stops)
        return solved if len(solved.route.order) == len(stops) else None

    def _over(self, stops: Sequence[Stop]) -> bool:
        most = self.limits.max_visiting
        return most is not None and len(stops) > 1 and sum(stop.minutes for stop in stops) > most

    def _insert(self, stop: Stop, plans: dict[int, DayPlan], cap: int) -> bool:
        """Put it into the day where it lengthens the ways least, of those where everything still fits."""
        most = min(cap, EASY if self._tired else MAX_STOPS)
        open_plans = [plan for plan in plans.values() if len(plan.stops) < most]
        for plan in sorted(open_plans, key=lambda plan: self._length(plan, None, stop) - self._cost(plan)):
            grown = self._solved_whole(plan, None, stop)
            if grown:
                plans[plan.day.number] = grown
                return True
        return False

    def _solved(self, day: Day, stops: Sequence[Stop]) -> DayPlan:
        key = day.number, frozenset(stops)
        if key not in self._cache:
            self._spent += len(stops) ** 2 << len(stops)
            self._cache[key] = DayPlan(day, tuple(stops), solve(self._problem(day, stops)))
        return self._cache[key]

    def _problem(self, day: Day, stops: Sequence[Stop], *, free_ways: bool = False) -> DayProblem:
        def minutes(origin: str | None, destination: str | None) -> int:
            return 0 if free_ways else self._minutes(origin, destination)

        def doors(stop: Stop, way: int) -> tuple[Window, ...]:
            """An early start is for the way out of town alone."""
            windows = windows_of(stop, day)
            return windows if way >= FAR or start >= day.start else within(windows, day.start, 2 * DAY)

        ids = [stop.id for stop in stops]
        leave, back = [minutes(day.origin, key) for key in ids], [minutes(key, day.destination) for key in ids]
        evenings = [
            (stop.not_before, stop.minutes, way) for stop, way in zip(stops, back, strict=True) if stop.not_before
        ]
        start = day.begins(leave)
        visits = [
            Visit(stop.id, stop.minutes, doors(stop, way), stop.must) for stop, way in zip(stops, leave, strict=True)
        ]
        return DayProblem(
            visits=visits,
            leave=leave,
            go=[[minutes(a, b) for b in ids] for a in ids],
            back=back,
            start=start, end=day.ends(evenings),
            meals=tuple(meal for meal in (LUNCH, DINNER) if self.limits.meals and _due(meal.start, meal.end, day)),
            max_stops=min(self.limits.max_stops, MAX_STOPS), max_visiting=self.limits.max_visiting,
        )  # fmt: skip

    def _worth(self, plans: Mapping[int, DayPlan]) -> tuple[int, int, int, int]:
        routes = [plan.route for plan in plans.values()]
        return (
            -sum(route.must for route in routes), -sum(len(route.order) for route in routes),
            sum(self._cost(plan) for plan in plans.values()), sum(route.finish for route in routes),
        )  # fmt: skip

    def _granted(self, stop: Stop) -> Stop:
        """The stop with as much of its wishes as a day can hold: an evening begins earlier before it is given up."""
        for earlier in range(0, stop.not_before, EARLIER):
            wish = replace(stop, not_before=stop.not_before - earlier)
            if not self._impossible(wish):
                return wish
        return stop.without_wishes() if self._impossible(stop) else stop

    def _impossible(self, stop: Stop) -> str | None:
        """Why the stop cannot be in any day, even alone."""
        usable = [day for day in self.days if day.usable]
        opened = [day for day in usable if opens(stop, day)]
        if not usable:
            return "NO_TIME_LEFT"
        if not opened:
            return "CLOSED_DAY"
        if any(self._solved(day, [stop]).ids for day in opened):
            return None
        if any(solve(self._problem(day, [stop], free_ways=True)).order for day in opened):
            return "TOO_FAR"
        return "OUTSIDE_HOURS"

    def _open_days(self, stop: Stop) -> int:
        return sum(opens(stop, day) for day in self.days)

    def _closing(self, stop: Stop) -> int:
        ends = [windows_on(stop.hours, day.date, public_holiday=day.holiday) for day in self.days]
        return min((windows[-1].last_entry for windows in ends if windows), default=0)


def _groups(stops: Sequence[Stop]) -> list[tuple[Stop, ...]]:
    """None of them, each, and each two: at most PARTNERS."""
    return [group for size in range(PARTNERS + 1) for group in combinations(stops, size)]


def _changed(stops: Sequence[Stop], out: Sequence[Stop], into: Sequence[Stop]) -> list[Stop]:
    return [stop for stop in stops if stop not in out] + list(into)


def _due(start: int, end: int, day: Day) -> bool:
    """A meal is planned where the day leaves two hours of its time."""
    return min(end, day.end) - max(start, day.start) >= 120


def _gain(plan: DayPlan) -> tuple[int, int]:
    return -plan.route.must, -len(plan.route.order)
