"""The card of an itinerary: the days as a timeline, and the points of a map beside it.

Reads an itinerary as it is stored, whoever wrote it: what is missing is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby
from typing import Any

from app.core.tools.card import Card

from .day_map import day_map
from .model.dataset import Dataset
from .model.trip_values import place_of, stops_of
from .wording import MODE_NAMES, N_, listed, mode_name, money, say_in

REASONS = {
    "CLOSED_DAY": N_("closed on these days"),
    "NO_TIME_LEFT": N_("no time left"),
    "TOO_FAR": N_("too far"),
    "OUTSIDE_HOURS": N_("its hours do not fit the day"),
    "AVOIDED": N_("to be avoided"),
    "DUPLICATE": N_("given twice"),
    "UNKNOWN": N_("its position is not known"),
}

WAY_ICONS = {"walk": "walk", "transit": "bus", "train": "train", "taxi": "car", "drive": "car", "flight": "send"}


def itinerary_card(itinerary: Mapping[str, Any], language: str, dataset: Dataset) -> Card:
    currency = str(itinerary.get("currency") or "CNY")
    days = [day for day in itinerary.get("days_list") or () if isinstance(day, Mapping)]
    counter = count(1)
    groups = [_day(day, language, currency, counter) for day in days]
    payload: dict[str, Any] = {"title": itinerary.get("title") or "", "groups": groups}
    stays = [list(stay) for _city, stay in groupby(days, key=lambda day: day.get("city"))]
    at = 0
    for stay in stays:
        # On one map two cities would be two heaps of markers: each gets its own, from its first day on.
        city = dataset.city(str(stay[0].get("city") or itinerary.get("city") or ""))
        drawn = day_map(groups[at : at + len(stay)], stay, city, language)
        if drawn["points"]:
            (payload if len(stays) == 1 else groups[at])["map"] = drawn
        at += len(stay)
    return Card("timeline", payload)


def day_label(day: Mapping[str, Any], language: str) -> str:
    label = say_in(language, "Day {day}", day=day.get("day"))
    if day.get("city_name"):
        label += f" · {day['city_name']}"
    return f"{label} · {day['date']} {day.get('weekday') or ''}".rstrip() if day.get("date") else label


def way_words(way: Mapping[str, Any], language: str) -> str:
    """As "公交约 20 分钟 · 3.1 km"."""
    about = "" if not way.get("estimate") else say_in(language, "~")
    far = f" · {way['km']} km" if way.get("km") else ""
    mode = way.get("mode") or "transit"
    named = mode_name(language, mode) if mode in MODE_NAMES else str(mode)
    time = minutes_words(way.get("min"), language)
    return say_in(language, "{named} {about}{time}{far}", named=named, about=about, time=time, far=far)


def _day(day: Mapping[str, Any], language: str, currency: str, counter: Iterator[int]) -> dict[str, Any]:
    totals, currency = day.get("totals") or {}, str(day.get("currency") or currency)
    cost = money(totals["cost"], currency) if totals.get("cost") else ""
    way, visits = totals.get("travel_min", 0), totals.get("visit_min", 0)
    sub = say_in(
        language, "{way} on the way · {visits} of visits",
        way=minutes_words(way, language), visits=minutes_words(visits, language),
    )  # fmt: skip
    tickets = say_in(language, " · tickets {cost}", cost=cost) if cost else say_in(language, " · no tickets")
    stops = stops_of(day)
    sights = [str(stop.get("name") or "") for stop in stops if stop.get("kind") in ("sight", "intercity")]
    times = [str(stop[key]) for stop in stops for key in ("start", "end") if stop.get(key)]
    return {
        "label": day_label(day, language),
        "day": day.get("day"),
        "sub": sub + tickets,
        "route": " → ".join(sights),
        "span": f"{min(times)}–{max(times)}{tickets}" if times else "",
        "items": [_item(stop, language, currency, counter) for stop in stops],
    }


def _item(stop: Mapping[str, Any], language: str, currency: str, counter: Iterator[int]) -> dict[str, Any]:
    words = []
    if stop.get("wait_min"):
        words.append(say_in(language, "{wait_min} min free", wait_min=stop["wait_min"]))
    warnings = texts(stop, "warnings")
    words += [*texts(stop, "notes"), *warnings]
    kind, way = stop.get("kind") or "sight", stop.get("transfer")
    item: dict[str, Any] = {
        "time": stop.get("start") or "",
        "end": "" if stop.get("end") == stop.get("start") else stop.get("end") or "",
        "title": stop.get("name") or stop.get("place_id") or "",
        "text": " · ".join(words),
        "icon": kind,
    }
    if isinstance(way, Mapping):
        item["way"], item["way_icon"] = way_words(way, language), WAY_ICONS.get(str(way.get("mode")), "route")
    if stop.get("cost"):
        item["cost"] = money(stop["cost"], currency)
    if stop.get("locked"):
        item["locked"] = True
    if (at := place_of(stop)) is not None:
        item["lat"], item["lon"] = at
        if kind == "sight":
            item["number"] = next(counter)
    return {**item, "warn": True} if warnings else item


def minutes_words(minutes: Any, language: str) -> str:
    """As "3 h 45 min"."""
    whole = int(minutes) if isinstance(minutes, int | float) else 0
    hours, rest = divmod(whole, 60)
    if not hours:
        return say_in(language, "{n} min", n=rest)
    return say_in(language, "{h} h {n} min", h=hours, n=rest) if rest else say_in(language, "{h} h", h=hours)


def texts(stop: Mapping[str, Any], name: str) -> list[str]:
    value = stop.get(name)
    return [str(each) for each in value] if isinstance(value, list) else []


def reasons(unscheduled: Sequence[Mapping[str, Any]], language: str) -> str:
    return listed(language, [f"{entry['name']}({reason_text(entry['reason'], language)})" for entry in unscheduled])


def reason_text(code: str, language: str) -> str:
    return say_in(language, REASONS[code])
