"""The card of an itinerary: the days as a timeline, and the points of a map beside it.

Reads an itinerary as it is stored, whoever wrote it: what is missing is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from app.core.tools.card import Card

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


def itinerary_card(itinerary: Mapping[str, Any], language: str, unscheduled: Sequence[Mapping[str, Any]] = ()) -> Card:
    currency = str(itinerary.get("currency") or "CNY")
    groups = [_day(day, language, currency) for day in itinerary.get("days_list") or ()]
    if unscheduled:
        unplaced = [
            {"title": entry["name"], "text": reason_text(entry["reason"], language), "warn": True}
            for entry in unscheduled
        ]
        groups.append({"label": say_in(language, "Not scheduled"), "items": unplaced})
    payload: dict[str, Any] = {"title": itinerary.get("title") or "", "groups": groups}
    days = [day for day in itinerary.get("days_list") or () if isinstance(day, Mapping)]
    stays = [list(stay) for _city, stay in groupby(days, key=lambda day: day.get("city"))]
    at = 0
    for stay in stays:
        # On one map two cities would be two heaps of markers: each gets its own, above its first day.
        points, legs = _map(stay, language)
        if points:
            (payload if len(stays) == 1 else groups[at])["map"] = {"points": points, "legs": legs}
        at += len(stay)
    return Card("timeline", payload)


def day_label(day: Mapping[str, Any], language: str) -> str:
    label = say_in(language, "Day {day}", day=day.get("day"))
    if day.get("city_name"):
        label += f" · {day['city_name']}"
    return f"{label} · {day['date']} {day.get('weekday') or ''}".rstrip() if day.get("date") else label


def way_words(way: Mapping[str, Any], language: str) -> str:
    """As "公交约20分钟 3.1 km"."""
    about = "" if not way.get("estimate") else say_in(language, "~")
    far = f" {way['km']} km" if way.get("km") else ""
    mode = way.get("mode") or "transit"
    named = mode_name(language, mode) if mode in MODE_NAMES else str(mode)
    return say_in(language, "{named} {about}{min} min{far}", named=named, about=about, min=way.get("min"), far=far)


def _day(day: Mapping[str, Any], language: str, currency: str) -> dict[str, Any]:
    totals, currency = day.get("totals") or {}, str(day.get("currency") or currency)
    cost = money(totals["cost"], currency) if totals.get("cost") else ""
    way, visits = totals.get("travel_min", 0), totals.get("visit_min", 0)
    sub = say_in(language, "{way} min on the way · {visits} min of visits", way=way, visits=visits)
    sub += say_in(language, " · tickets {cost}", cost=cost) if cost else say_in(language, " · no tickets")
    return {
        "label": day_label(day, language),
        "sub": sub,
        "items": [_item(stop, language, currency) for stop in day.get("stops") or ()],
    }


def _item(stop: Mapping[str, Any], language: str, currency: str) -> dict[str, Any]:
    words = []
    if stop.get("transfer"):
        words.append(way_words(stop["transfer"], language))
    if stop.get("wait_min"):
        words.append(say_in(language, "{wait_min} min free", wait_min=stop["wait_min"]))
    if stop.get("cost"):
        words.append(money(stop["cost"], currency))
    warnings = texts(stop, "warnings")
    words += [*texts(stop, "notes"), *warnings]
    item = {
        "time": stop.get("start") or "",
        "end": "" if stop.get("end") == stop.get("start") else stop.get("end") or "",
        "title": stop.get("name") or stop.get("place_id") or "",
        "text": " · ".join(words),
        "icon": stop.get("kind") or "sight",
    }
    return {**item, "warn": True} if warnings else item


def _map(days: Sequence[Mapping[str, Any]], language: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Numbered markers, a group for each day, and the legs between them.

    A meal has no place of its own: the way to it is a part of the leg to the next sight.
    """
    points: list[dict[str, Any]] = []
    legs: list[dict[str, Any]] = []
    for day in days:
        group, before, km = say_in(language, "Day {day}", day=day.get("day")), "", 0.0
        for stop in day.get("stops") or ():
            km += (stop.get("transfer") or {}).get("km") or 0
            if stop.get("lat") is None or stop.get("lon") is None:
                continue
            label = f"{len(points) + 1} {stop.get('name') or ''}".strip()
            points.append({"lat": stop["lat"], "lon": stop["lon"], "label": label, "group": group})
            if before and km:
                legs.append({"from": before, "to": label, "km": round(km, 2)})
            before, km = label, 0.0
    return points, legs


def texts(stop: Mapping[str, Any], name: str) -> list[str]:
    value = stop.get(name)
    return [str(each) for each in value] if isinstance(value, list) else []


def reasons(unscheduled: Sequence[Mapping[str, Any]], language: str) -> str:
    return listed(language, [f"{entry['name']}({reason_text(entry['reason'], language)})" for entry in unscheduled])


def reason_text(code: str, language: str) -> str:
    return say_in(language, REASONS[code])
