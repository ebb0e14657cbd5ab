"""What an itinerary says of itself: two lines above its card, and the notes below its days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from .itinerary_card import reason_text
from .model.dataset import Dataset
from .model.places import Attraction
from .model.trip_values import stops_of
from .rules.estimate import Cost, cost_of, day_cost, days_of, party_of
from .wording import clauses, count_in, half_up, listed, money, say_in, speaks_chinese

Itinerary = Mapping[str, Any]
_MOST_NAMES = 4


def summary(itinerary: Itinerary, language: str, dataset: Dataset) -> str:
    """What it is with its total, then the one thing to do. `**` stands around the total."""
    days, party = days_of(itinerary), party_of(itinerary)
    sights = sum(stop.get("kind") == "sight" for day in days for stop in stops_of(day))
    first = say_in(
        language, "{place}, {days} for {people}, {sights}",
        place=_place(itinerary, days, language),
        days=count_in(language, "{n} day", "{n} days", len(days)),
        people=count_in(language, "{n} person", "{n} people", party.persons),
        sights=count_in(language, "{n} sight", "{n} sights", sights),
    )  # fmt: skip
    ends = [str(stop.get("start")) for day in days for stop in stops_of(day) if stop.get("kind") == "hotel"]
    if ends:
        first = say_in(language, "{first}, back by {time}", first=first, time=max(ends))
    cost = cost_of(itinerary, dataset)
    price = _price(cost, language) if cost is not None else _tickets(itinerary, days, language)
    lines = [clauses(language, [first, price])]
    if to_do := _to_do(itinerary, language, dataset):
        lines.append(to_do)
    return "\n".join(say_in(language, "{sentence}.", sentence=line) for line in lines)


def notes(
    itinerary: Itinerary, language: str, dataset: Dataset, unscheduled: Sequence[Mapping[str, Any]] = ()
) -> list[str]:
    """What one should know before going, the most pressing first."""
    notes = [
        count_in(language, "{names}: book {n} day ahead", "{names}: book {n} days ahead", ahead, names=names)
        for ahead, names in _bookings(itinerary, language, dataset)
    ]
    lodging = itinerary.get("lodging")
    if isinstance(lodging, Mapping) and lodging.get("assumed"):
        notes.append(say_in(language, "No lodging yet; distances count from {place}", place=lodging.get("name")))
    if not itinerary.get("start_date"):
        notes.append(say_in(language, "No date given; closing days and holidays were not checked"))
    notes += [text for day in days_of(itinerary) if (text := _rain(day, language))]
    by_reason: dict[str, list[str]] = {}
    for entry in unscheduled:
        by_reason.setdefault(str(entry.get("reason")), []).append(str(entry.get("name")))
    for reason, names in by_reason.items():
        why = reason_text(reason, language)
        notes.append(say_in(language, "Left out ({why}): {names}", why=why, names=listed(language, names)))
    assumptions = itinerary.get("assumptions")
    notes += [str(text) for text in assumptions] if isinstance(assumptions, list) else []
    if speaks_chinese(language):  # the cities' own remarks are in Chinese
        notes += [tip for city in _cities(itinerary, dataset) for tip in city.tips]
    return list(dict.fromkeys(notes))


def _rain(day: Mapping[str, Any], language: str) -> str:
    """As "If it rains on day 1: Capital Museum instead of Jingshan Park"; nothing of sights that have left the day."""
    names = {stop.get("place_id"): str(stop.get("name")) for stop in stops_of(day)}
    wet = day.get("if_it_rains")
    choices = [each for each in wet if isinstance(each, Mapping)] if isinstance(wet, list) else []
    words = [
        say_in(language, "{other} instead of {name}", other=each.get("name"), name=names[each.get("instead_of")])
        for each in choices
        if each.get("instead_of") in names and each.get("place_id") not in names
    ]
    day_words = listed(language, words)
    return (
        say_in(language, "If it rains on day {day}: {changes}", day=day.get("day"), changes=day_words) if words else ""
    )


def aside(itinerary: Itinerary, language: str) -> str:
    """As "2 adults · 1 child · 7 sights"."""
    party, days = party_of(itinerary), days_of(itinerary)
    sights = sum(stop.get("kind") == "sight" for day in days for stop in stops_of(day))
    words = [count_in(language, "{n} adult", "{n} adults", party.adults)]
    if party.children:
        words.append(count_in(language, "{n} child", "{n} children", len(party.children)))
    return " · ".join([*words, count_in(language, "{n} sight", "{n} sights", sights)])


def _place(itinerary: Itinerary, days: Sequence[Mapping[str, Any]], language: str) -> str:
    names = dict.fromkeys(str(day.get("city_name") or itinerary.get("city_name") or "") for day in days)
    return listed(language, [name for name in names if name]) or str(itinerary.get("title") or "")


def _price(cost: Cost, language: str) -> str:
    total = f"**{money(half_up(cost.total), cost.currency)}**"
    words = say_in(language, "about {total} altogether", total=total)
    each = money(half_up(cost.total / cost.people), cost.currency)
    inside = [say_in(language, "{each} per person", each=each)] if cost.people > 1 else []
    if not cost.is_complete:
        inside.append(say_in(language, "without the way there and back"))
    return say_in(language, "{first} ({second})", first=words, second=listed(language, inside)) if inside else words


def _tickets(itinerary: Itinerary, days: Sequence[Mapping[str, Any]], language: str) -> str:
    cost = sum((day_cost(day) for day in days), Decimal(0))
    price = money(cost, str(itinerary.get("currency") or "CNY"))
    return say_in(language, "tickets about {price}, without lodging, meals and the way there", price=f"**{price}**")


def _to_do(itinerary: Itinerary, language: str, dataset: Dataset) -> str:
    for ahead, names in _bookings(itinerary, language, dataset):
        if itinerary.get("start_date"):
            return count_in(language, "Book {names} {n} day ahead", "Book {names} {n} days ahead", ahead, names=names)
        return count_in(
            language,
            "Book {names} {n} day ahead, before you fix the date",
            "Book {names} {n} days ahead, before you fix the date",
            ahead,
            names=names,
        )
    return "" if itinerary.get("start_date") else say_in(language, "With a date, closing days and holidays are checked")


def _bookings(itinerary: Itinerary, language: str, dataset: Dataset) -> Iterator[tuple[int, str]]:
    """Days ahead and what must be booked so early, the earliest first."""
    by_days: dict[int, list[str]] = {}
    for ahead, sight in booked_sights(itinerary, dataset):
        by_days.setdefault(ahead, []).append(sight.name(language))
    for ahead, names in by_days.items():
        yield ahead, listed(language, names[:_MOST_NAMES])


def booked_sights(itinerary: Itinerary, dataset: Dataset) -> list[tuple[int, Attraction]]:
    """Sights of the plan that must be booked, with the days ahead, the earliest first."""
    found: dict[str, tuple[int, Attraction]] = {}
    for day in days_of(itinerary):
        for stop in stops_of(day):
            sight = dataset.attraction(str(stop["place_id"])) if stop.get("place_id") else None
            if sight is not None and sight[1].reservation.required and sight[1].reservation.days_ahead > 0:
                found.setdefault(sight[1].id, (sight[1].reservation.days_ahead, sight[1]))
    return sorted(found.values(), key=lambda each: -each[0])


def _cities(itinerary: Itinerary, dataset: Dataset) -> list[Any]:
    ids = dict.fromkeys(str(day.get("city") or itinerary.get("city") or "") for day in days_of(itinerary))
    return [city for id in ids if id and (city := dataset.city(id)) is not None]
