"""The operations of edit_trip on an itinerary, and what they changed.

    move      {stop | seq, day?, to_day, start?}      remove  {stop | seq, day?}
    add       {day, stop?, kind?, name?, start?, minutes?, cost?}
    retime    {stop | seq, day?, start, end?}         lock    {stop | seq, day?, locked?}
    ease      {day}: no more sights than a relaxed day holds; the least known of those not locked go first
    redate    {date}: the first day of the journey   recalculate {}: only the sums
    exchange  {day, to_day}: two days change places   hours {day, start?, end?}: when one goes out and is back
    together  {stops, day?}: several on one day; what does not fit beside them goes to other days
    restore  {version}: an older version as the newest one; alone, since it replaces everything

Without a day `add` takes the one that holds least; `move` of what is not there adds it. What was done is kept in the
itinerary (`edits`), so that a new plan of the same journey can have it too (`replayed`).

All operations are applied first, to the numbers (`seq`) of the itinerary as it was; then each day they touched is
arranged again (`rebuild`). What is wrong with an operation is a BAD_OP that names it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from typing import Any

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.text.value_faults import ValueFault

from ..model.dataset import Dataset
from ..model.hours import HoursError, format_time
from ..model.trip import Trip, TripDay, TripStop, read_trip
from ..model.trip_values import parse_clock
from ..model.vocabulary import folded
from ..routing.stops import PACE_LIMITS
from ..wording import weekday_name
from .edit_outcome import difference, with_sums
from .passes import with_passes
from .rebuild import arrange, with_totals
from .trip_facts import TripFacts

OPS = (
    "move", "remove", "swap", "add", "retime", "lock", "ease", "redate", "recalculate", "exchange", "hours", "together",
    "restore",
)  # fmt: skip
EDITS = "edits"
"""The operations an itinerary has seen since it was planned."""
MOST_EDITS = 60


@dataclass
class Edited:
    itinerary: dict[str, Any]
    diff: list[dict[str, Any]]
    unsolved: list[int] = field(default_factory=list)
    """Days in which not everything fitted: their times are as asked for."""


def apply(itinerary: Mapping[str, Any], ops: Sequence[Mapping[str, Any]], dataset: Dataset, language: str) -> Edited:
    """Raises ToolError BAD_OP; `itinerary` is left as it is."""
    trip = read_trip(itinerary)
    edit = _Edit(trip, TripFacts(trip, dataset, language))
    for number, op in enumerate(ops):
        edit.do(op, f"ops.{number}")
    edited = edit.finished(itinerary)
    edits = [dict(op) for op in ops if op.get("op") not in ("redate", "recalculate")]
    if edits and edited.itinerary != itinerary:
        edited.itinerary[EDITS] = [*(itinerary.get(EDITS) or ()), *edits][-MOST_EDITS:]
    return edited


def replayed(planned: Mapping[str, Any], before: Mapping[str, Any], dataset: Dataset, language: str) -> Edited:
    """A new plan of the journey with the edits of the one before it; what no longer fits in is left out."""
    done = Edited(dict(planned), [])
    edits = before.get(EDITS)
    for op in edits if isinstance(edits, list) else ():
        if not isinstance(op, Mapping):
            continue
        try:
            done = apply(done.itinerary, [op], dataset, language)
        except ToolError:
            continue
    return Edited(done.itinerary, difference(before, done.itinerary), done.unsolved)


def restored(before: Mapping[str, Any], older: Mapping[str, Any]) -> Edited:
    """An older version of the itinerary in place of `before`."""
    return Edited(dict(older), difference(before, older))


class _Edit:
    def __init__(self, trip: Trip, facts: TripFacts) -> None:
        self.trip, self.facts = trip, facts
        self.touched: set[int] = set()
        self.fixed: set[int] = set()
        self.given_up: set[str] = set()
        self.start: date | None = None
        """The new first day, where one was given."""

    def do(self, op: Mapping[str, Any], path: str) -> None:
        match op.get("op"):
            case "move":
                self._move(op, path)
            case "remove":
                self._remove(op, path)
            case "swap":
                self._swap(op, path)
            case "add":
                self._add(op, path)
            case "retime":
                self._retime(op, path)
            case "lock":
                _, stop = self._found(op, path)
                stop.locked = op.get("locked") is not False
                stop.raw["locked"] = stop.locked
            case "ease":
                self._ease(self._day(op.get("day"), f"{path}.day"))
            case "exchange":
                self._exchange(op, path)
            case "hours":
                self._hours(op, path)
            case "together":
                self._together(op, path)
            case "redate":
                self._redate(op, path)
            case "recalculate":
                pass
            case "restore":
                raise _bad(path, N_("restore stands alone: it replaces everything"))
            case other:
                raise _bad(
                    path, N_("op must be one of {expected}, not {given}"), expected=", ".join(OPS), given=repr(other)
                )

    def _remove(self, op: Mapping[str, Any], path: str) -> None:
        name = str(op.get("stop") or "")
        if name and op.get("seq") is None and self._where(name) is None and self._is_sight(name):
            return  # a sight that is not in the plan: that is what was wished for
        day, stop = self._found(op, path)
        self._give_up(day, stop)
        day.stops.remove(stop)
        self.touched.add(day.number)

    def _give_up(self, day: TripDay, stop: TripStop) -> None:
        """Who takes a sight out of the plan need not see it any more."""
        self.given_up |= {name for name in self.trip.must_see if self._is(day, stop, name, None)}

    def _exchange(self, op: Mapping[str, Any], path: str) -> None:
        one, other = self._day(op.get("day"), f"{path}.day"), self._day(op.get("to_day"), f"{path}.to_day")
        if one.city != other.city:
            raise _bad(path, N_("the two days are in different cities"))
        one.stops, other.stops = other.stops, one.stops
        self.touched |= {one.number, other.number}

    def _hours(self, op: Mapping[str, Any], path: str) -> None:
        day = self._day(op.get("day"), f"{path}.day")
        try:
            for name in ("start", "end"):
                if op.get(name):
                    day.raw[f"day_{name}"] = format_time(parse_clock(op[name], f"{path}.{name}"))
        except HoursError as error:
            raise ToolError("BAD_OP", error.fault.sentence(), fault=error.fault) from None
        self._make_room(day, ())  # a shorter day holds less

    def _together(self, op: Mapping[str, Any], path: str) -> None:
        names = [str(name) for name in op.get("stops") or ()]
        if len(names) < 2:
            raise _bad(path, N_("two stops at least are needed"))
        there = [place for name in names if (place := self._where(name)) is not None]
        if op.get("day"):
            target = self._day(op["day"], f"{path}.day")
        else:
            target = there[0][0] if there else self._emptiest(names[0])
        chosen: list[TripStop] = []
        for name in names:
            if (place := self._where(name)) is None:
                self._add({"op": "add", "day": target.number, "stop": name}, path)
            elif place[0] is not target:
                self._move({"op": "move", "stop": name, "to_day": target.number}, path)
            chosen += [stop for stop in target.stops if self._is(target, stop, name, None)]
        self._make_room(target, chosen)

    def _make_room(self, day: TripDay, kept: Sequence[TripStop]) -> None:
        """Other sights leave the day, the least known first, until it can be arranged."""
        free = [s for s in day.sights if not s.locked and not any(s is each for each in kept)]
        free.sort(key=partial(self._standing, day))
        others = [d for d in self.trip.days_list if d is not day and d.city == day.city]
        while free and not arrange(self.facts, day, self.fixed).solved:
            stop = free.pop()
            day.stops.remove(stop)
            if others:
                target = min(others, key=self._active)
                target.stops.append(stop)
                if arrange(self.facts, target, self.fixed).solved:
                    self.touched.add(target.number)
                else:
                    target.stops.remove(stop)
        self.touched.add(day.number)

    def _where(self, name: str) -> tuple[TripDay, TripStop] | None:
        return next(((d, s) for d in self.trip.days_list for s in d.stops if self._is(d, s, name, None)), None)

    def _emptiest(self, name: str) -> TripDay:
        """Of the days in the city of the sight."""
        fitting = [day for day in self.trip.days_list if self.facts.named(name, self.facts.city_of(day)) is not None]
        return min(fitting or self.trip.days_list, key=self._active)

    def _move(self, op: Mapping[str, Any], path: str) -> None:
        name = str(op.get("stop") or "")
        if name and op.get("seq") is None and self._where(name) is None and self._is_sight(name):
            self._add({**op, "day": op.get("to_day")}, path)
            return
        day, stop = self._found(op, path)
        target = self._day(op.get("to_day"), f"{path}.to_day")
        day.stops.remove(stop)
        target.stops.append(stop)
        self.touched |= {day.number, target.number}
        if op.get("start"):
            self._set(stop, op, path)
        elif target is not day:
            before = [(each, list(each.stops)) for each in self.trip.days_list]
            self._make_room(target, [stop])
            if sum(len(each.stops) for each in self.trip.days_list) < sum(len(stops) for _, stops in before):
                for each, stops in before:  # a move drops nothing: the check says what does not fit
                    each.stops[:] = stops

    def _is_sight(self, name: str) -> bool:
        return any(self.facts.named(name, self.facts.city_of(day)) is not None for day in self.trip.days_list)

    def _swap(self, op: Mapping[str, Any], path: str) -> None:
        """`stop` or `seq` leaves, `name` comes to the same day."""
        if not str(op.get("name") or "").strip():
            raise _bad(path, N_("what comes in its place? give name"))
        day, stop = self._found(op, path)
        if (place := self._where(str(op["name"]))) is not None:
            self._move({"op": "move", "stop": op["name"], "to_day": day.number}, path)
            self.touched.add(place[0].number)
        else:
            self._add({"op": "add", "day": day.number, "name": op["name"]}, path)
        self._give_up(day, stop)
        day.stops.remove(stop)
        self._make_room(day, [each for each in day.stops if self._is(day, each, str(op["name"]), None)])

    def _add(self, op: Mapping[str, Any], path: str) -> None:
        kind = op.get("kind") or "sight"
        name = str(op.get("stop") or op.get("name") or "")
        day = self._day(op["day"], f"{path}.day") if op.get("day") is not None else self._emptiest(name)
        if not name.strip():
            raise _bad(path, N_("what is to be added? give stop or name"))
        if kind not in ("sight", "meal", "free", "intercity"):
            raise _bad(path, N_("kind must be sight, meal, free or intercity"))
        place = self.facts.named(name, self.facts.city_of(day)) if kind == "sight" else None
        there = next(
            (d for d in self.trip.days_list for s in d.stops if place and self._is(d, s, place.id, None)), None
        )
        if place and there and op.get("day") is None:
            return  # it is in the plan already
        if place and there:
            raise _bad(
                path,
                N_("{name} is there on day {day} already; move it, or remove it first"),
                name=place.name,
                day=there.number,
            )
        raw: dict[str, Any] = {
            "seq": len(day.stops) + 1, "place_id": place.id if place else None, "name": place.name if place else name,
            "kind": kind, "start": "", "end": "", "wait_min": 0, "transfer": None, "cost": op.get("cost"),
            "notes": [], "warnings": [], "locked": False,
        }  # fmt: skip
        if kind == "sight" and place is None:
            raw["custom"] = True
        if place and place.spot:
            raw.update(lat=place.spot.point.lat, lon=place.spot.point.lon)
        minutes = op.get("minutes") or (place.minutes if place else None) or 60
        raw["visit_minutes"] = minutes
        stop = TripStop(
            raw, len(day.stops) + 1, raw["place_id"], raw["name"], kind, None, None, None, None,
            place.spot.point if place and place.spot else None, locked=False,
        )  # fmt: skip
        if op.get("start"):
            self._set(stop, {"minutes": minutes, **op}, path)
        day.stops.append(stop)
        self.touched.add(day.number)

    def _retime(self, op: Mapping[str, Any], path: str) -> None:
        day, stop = self._found(op, path)
        if not op.get("start"):
            raise _bad(path, N_("start is missing"))
        self._set(stop, op, path)
        self.touched.add(day.number)

    def _ease(self, day: TripDay) -> None:
        most, visiting = PACE_LIMITS["relaxed"]
        free = sorted((stop for stop in day.sights if not stop.locked), key=partial(self._standing, day))
        if free and len(day.sights) > 1:
            day.stops.remove(free.pop())
        while free and len(day.sights) > 1 and (len(day.sights) > most or self._visiting(day) > visiting):
            day.stops.remove(free.pop())
        self.touched.add(day.number)

    def _visiting(self, day: TripDay) -> int:
        return sum(stop.minutes for stop in day.sights)

    def _active(self, day: TripDay) -> int:
        return self._visiting(day) + sum(stop.way.minutes for stop in day.stops if stop.way)

    def _standing(self, day: TripDay, stop: TripStop) -> int:
        """Its place among the sights of the city; what a person added comes first."""
        city, known = self.facts.city_of(day), self.facts.place(day, stop)
        ids = [sight.id for sight in city.attractions] if city else []
        return ids.index(known.id) if known and known.id in ids else -1

    def _redate(self, op: Mapping[str, Any], path: str) -> None:
        try:
            self.start = date.fromisoformat(str(op.get("date") or ""))
        except ValueError:
            raise _bad(path, N_("date must be YYYY-MM-DD, not {given}"), given=repr(op.get("date"))) from None
        if self.start == self.trip.start_date and all(day.date for day in self.trip.days_list):
            return
        for day in self.trip.days_list:
            day.date = self.start + timedelta(days=day.number - 1)
            day.raw.update(date=day.date.isoformat(), weekday=weekday_name(self.facts.language, day.date.weekday()))
            self.touched.add(day.number)

    def _set(self, stop: TripStop, op: Mapping[str, Any], path: str) -> None:
        try:
            start = parse_clock(op["start"], f"{path}.start")
            minutes = int(op.get("minutes") or stop.minutes or 60)
            end = parse_clock(op["end"], f"{path}.end") if op.get("end") else start + minutes
        except HoursError as error:
            raise ToolError("BAD_OP", error.fault.sentence(), fault=error.fault) from None
        if end < start:
            raise _bad(path, N_("end lies before start"))
        stop.start, stop.end = start, end
        stop.raw.update(start=format_time(start), end=format_time(end))
        self.fixed.add(id(stop))

    def _day(self, number: object, path: str) -> TripDay:
        day = self.trip.day(number) if isinstance(number, int) else None
        if day is None:
            numbers = ", ".join(str(each.number) for each in self.trip.days_list)
            raise _bad(path, N_("there is no day {given}; days: {days}"), given=repr(number), days=numbers)
        return day

    def _found(self, op: Mapping[str, Any], path: str) -> tuple[TripDay, TripStop]:
        days = [self._day(op["day"], f"{path}.day")] if op.get("day") is not None else self.trip.days_list
        wanted, seq = str(op.get("stop") or ""), op.get("seq")
        matches = [(day, stop) for day in days for stop in day.stops if self._is(day, stop, wanted, seq)]
        if not matches and wanted:
            # The number may be that of an earlier version: a name that is still there is meant all the same.
            matches = [(day, stop) for day in days for stop in day.stops if self._is(day, stop, wanted, None)]
        if not matches:
            near = ", ".join(stop.label for day in days for stop in day.stops if stop.kind == "sight")
            raise _bad(
                path, N_("there is no stop {given}; stops: {stops}"), given=repr(wanted or seq), stops=near[:200]
            )
        if len(matches) > 1 and seq is None and op.get("op") != "remove":
            raise _bad(
                path, N_("{given} is there {count} times; give day and seq"), given=repr(wanted), count=len(matches)
            )
        return matches[-1]

    def _is(self, day: TripDay, stop: TripStop, wanted: str, seq: object) -> bool:
        if seq is not None and stop.seq != seq:
            return False
        if not wanted:
            return seq is not None
        place = self.facts.place(day, stop)
        if place is None or stop.is_called(wanted):
            return stop.is_called(wanted)
        known = self.facts.named(wanted, self.facts.city_of(day))
        return folded(wanted) in (folded(place.name), folded(place.id)) or (known is not None and known.id == place.id)

    # ------------------------------------------------------------ the outcome

    def finished(self, before: Mapping[str, Any]) -> Edited:
        days, unsolved = [], []
        for day in self.trip.days_list:
            stops = [dict(stop.raw) for stop in day.stops]
            if day.number in self.touched:
                arranged = arrange(self.facts, day, self.fixed)
                stops = arranged.stops
                if not arranged.solved:
                    unsolved.append(day.number)
            days.append(with_totals(self.facts, day, stops))
        body = with_passes({**before, "days_list": days}, self.facts.dataset)
        if self.given_up:
            body["must_see"] = [name for name in self.trip.must_see if name not in self.given_up]
        if self.start:
            body["start_date"] = self.start.isoformat()
        body = with_sums(body)
        return Edited(body, difference(before, body), unsolved)


def _bad(path: str, words: str, **values: object) -> ToolError:
    fault = ValueFault(path, words, values)
    return ToolError("BAD_OP", fault.sentence(), fault=fault)
