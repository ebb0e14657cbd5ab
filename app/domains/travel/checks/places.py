"""The stops themselves: known, once, in the right city, wanted, bookable, and how old the facts are."""

from __future__ import annotations

from datetime import date, timedelta

from ..model.hours import format_time
from ..model.trip import TripDay, TripStop
from ..model.vocabulary import folded
from ..rules.trip_facts import Known
from ..wording import count_in, listed
from .report import TripReport

STALE_MONTHS = 12
SUGGESTED = 12
"""For so many unknown places names are suggested: each is compared with every name of the data."""


def check_places(report: TripReport) -> None:
    _known(report)
    _once(report)
    _wanted(report)
    _avoided(report)
    _cuisines(report)


def _sights(report: TripReport) -> list[tuple[TripDay, TripStop]]:
    return [(day, stop) for day, stop in report.facts.trip.stops if stop.kind == "sight"]


# ---------------------------------------------------------------- V01 V18 V19 V30


def _near(report: TripReport, day: TripDay, stop: TripStop) -> list[str]:
    """Sights called much the same."""
    facts = report.facts
    return facts.dataset.suggest_attractions(stop.name or stop.label, facts.language, facts.city_of(day))


def _known(report: TripReport) -> None:
    unknown = 0
    for day, stop in _sights(report):
        if stop.raw.get("custom") is True:
            continue
        place = report.facts.place(day, stop)
        report.looked_at("V01")
        if place is None:
            near = _near(report, day, stop) if unknown < SUGGESTED else []
            unknown += 1
            name, names = stop.name or stop.label, listed(report.facts.language, near)
            hint = report.say("; did you mean {names}?", names=names) if near else ""
            text = report.say("“{name}” is not in the data and cannot be checked", name=name) + hint
            report.add("V01", text, day=day, stop=stop, fix={"op": "remove"})
            continue
        _in_city(report, day, stop, place)
        _long_enough(report, day, stop, place)
        _booking(report, day, stop, place)
        _age(report, day, stop, place)


def _in_city(report: TripReport, day: TripDay, stop: TripStop, known: Known) -> None:
    city = report.facts.city_of(day)
    if city is None or known.city is None:
        return
    report.looked_at("V30")
    if known.city.id != city.id:
        language = report.facts.language
        other = next((d for d in report.facts.trip.days_list if report.facts.city_of(d) == known.city), None)
        here, there = city.name(language), known.city.name(language)
        report.add(
            "V30",
            report.say("{known} is in {there}, the day is in {here}", known=known.name, there=there, here=here),
            day=day, stop=stop, fix={"op": "move", "to_day": other.number} if other else {"op": "remove"},
        )  # fmt: skip


def _long_enough(report: TripReport, day: TripDay, stop: TripStop, known: Known) -> None:
    """Half of the shortest visit on record is no visit."""
    if known.sight is None or not stop.timed:
        return
    report.looked_at("V32")
    least = known.sight.visit_minutes.min
    if 0 < stop.minutes < least / 2:
        text = report.say(
            "{name}: {minutes} minutes are too few, {least} are the least", name=known.name, minutes=stop.minutes,
            least=least,
        )  # fmt: skip
        fix = {"op": "retime", "start": format_time(stop.start or 0), "minutes": known.sight.visit_minutes.typ}
        report.add("V32", text, day=day, stop=stop, fix=fix)


def _booking(report: TripReport, day: TripDay, stop: TripStop, known: Known) -> None:
    if known.sight is None:
        return
    report.looked_at("V18")
    booking = known.sight.reservation
    if not booking.required or stop.raw.get("reserved") is True:
        return
    by = day.date - timedelta(days=booking.days_ahead) if day.date and day.date > date(1, 2, 28) else None
    late = by is not None and by < report.today
    text = count_in(
        report.facts.language,
        "{name} must be booked {n} day ahead",
        "{name} must be booked {n} days ahead",
        booking.days_ahead,
        name=known.name,
    )
    report.add("V18", text + (report.say(": it is too late for that") if late else ""), day=day, stop=stop)


def _age(report: TripReport, day: TripDay, stop: TripStop, known: Known) -> None:
    if known.sight is None:
        return
    report.looked_at("V19")
    year, _, month = known.sight.as_of.partition("-")
    if not (year.isdigit() and month[:2].isdigit()):
        return
    months = (report.today.year - int(year)) * 12 + report.today.month - int(month[:2])
    if months > STALE_MONTHS:
        report.add(
            "V19",
            report.say(
                "the facts about {known} are of {as_of} and may be out of date",
                known=known.name, as_of=known.sight.as_of,
            ),
            day=day, stop=stop,
        )  # fmt: skip


# ---------------------------------------------------------------- V02


def _once(report: TripReport) -> None:
    seen: dict[str, TripDay] = {}
    report.looked_at("V02")
    for day, stop in _sights(report):
        place = report.facts.place(day, stop)
        key = place.id if place else folded(stop.label)
        if key in seen:
            first = seen[key]
            report.add(
                "V02",
                report.say(
                    "{name} is twice: on day {first} already (day {day}{time})",
                    name=stop.name or stop.label, first=first.number, day=day.number, time=_at(stop),
                ),
                day=day, stop=stop, fix={"op": "remove"},
            )  # fmt: skip
        seen.setdefault(key, day)


def _at(stop: TripStop) -> str:
    return f" {format_time(stop.start)}" if stop.start is not None else ""


# ---------------------------------------------------------------- V20 V21


def _wanted(report: TripReport) -> None:
    wishes = report.asked.must_see or report.facts.trip.must_see
    if not wishes:
        return
    report.looked_at("V20")
    for wish in wishes:
        if not any(_is(report, day, stop, wish) for day, stop in _sights(report)):
            report.add(
                "V20",
                report.say("“{wish}” must be seen and is not in the plan", wish=wish),
                name=wish, fix={"op": "add", "stop": wish, "day": report.facts.trip.days_list[0].number},
            )  # fmt: skip


def _avoided(report: TripReport) -> None:
    if not report.asked.avoid:
        return
    report.looked_at("V21")
    for wish in report.asked.avoid:
        for day, stop in report.facts.trip.stops:
            if _is(report, day, stop, wish):
                report.add(
                    "V21",
                    report.say("“{wish}” was to be avoided and is on day {day}", wish=wish, day=day.number),
                    day=day, stop=stop, fix={"op": "remove"},
                )  # fmt: skip


def _is(report: TripReport, day: TripDay, stop: TripStop, wish: str) -> bool:
    if stop.is_called(wish):
        return True
    here = report.facts.place(day, stop)
    place = report.facts.named(wish, report.facts.city_of(day))
    return here is not None and place is not None and here.id == place.id


# ---------------------------------------------------------------- V22


def _cuisines(report: TripReport) -> None:
    if not report.asked.cuisines:
        return
    report.looked_at("V22")
    meals = [stop for _, stop in report.facts.trip.stops if stop.kind == "meal"]
    text = folded(" ".join(f"{s.name} {s.raw.get('cuisine') or ''} {' '.join(_notes(s))}" for s in meals))
    for cuisine in report.asked.cuisines:
        if folded(cuisine) not in text:
            report.add(
                "V22",
                report.say("no meal offers “{cuisine}”", cuisine=cuisine),
                name=cuisine, fix={"op": "add", "kind": "meal", "name": cuisine, "day": 1},
            )  # fmt: skip


def _notes(stop: TripStop) -> list[str]:
    notes = stop.raw.get("notes")
    return [str(note) for note in notes] if isinstance(notes, list) else []
