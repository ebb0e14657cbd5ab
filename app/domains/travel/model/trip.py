"""An Itinerary (agents.md 2.4) read back into records, whoever wrote it: our planner, a model, a person.

What is of the wrong shape is a fault with its path; what is merely missing is left to the checks. Times are minutes
of the day; "24:00" and "01:30+1" are past midnight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from app.core.text.i18n import N_
from app.core.text.value_faults import ValueFault

from .budget import Party
from .geo import Point
from .hours import Hours, HoursError, parse_hours
from .places import Ticket, read_ticket
from .trip_values import Values, is_whole
from .vocabulary import folded

KINDS = ("sight", "meal", "transfer", "hotel", "free", "intercity")
MAX_STOPS, MAX_DAYS = 60, 60


class TripFaults(ValueError):
    """All that is wrong with the shape, as `path: what`."""

    def __init__(self, faults: list[ValueFault]) -> None:
        super().__init__("; ".join(fault.sentence() for fault in faults[:12]))
        self.faults = faults


@dataclass(frozen=True)
class StatedWay:
    mode: str
    minutes: int
    km: float | None


@dataclass
class TripStop:
    raw: dict[str, Any]
    seq: int
    place_id: str | None
    name: str
    kind: str
    start: int | None
    end: int | None
    way: StatedWay | None
    cost: Decimal | None
    point: Point | None
    locked: bool

    @property
    def label(self) -> str:
        """What violations and edits call it."""
        return self.place_id or self.name or f"#{self.seq}"

    @property
    def timed(self) -> bool:
        return self.start is not None and self.end is not None

    @property
    def minutes(self) -> int:
        return max(0, self.end - self.start) if self.start is not None and self.end is not None else 0

    def is_called(self, said: str) -> bool:
        word = folded(said)
        return bool(word) and word in (folded(self.place_id or ""), folded(self.name))


@dataclass(frozen=True)
class Lodging:
    name: str
    point: Point | None
    assumed: bool
    raw: Mapping[str, Any]


@dataclass
class TripDay:
    raw: dict[str, Any]
    number: int
    date: date | None
    city: str | None
    lodging: Lodging | None
    start: int | None
    end: int | None
    stops: list[TripStop]
    cost: Decimal | None
    """The stated total."""

    @property
    def sights(self) -> list[TripStop]:
        return [stop for stop in self.stops if stop.kind == "sight"]


@dataclass(frozen=True)
class GivenPlace:
    """A place that came with the itinerary instead of from the data."""

    id: str
    name: str
    hours: Hours | None
    ticket: Ticket | None
    minutes: int | None
    point: Point | None


@dataclass(frozen=True)
class TripAnchor:
    day: int
    time: int
    place: str


@dataclass
class Trip:
    raw: dict[str, Any]
    cities: list[str]
    start_date: date | None
    days: int | None
    party: Party | None
    days_list: list[TripDay]
    places: dict[str, GivenPlace]
    matrix: Mapping[str, Mapping[str, float]]
    budget: Mapping[str, Any] | None
    pace: str | None
    max_stops: int | None
    meals: bool
    arrival: TripAnchor | None
    departure: TripAnchor | None
    lodging: Lodging | None = None
    """Where the journey stays, for a day whose night is not named."""
    as_of: str = ""
    stops: list[tuple[TripDay, TripStop]] = field(default_factory=list)

    @property
    def must_see(self) -> tuple[str, ...]:
        """What the plan was asked to hold, as it carries it."""
        names = self.raw.get("must_see")
        return tuple(str(name) for name in names) if isinstance(names, list) else ()

    def day(self, number: int) -> TripDay | None:
        return next((day for day in self.days_list if day.number == number), None)


def read_trip(raw: object) -> Trip:
    """Raises TripFaults with everything that is wrong."""
    trip = (reader := _Reader()).trip(raw)
    if reader.faults or trip is None:
        raise TripFaults(reader.faults or [ValueFault("itinerary", N_("must be an object"))])
    return trip


class _Reader(Values):
    def trip(self, raw: object) -> Trip | None:
        if not isinstance(raw, Mapping):
            return None
        body = dict(raw)
        listed = body.get("days_list")
        if not isinstance(listed, list) or not listed:
            self.note("days_list", N_("must be a list of days, at least one"))
            return None
        if len(listed) > MAX_DAYS:
            self.note("days_list", N_("at most {most} days"), most=MAX_DAYS)
            return None
        days = [self._day(entry, i) for i, entry in enumerate(listed)]
        cities = body.get("cities") if isinstance(body.get("cities"), list) else [body.get("city")]
        trip = Trip(
            raw=body,
            cities=[str(city) for city in cities or [] if city],
            start_date=self.day_of(body.get("start_date"), "start_date"),
            days=self.whole(body.get("days"), "days"),
            party=self._party(body.get("party")),
            days_list=[day for day in days if day is not None],
            places=self._places(body.get("places")),
            matrix=self._matrix(body.get("travel_matrix")),
            budget=self.mapping(body.get("budget"), "budget"),
            pace=body.get("pace") if body.get("pace") in ("relaxed", "normal", "packed") else None,
            max_stops=self.whole(body.get("max_stops"), "max_stops"),
            meals=body.get("meals") is not False,
            arrival=self._anchor(body.get("arrival"), "arrival"),
            departure=self._anchor(body.get("departure"), "departure"),
            lodging=self._lodging(body.get("lodging"), "lodging"),
            as_of=self.text(body.get("as_of"), "as_of"),
        )
        trip.stops = [(day, stop) for day in trip.days_list for stop in day.stops]
        return trip

    def _day(self, raw: object, index: int) -> TripDay | None:
        path = f"days_list.{index}"
        entry = self.mapping(raw, path)
        if entry is None:
            if raw is None:
                self.note(path, N_("must be an object"))
            return None
        listed = entry.get("stops")
        if not isinstance(listed, list) or len(listed) > MAX_STOPS:
            self.note(f"{path}.stops", N_("must be a list of at most {most} stops"), most=MAX_STOPS)
            return None
        stops = [self._stop(stop, f"{path}.stops.{i}", i) for i, stop in enumerate(listed)]
        totals = self.mapping(entry.get("totals"), f"{path}.totals") or {}
        return TripDay(
            raw=dict(entry),
            number=self.whole(entry.get("day"), f"{path}.day") or index + 1,
            date=self.day_of(entry.get("date"), f"{path}.date"),
            city=self.text(entry.get("city"), f"{path}.city") or None,
            lodging=self._lodging(entry.get("lodging"), f"{path}.lodging"),
            start=self.minute(entry.get("start"), f"{path}.start"),
            end=self.minute(entry.get("end"), f"{path}.end"),
            stops=[stop for stop in stops if stop is not None],
            cost=self.money(totals.get("cost"), f"{path}.totals.cost"),
        )

    def _stop(self, raw: object, path: str, index: int) -> TripStop | None:
        entry = self.mapping(raw, path)
        if entry is None:
            if raw is None:
                self.note(path, N_("must be an object"))
            return None
        kind = entry.get("kind", "sight")
        if kind not in KINDS:
            self.note(f"{path}.kind", N_("must be one of {expected}"), expected=", ".join(KINDS))
        return TripStop(
            raw=dict(entry),
            seq=self.whole(entry.get("seq"), f"{path}.seq") or index + 1,
            place_id=self.text(entry.get("place_id"), f"{path}.place_id") or None,
            name=self.text(entry.get("name"), f"{path}.name"),
            kind=str(kind),
            start=self.minute(entry.get("start"), f"{path}.start"),
            end=self.minute(entry.get("end"), f"{path}.end"),
            way=self._way(entry.get("transfer"), f"{path}.transfer"),
            cost=self.money(entry.get("cost"), f"{path}.cost"),
            point=self.point(entry, path),
            locked=entry.get("locked") is True,
        )

    def _way(self, raw: object, path: str) -> StatedWay | None:
        entry = self.mapping(raw, path)
        if entry is None:
            return None
        minutes = self.number(entry.get("min"), f"{path}.min")
        if minutes is None or minutes < 0:
            if minutes is not None:
                self.note(f"{path}.min", N_("must not be negative"))
            return None
        km = self.number(entry.get("km"), f"{path}.km")
        return StatedWay(self.text(entry.get("mode"), f"{path}.mode"), int(minutes), km)

    def _lodging(self, raw: object, path: str) -> Lodging | None:
        if isinstance(raw, str):
            return Lodging(raw, None, assumed=False, raw={}) if raw.strip() else None
        entry = self.mapping(raw, path)
        if not entry:
            return None
        name = self.text(entry.get("name"), f"{path}.name")
        return Lodging(name, self.point(entry, path), assumed=entry.get("assumed") is True, raw=entry)

    def _party(self, raw: object) -> Party | None:
        entry = self.mapping(raw, "party")
        if entry is None:
            return None
        adults = self.whole(entry.get("adults"), "party.adults")
        children = entry.get("children") or []
        if not isinstance(children, list) or not all(is_whole(age) and 0 <= age <= 17 for age in children):
            self.note("party.children", N_("must be a list of ages from 0 to 17"))
            return None
        if adults is None or not 0 < adults <= 100:
            self.note("party.adults", N_("must be from 1 to 100"))
            return None
        return Party(adults, tuple(children))

    def _places(self, raw: object) -> dict[str, GivenPlace]:
        if raw is None:
            return {}
        if not isinstance(raw, list):
            self.note("places", N_("must be a list"))
            return {}
        places = {}
        for i, item in enumerate(raw[:200]):
            path = f"places.{i}"
            entry = self.mapping(item, path)
            if entry is None:
                continue
            key = self.text(entry.get("id"), f"{path}.id") or self.text(entry.get("name"), f"{path}.name")
            visit = entry.get("visit_minutes")
            visit = visit.get("typ") if isinstance(visit, Mapping) else visit
            places[key] = GivenPlace(
                key,
                self.text(entry.get("name"), f"{path}.name") or key,
                self._hours(entry.get("hours"), f"{path}.hours"),
                self._ticket(entry.get("ticket"), f"{path}.ticket"),
                self.whole(visit, f"{path}.visit_minutes"),
                self.point(entry, path),
            )
        return places

    def _hours(self, raw: object, path: str) -> Hours | None:
        if raw is None:
            return None
        try:
            return parse_hours(raw, path)
        except HoursError as error:
            self.faults.append(error.fault)
            return None

    def _ticket(self, raw: object, path: str) -> Ticket | None:
        if isinstance(raw, Mapping):
            try:
                return read_ticket(raw)
            except (ArithmeticError, KeyError, TypeError, ValueError, AttributeError):
                self.note(path, N_("cannot be read as a ticket"))
                return None
        price = self.money(raw, path)
        return None if price is None else Ticket(price, None, 0)

    def _matrix(self, raw: object) -> Mapping[str, Mapping[str, float]]:
        entry = self.mapping(raw, "travel_matrix") or {}
        matrix: dict[str, dict[str, float]] = {}
        for origin, row in entry.items():
            ways = self.mapping(row, f"travel_matrix.{origin}") or {}
            minutes = {str(to): self.number(way, f"travel_matrix.{origin}.{to}") for to, way in ways.items()}
            matrix[str(origin)] = {to: way for to, way in minutes.items() if way is not None and way >= 0}
        return matrix

    def _anchor(self, raw: object, path: str) -> TripAnchor | None:
        entry = self.mapping(raw, path)
        if not entry:
            return None
        time = self.minute(entry.get("time"), f"{path}.time")
        day = self.whole(entry.get("day"), f"{path}.day")
        return None if time is None or day is None else TripAnchor(day, time, str(entry.get("place") or ""))
