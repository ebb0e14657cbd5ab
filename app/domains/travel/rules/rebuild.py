"""A day of a stored itinerary arranged again after an edit: the best order that keeps what is fixed.

Locked stops and those the edit gave a time stay where they are; the others find the best order around them by the
solver of `day_route`. If not everything fits, the day keeps its times as they were asked for and the checks say what
is wrong: an edit never drops a stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ..model.budget import ticket_total
from ..model.daylight import dusk
from ..model.hours import DAY, Window, format_time, parse_time, windows_on
from ..model.trip import TripDay, TripStop
from ..model.vocabulary import DINNER_WORDS, LUNCH_WORDS, folded
from ..routing.day_route import DINNER, LUNCH, MAX_STOPS, DayProblem, Meal, Route, Step, Visit, solve
from ..routing.slack import FREE, without_waits
from ..routing.stops import EARLIEST, LATEST, Day, Leg, wished_start, within
from ..routing.transfer import Spot
from ..wording import plain, say_in
from .itinerary import GAP, MEAL_NAMES, gap_reason
from .trip_facts import TripFacts, arriving

UNKNOWN_WAY = 15
"""Minutes reckoned between two places of which nothing is known."""
DAY_START, DAY_END = 9 * 60, 21 * 60

End = tuple[str, Spot | None]


@dataclass
class Arranged:
    stops: list[dict[str, Any]]
    solved: bool
    """False: not everything fitted, so the times are those asked for."""


def arrange(facts: TripFacts, day: TripDay, fixed: set[int]) -> Arranged:
    """`fixed` are the ids (Python's) of the stops whose time the edit gave."""
    return _Day(facts, day, fixed).arranged()


class _Day:
    def __init__(self, facts: TripFacts, day: TripDay, fixed: set[int]) -> None:
        self.facts, self.day, self.fixed = facts, day, fixed
        self.home, self.goal = facts.home(day), facts.goal(day)
        self.arriving = arriving(day)
        self.meals = [stop for stop in day.stops if stop.kind == "meal" and _meal_of(stop) and not self._is_fixed(stop)]
        self.visits = [stop for stop in day.stops if stop not in self.meals and stop.kind not in ("hotel", "transfer")]
        self.visits = [stop for stop in self.visits if not stop.raw.get(GAP)]
        if any(stop.kind == "sight" for stop in self.visits):
            self.visits = [stop for stop in self.visits if stop.kind != "free" or self._is_fixed(stop)]

    def _is_fixed(self, stop: TripStop) -> bool:
        return stop.timed and (stop.locked or id(stop) in self.fixed or stop.kind in ("intercity", "free"))

    def arranged(self) -> Arranged:
        if not self.visits:
            return Arranged(self._free(), solved=True)
        if len(self.visits) > MAX_STOPS:
            return self._as_asked()
        for wishes in (True, False):
            problem = self._problem(wishes=wishes)
            route = solve(problem)
            if len(route.order) == len(self.visits):
                longest = [self._longest(stop) for stop in self.visits]
                return Arranged(self._written(route, without_waits(route, problem, longest)), solved=True)
        return self._as_asked()

    def _longest(self, stop: TripStop) -> int:
        place = self.facts.place(self.day, stop)
        usual = place.sight.visit_minutes.max if place and place.sight and not self._is_fixed(stop) else 0
        return max(usual, self._lasting(stop))

    def _lasting(self, stop: TripStop) -> int:
        """Minutes of the visit as it was planned; of one whose time is fixed, as it is."""
        if self._is_fixed(stop):
            return stop.minutes
        place = self.facts.place(self.day, stop)
        return _wished(stop) or stop.minutes or (place.minutes if place and place.minutes else 60)

    def _problem(self, *, wishes: bool) -> DayProblem:
        """With `wishes` what is best in the evening is not begun earlier, as when the plan was made."""
        start, end = self._edges()
        raw, own = self.facts.trip.raw, self.day.raw
        day = Day(
            self.day.number, self.day.date, start, end, None, None,
            earliest=min(start, EARLIEST) if raw.get("early_start") and not own.get("day_start") else None,
            latest=max(end, LATEST) if raw.get("late_end") and not own.get("day_end") else None,
        )  # fmt: skip
        ends = [self._end_of(stop) for stop in self.visits]
        leave, back = [self._minutes(self.home, end) for end in ends], [self._minutes(end, self.goal) for end in ends]
        latest = (day.latest or end) if wishes else None
        visits = [self._visit(i, stop, latest) for i, stop in enumerate(self.visits)]
        evenings = [
            (visit.windows[0].start, visit.minutes, way)
            for stop, visit, way in zip(self.visits, visits, back, strict=True)
            if wishes and visit.windows and self._is_evening(stop)
        ]
        return DayProblem(
            visits=visits,
            leave=leave,
            go=[[self._minutes(a, b) for b in ends] for a in ends],
            back=back,
            start=day.begins(leave),
            end=day.ends(evenings),
            meals=self._due(start, end),
        )

    def _is_evening(self, stop: TripStop) -> bool:
        place = self.facts.place(self.day, stop)
        return place is not None and place.sight is not None and tuple(place.sight.best_time) == ("evening",)

    def _edges(self) -> tuple[int, int]:
        raw = self.facts.trip.raw
        own = self.day.raw
        start = _clock(own.get("day_start") or raw.get("day_start"), DAY_START)
        end = _clock(own.get("day_end") or raw.get("day_end"), DAY_END)
        times = [(stop.start or 0, stop.end or 0) for stop in self.visits if self._is_fixed(stop)]
        ways = [self._minutes(self.home, self._end_of(stop)) for stop in self.visits]
        margin = max(ways, default=0)
        first = min([start, *(begin - margin for begin, _ in times)])
        last = max([end, self.day.end or 0, *(finish + margin for _, finish in times)])
        anchor, departure = self.facts.trip.arrival, self.facts.trip.departure
        if anchor and anchor.day == self.day.number:
            first = max(first, anchor.time)
        if departure and departure.day == self.day.number:
            last = min(last, departure.time)
        return max(0, first), min(last, 2 * DAY)

    def _due(self, start: int, end: int) -> tuple[Meal, ...]:
        if not self.facts.trip.meals:
            return ()
        fixed = {_meal_of(stop) for stop in self.visits if stop.kind == "meal"}
        had = {_meal_of(stop) for stop in self.meals}
        due = [meal for meal in (LUNCH, DINNER) if meal.code not in fixed]
        return tuple(m for m in due if m.code in had or min(m.end, end) - max(m.start, start) >= 120)

    def _visit(self, index: int, stop: TripStop, day_end: int | None) -> Visit:
        place = self.facts.place(self.day, stop)
        minutes = self._lasting(stop)
        if self._is_fixed(stop) and stop.start is not None:
            end = stop.end if stop.end is not None else stop.start + minutes
            return Visit(f"{index:02d}", stop.minutes, (Window(stop.start, max(end, stop.start + 1), stop.start),))
        windows: Sequence[Window] = (Window(0, 2 * DAY, 2 * DAY),)
        if place and place.hours:
            holiday = self.facts.is_holiday(self.day)
            windows = windows_on(place.hours, self.day.date, public_holiday=holiday)
        if place and place.sight and day_end is not None:
            sunset = dusk(self.facts.city_of(self.day), self.day.date)
            windows = within(windows, *wished_start(place.sight.best_time, minutes, windows, day_end, sunset))
        if self.arriving and self.arriving.end is not None:
            windows = within(windows, self.arriving.end, 2 * DAY)
        return Visit(f"{index:02d}", minutes, tuple(windows))

    def _end_of(self, stop: TripStop) -> End:
        """A way between cities leads to where one stays, as its times are from centre to centre."""
        return self.home if stop is self.arriving and self.home else self.facts.end_of(self.day, stop)

    def _leg(self, a: End | None, b: End | None) -> Leg | None:
        if a is None or b is None or not a[0] or not b[0] or a[0] == b[0]:
            return None
        mode = str(self.facts.trip.raw.get("mode") or "transit")
        way = self.facts.way(a, b, mode)
        return way.leg if way else Leg(mode, UNKNOWN_WAY, None, estimate=True)

    def _minutes(self, a: End | None, b: End | None) -> int:
        leg = self._leg(a, b)
        return leg.minutes if leg else 0

    # ------------------------------------------------------------ written out

    def _written(self, route: Route, steps: Sequence[Step]) -> list[dict[str, Any]]:
        stops: list[dict[str, Any]] = []
        for position, step in enumerate(steps):
            if step.code == FREE and step.index is None:
                stops.append(self._gap(step, steps[position + 1]))
                continue
            raw = self._meal(step) if step.index is None else dict(self.visits[step.index].raw)
            if step.index is not None and raw.get("kind", "sight") == "sight":
                raw.pop("visit_minutes", None)
                if step.end - step.start != (planned := self._lasting(self.visits[step.index])):
                    raw["visit_minutes"] = planned
            raw.update(start=format_time(step.start), end=format_time(step.end))
            raw["wait_min"] = 0 if position == 0 else step.wait
            raw["transfer"] = self._transfer(step.leg) if step.leg and raw.get("kind") != "intercity" else None
            stops.append(raw)
        if self.goal and route.order:
            last = self._end_of(self.visits[route.order[-1]])
            leg = self._leg(last, self.goal) if route.back else None
            leaving = self.goal != self.home and self.facts.trip.departure is not None
            stops.append(_bare("transfer" if leaving else "hotel", self.goal[0], route.home, _told(leg)))
        return stops

    def _gap(self, step: Step, after: Step) -> dict[str, Any]:
        stop = None if after.index is None else self.visits[after.index]
        reason = gap_reason(
            self.facts.language, meal=None if stop else after.code, name=stop.name if stop else "",
            at_dusk=stop is not None and self._is_evening(stop),
        )  # fmt: skip
        free = _bare("free", say_in(self.facts.language, "Free time"), step.start, None)
        return {**free, "end": format_time(step.end), "notes": [reason], GAP: True}

    def _transfer(self, leg: tuple[int | None, int | None]) -> dict[str, Any] | None:
        ends = [self.home if i is None else self._end_of(self.visits[i]) for i in leg]
        return _told(self._leg(ends[0], ends[1]))

    def _meal(self, step: Step) -> dict[str, Any]:
        before = next((stop for stop in self.meals if _meal_of(stop) == step.code), None)
        if before:
            return dict(before.raw)
        lunch = step.code == LUNCH.code
        meal = MEAL_NAMES["lunch" if lunch else "dinner"]
        name = say_in(self.facts.language, meal)
        return _bare("meal", name, step.start, None)

    def _free(self) -> list[dict[str, Any]]:
        start, end = _clock(self.facts.trip.raw.get("day_start"), DAY_START), _clock(None, DAY_END)
        free = _bare("free", say_in(self.facts.language, "Free time"), start, None)
        return [{**free, "end": format_time(end)}]

    def _as_asked(self) -> Arranged:
        """In the order of their times; what has none comes after the last."""
        stops = [stop for stop in self.day.stops if stop.kind != "hotel"]
        stops.sort(key=lambda stop: (stop.start is None, stop.start or 0))
        clock = max((stop.end or 0 for stop in stops), default=DAY_START)
        written = []
        for stop in stops:
            raw = dict(stop.raw)
            if stop.start is None:
                place = self.facts.place(self.day, stop)
                begin = clock + UNKNOWN_WAY
                clock = begin + (_wished(stop) or (place.minutes if place and place.minutes else 60))
                raw.update(start=format_time(begin), end=format_time(clock))
            written.append(raw)
        return Arranged(written, solved=False)


def with_totals(facts: TripFacts, day: TripDay, stops: list[dict[str, Any]]) -> dict[str, Any]:
    """The day with its stops numbered, priced and summed up."""
    cost, km, travel, visits = Decimal(0), 0.0, 0, 0
    for seq, raw in enumerate(stops, 1):
        raw["seq"] = seq
        raw["cost"] = _cost(facts, day, raw)
        cost += Decimal(str(raw["cost"] or 0))
        way = raw.get("transfer") or {}
        travel += int(way.get("min") or 0)
        km += float(way.get("km") or 0)
        if raw.get("kind", "sight") == "sight" and raw.get("start") and raw.get("end"):
            visits += max(0, _clock(raw["end"], 0) - _clock(raw["start"], 0))
    totals = {"travel_min": travel, "visit_min": visits, "km": round(km, 1), "cost": plain(cost)}
    times = [_clock(raw[name], 0) for raw in stops for name in ("start", "end") if raw.get(name)]
    first = stops[0].get("transfer") or {} if stops else {}
    start = max(0, min(times) - int(first.get("min") or 0)) if times else DAY_START
    return {
        **day.raw,
        "start": format_time(start),
        "end": format_time(max(times, default=DAY_END)),
        "stops": stops,
        "totals": totals,
    }


def _wished(stop: TripStop) -> int:
    minutes = stop.raw.get("visit_minutes")
    return minutes if isinstance(minutes, int) and 0 < minutes <= 720 else 0


def _cost(facts: TripFacts, day: TripDay, raw: dict[str, Any]) -> Any:
    party = facts.trip.party
    if raw.get("kind", "sight") != "sight" or party is None:
        return raw.get("cost")
    city = facts.city_of(day)
    place = facts.named(raw.get("place_id") or "", city) or facts.named(raw.get("name") or "", city)
    if place is None or place.ticket is None:
        return raw.get("cost")
    return plain(ticket_total(place.ticket, party, day.date))


def _bare(kind: str, name: str, at: int, transfer: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "seq": 0, "place_id": None, "name": name, "kind": kind, "start": format_time(at), "end": format_time(at),
        "wait_min": 0, "transfer": transfer, "cost": None, "notes": [], "warnings": [], "locked": False,
    }  # fmt: skip


def _told(leg: Leg | None) -> dict[str, Any] | None:
    if leg is None:
        return None
    return {"mode": leg.mode, "min": leg.minutes, "km": leg.km, "estimate": leg.estimate}


def _meal_of(stop: TripStop) -> str:
    """`lunch` or `dinner` where the meal is called so, else ""."""
    word = folded(stop.name)
    if any(each in word for each in LUNCH_WORDS):
        return LUNCH.code
    return DINNER.code if any(each in word for each in DINNER_WORDS) else ""


def _clock(raw: object, otherwise: int) -> int:
    if isinstance(raw, str) and raw:
        return parse_time(raw[:-2]) + DAY if raw.endswith("+1") else parse_time(raw)
    return otherwise
