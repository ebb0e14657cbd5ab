"""The journey as a whole: days, cities, beds, seats, rules, and what is missing."""

from __future__ import annotations

from datetime import timedelta
from itertools import groupby, pairwise

from ..model.trip import Lodging, TripDay, TripStop
from ..model.vocabulary import folded
from ..wording import listed
from .days import INTERCITY_KIND
from .report import TripReport

OWN_CAR = ("drive", "self_drive", "self-driving", "car")
PER_ROOM = 4


def check_whole(report: TripReport) -> None:
    _fields(report)
    _days(report)
    _cities(report)
    _nights(report)
    _transport(report)
    _capacity(report)
    _rooms(report)


def _fields(report: TripReport) -> None:
    report.looked_at("V28")
    for day in report.facts.trip.days_list:
        if not day.stops and not _is_on_the_way(report, day):
            report.add("V28", report.say("day {day} is empty", day=day.number), day=day)
        for stop in day.stops:
            missing = [
                field
                for field, value in (("name", stop.name or stop.place_id), ("start", stop.start), ("end", stop.end))
                if value in (None, "")
            ]
            if missing:
                fields = ", ".join(missing)
                report.add(
                    "V28",
                    report.say("day {day}, item {seq}: {fields} missing", day=day.number, seq=stop.seq, fields=fields),
                    day=day, stop=stop,
                )  # fmt: skip


def _is_on_the_way(report: TripReport, day: TripDay) -> bool:
    """A day spent arriving or leaving may be empty."""
    trip = report.facts.trip
    before = trip.arrival is not None and day.number <= trip.arrival.day
    return before or (trip.departure is not None and day.number >= trip.departure.day)


def _days(report: TripReport) -> None:
    trip = report.facts.trip
    report.looked_at("V13")
    count = len(trip.days_list)
    if trip.days is not None and trip.days != count:
        report.add("V13", report.say("{days} days are stated, {count} are there", days=trip.days, count=count))
    numbers = [day.number for day in trip.days_list]
    if numbers != list(range(1, count + 1)):
        report.add("V13", report.say("the days are not numbered one after the other: {numbers}", numbers=numbers))
    for day in trip.days_list:
        if day.date and trip.start_date and (day.date - trip.start_date).days != day.number - 1:
            report.add(
                "V13",
                report.say(
                    "day {day} is {date}, which does not fit the start on {start_date}",
                    day=day.number,
                    date=day.date,
                    start_date=trip.start_date,
                ),
                day=day,
            )
    for before, after in pairwise(trip.days_list):
        if before.date and after.date and not trip.start_date and after.date - before.date != timedelta(days=1):
            report.add(
                "V13",
                report.say("{date} is followed by {next_date}", date=before.date, next_date=after.date),
                day=after,
            )


def _cities(report: TripReport) -> None:
    facts, trip = report.facts, report.facts.trip
    named = [(city.id if city else day.city) for day in trip.days_list if (city := facts.city_of(day)) or day.city]
    blocks = [city for city, _ in groupby(named)]
    if not blocks:
        return
    report.looked_at("V14")
    # To come back to where one started is a round trip; to be anywhere else twice is a detour.
    inner = blocks[:-1] if len(blocks) > 2 and blocks[0] == blocks[-1] else blocks
    twice = sorted({str(city) for city in inner if inner.count(city) > 1})
    if twice:
        report.add("V14", report.say("{cities}: visited more than once", cities=listed(facts.language, twice)))
    declared = [city.id for name in trip.cities if (city := facts.dataset.city(name))]
    declared_cities = [city for city in dict.fromkeys(blocks) if city in declared]
    if len(declared) > 1 and declared_cities != [city for city in declared if city in declared_cities]:
        report.add("V14", report.say("the order of the cities is not that of the days"))


def _nights(report: TripReport) -> None:
    trip = report.facts.trip
    report.looked_at("V10")
    nights = trip.days_list[:-1]
    bare = [day.number for day in nights if day.lodging is None]
    assumed = [day.number for day in nights if day.lodging and day.lodging.assumed]
    if bare:
        names = ", ".join(map(str, bare))
        report.add("V10", report.say("no lodging for night {names}", names=names), day=trip.day(bare[0]))
    if assumed:
        report.add(
            "V10",
            report.say("no lodging is chosen yet: distances count from the city centre"),
            severity="warn",
        )
    for lodging, days in _stays(nights):
        least = lodging.raw.get("min_nights")
        if isinstance(least, int) and not isinstance(least, bool):
            report.looked_at("V31")
            if len(days) < least:
                report.add(
                    "V31",
                    report.say(
                        "{lodging} is for {least} nights at least, planned are {count}",
                        lodging=lodging.name,
                        least=least,
                        count=len(days),
                    ),
                    day=days[0],
                )


def _stays(nights: list[TripDay]) -> list[tuple[Lodging, list[TripDay]]]:
    with_lodging = [day for day in nights if day.lodging]
    stays = []
    for _, group in groupby(with_lodging, key=lambda day: folded(day.lodging.name) if day.lodging else ""):
        days = list(group)
        if days[0].lodging:
            stays.append((days[0].lodging, days))
    return stays


def _transport(report: TripReport) -> None:
    trip = report.facts.trip
    local = {stop.way.mode for _, stop in trip.stops if stop.way and stop.kind != "intercity"}
    between = {_mode(stop) for _, stop in trip.stops if stop.kind == "intercity"}
    report.looked_at("V16")
    own, public = between & set(OWN_CAR), {mode for mode in between if mode in INTERCITY_KIND}
    if own and public:
        report.add(
            "V16",
            report.say(
                "between the cities both the own car and flights, trains or coaches: the car would be left behind"
            ),
        )
    if not report.asked.transport_forbidden:
        return
    report.looked_at("V27")
    used = {
        "flight": any(INTERCITY_KIND.get(mode) == "air" for mode in between | local),
        "self_drive": bool((between | local) & set(OWN_CAR)),
        "taxi": "taxi" in between | local,
    }
    for mode in report.asked.transport_forbidden:
        if used.get(mode):
            report.add("V27", report.say("the plan uses {mode}, which is not allowed", mode=mode))


def _mode(stop: TripStop) -> str:
    return str(stop.raw.get("mode") or (stop.way.mode if stop.way else ""))


def _capacity(report: TripReport) -> None:
    trip, asked = report.facts.trip, report.asked
    party = asked.party or trip.party
    if party is None:
        return
    if trip.party and ((asked.party and asked.party != trip.party) or (asked.adults or trip.party.adults) != trip.party.adults):  # fmt: skip # noqa: E501
        report.add(
            "V17",
            report.say(
                "the plan is for {persons} persons, which is not the party that was asked for",
                persons=trip.party.persons,
            ),
        )
    for lodging, days in _stays(trip.days_list):
        rooms, each = lodging.raw.get("rooms"), lodging.raw.get("capacity")
        if not isinstance(rooms, int) and not isinstance(each, int):
            continue
        report.looked_at("V17")
        places = (rooms if isinstance(rooms, int) else 1) * (each if isinstance(each, int) else PER_ROOM)
        if party.persons > places:
            report.add(
                "V17",
                report.say(
                    "{lodging} holds {places} persons, the party is {persons}",
                    lodging=lodging.name,
                    places=places,
                    persons=party.persons,
                ),
                day=days[0],
            )


def _rooms(report: TripReport) -> None:
    wanted = report.asked.room_type
    for lodging, days in _stays(report.facts.trip.days_list):
        kind, rules = lodging.raw.get("room_type"), lodging.raw.get("house_rules")
        if wanted and isinstance(kind, str):
            report.looked_at("V26")
            if not _fits(kind.casefold(), wanted):
                report.add(
                    "V26",
                    report.say(
                        "{lodging} is {kind}, asked for {wanted}", lodging=lodging.name, kind=kind, wanted=wanted
                    ),
                    day=days[0],
                )  # fmt: skip
        if report.asked.room_rules and isinstance(rules, list):
            report.looked_at("V26")
            forbidden = folded(" ".join(map(str, rules)))
            for rule in report.asked.room_rules:
                if folded(f"no {rule}") in forbidden:
                    report.add(
                        "V26",
                        report.say("{lodging} does not allow {rule}", lodging=lodging.name, rule=rule),
                        day=days[0],
                    )


def _fits(kind: str, wanted: str) -> bool:
    if wanted == "not_shared":
        return "shared" not in kind
    return wanted in kind
