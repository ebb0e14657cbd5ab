"""Turns of travellers, played over the composed program and rated: right, acceptable, wrong or silly.

The turns are data (`turns/*.toml`), each with predicates that were fixed before any run:

    must     what an answer needs to be acceptable
    want     what makes it right besides
    silly    what only a program without sense would answer: one of these is enough

Predicates of a plan (the newest itinerary that the turn made, changed or opened): kind = "plan" | "none", cities (their
ids, in order), city_set, any_city, not_cities, days, per_city, per_city_over, has, lacks (parts of names), on {name =
day}, together, order, locked, starts {day, not_before}, starts_before, ends {day, not_after}, fewer_on (day),
start_date, start_within, adults, children, children_n, sleeps, food_without, food_with (traits of
dishes at meals).
Of the answer: says ("a|b": one of them), says_not, cities_said, total (an amount in money), short (most characters of
the text), tool ("a|b"). Of what was understood: slots, slots_unknown, asks.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.run.events import LoopEnd, ToolReturned, Understood
from app.core.run.view import answer_cards, view_of
from app.core.system.clock import Clock
from app.domains.travel.model.dataset import builtin
from app.domains.travel.tools import routes, trips
from app.providers import simulated_stream
from app.providers.rules import model as rules
from app.services.container import Services
from app.services.runs.run_options import RunOptions

TURNS = Path(__file__).parent / "turns"
TODAY = date(2026, 11, 21)
"""A Saturday; the turns say "next Friday" of it."""
MONEY = ("元", *"¥ yuan CNY USD EUR GBP JPY SGD KRW THB AUD HKD MOP TWD MYR TRY AED".split())


@dataclass
class Seen:
    """What one turn showed."""

    answer: str
    shown: str
    """The answer and the words of its card."""
    tools: list[str]
    plan: Mapping[str, Any] | None
    before: Mapping[str, Any] | None
    slots: Mapping[str, Any]
    typed: list[str]
    """What unknown slots show: names that the data do not have."""
    asks: list[str]


@dataclass
class Rating:
    talk: str
    turn: int
    say: str
    verdict: str
    faults: list[str] = field(default_factory=list)
    answer: str = ""


def talks(name: str) -> list[dict[str, Any]]:
    return list(tomllib.loads((TURNS / f"{name}.toml").read_text("utf-8"))["talk"])


async def rated(chosen: list[dict[str, Any]], folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Rating]:
    """Every turn of these talks; the day is always `TODAY`."""
    plans: list[Mapping[str, Any]] = []
    monkeypatch.setattr(Clock, "today", lambda _self: TODAY)
    monkeypatch.setattr(rules, "say", partial(_whole, simulated_stream.say))
    monkeypatch.setattr(rules, "think", partial(_whole, simulated_stream.think))
    for module in (routes, trips):
        monkeypatch.setattr(module, "answer_card", partial(_recorded, module.answer_card, plans))
    services = build(folder / "data", {})
    await services.open()
    ratings: list[Rating] = []
    try:
        for talk in chosen:
            ratings += await _talk(services, talk, plans)
    finally:
        await services.close()
    return ratings


def _whole(speak: Any, text: str, **_pace: float) -> Any:
    return speak(text)


def _recorded(draw: Any, plans: list[Mapping[str, Any]], itinerary: Mapping[str, Any], *args: Any, **more: Any) -> Any:
    plans.append(itinerary)
    return draw(itinerary, *args, **more)


async def _talk(services: Services, talk: Mapping[str, Any], plans: list[Mapping[str, Any]]) -> list[Rating]:
    row = await services.sessions.create("travel")
    ratings, before = [], None
    for n, turn in enumerate(talk["turn"], 1):
        plans.clear()
        options = RunOptions(model="offline/rules", interactive=False)
        run = await services.chat.send(row.id, turn["say"], turn.get("mode", "react"), options=options)
        events = [line.event async for line in run.events()]
        await services.chat.recorded()
        end = events[-1]
        answer = end.answer if isinstance(end, LoopEnd) else f"failed: {end}"
        understood = next((event.slots for event in reversed(events) if isinstance(event, Understood)), ())
        cards = " ".join(_texts(card["payload"]) for card in answer_cards(view_of(events)))
        seen = Seen(
            answer, f"{answer} {cards}", [e.name for e in events if isinstance(e, ToolReturned) and e.ok],
            plans[-1] if plans else None, before, {slot.id: slot.value for slot in understood},
            [str(slot.shown) for slot in understood if slot.source == "unknown"],
            [slot.id for slot in understood if slot.source == "unknown" and slot.needed],
        )  # fmt: skip
        before = seen.plan or before
        silly = [f"{name}={value!r}" for name, value in turn.get("silly", {}).items() if _is_any(name, value, seen)]
        wrong, less = list(_faults(turn.get("must", {}), seen)), list(_faults(turn.get("want", {}), seen))
        verdict = "silly" if silly else "wrong" if wrong else "acceptable" if less else "right"
        ratings.append(Rating(talk["id"], n, turn["say"], verdict, [*silly, *wrong, *less], answer))
    return ratings


def report(ratings: list[Rating], *, answers: bool = False) -> str:
    lines = []
    for one in ratings:
        if one.verdict != "right":
            lines.append(f"{one.verdict:10} {one.talk}.{one.turn} {one.say}")
            lines += [f"           - {fault}" for fault in one.faults]
            lines += [f"           > {one.answer[:300]!r}"] if answers else []
    count = len(ratings)
    for verdict in ("right", "acceptable", "wrong", "silly"):
        number = sum(one.verdict == verdict for one in ratings)
        lines.append(f"{verdict:10} {number:3} of {count} ({100 * number // max(count, 1)} %)")
    lengths = sorted(len(one.answer) for one in ratings)
    lines.append(f"characters of an answer: median {lengths[len(lengths) // 2]}, longest {lengths[-1]}")
    return "\n".join(lines)


def _texts(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(_texts(each) for key, each in value.items() if key not in ("actions", "map"))
    return " ".join(map(_texts, value)) if isinstance(value, list) else str(value)


def _faults(predicates: Mapping[str, Any], seen: Seen) -> Iterator[str]:
    for name, value in predicates.items():
        if not _holds(name, value, seen):
            yield f"{name}={value!r}: {_shown(name, seen)}"


def _shown(name: str, seen: Seen) -> Any:
    if name in ("slots", "asks", "slots_unknown"):
        return dict(seen.slots)
    if name in ("says", "says_not", "cities_said", "total", "short"):
        return seen.answer[:120]
    if seen.plan is None:
        return "no plan"
    if name in ("has", "lacks", "on", "together", "order", "fewer_on", "starts", "ends", "locked"):
        return [(d, s.get("name"), s.get("start"), s.get("end")) for d, s in _stops(seen.plan)]
    return [day.get("city") for day in _days(seen.plan)]


def _is_any(name: str, value: Any, seen: Seen) -> bool:
    """One of the things is there."""
    values = value if isinstance(value, list) else [value]
    if name == "cities":
        return bool(set(values) & set(_cities(seen)))
    return any(_holds(name, [one] if isinstance(value, list) else one, seen) for one in values)


def _holds(name: str, value: Any, seen: Seen) -> bool:
    if name in OF_ANSWER:
        return bool(OF_ANSWER[name](seen, value))
    return seen.plan is not None and bool(OF_PLAN[name](seen, seen.plan, value))


# ---------------------------------------------------------------- the plan


def _days(plan: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list(plan.get("days_list") or ())


def _stops(plan: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    return [(day["day"], stop) for day in _days(plan) for stop in day["stops"] if stop["kind"] in ("sight", "meal")]


def _cities(seen: Seen) -> list[str]:
    days = _days(seen.plan) if seen.plan else []
    return [city for city, _ in groupby(str(day.get("city") or (seen.plan or {}).get("city")) for day in days)]


def _names(stop: Mapping[str, Any]) -> str:
    """In both languages."""
    found = builtin().attraction(str(stop.get("place_id"))) if stop.get("place_id") else None
    return f"{stop['name']} {found[1].name('zh_CN')} {found[1].name('en')}" if found else str(stop["name"])


def _has(plan: Mapping[str, Any], name: str) -> bool:
    return any(name in _names(stop) for _day, stop in _stops(plan))


def _day_of(plan: Mapping[str, Any], name: str) -> int:
    return next((day for day, stop in _stops(plan) if name in _names(stop)), 0)


def _place_in_order(plan: Mapping[str, Any], name: str) -> int:
    return next((n for n, (_day, stop) in enumerate(_stops(plan)) if name in _names(stop)), -1)


def _in_order(places: list[int]) -> bool:
    return min(places) >= 0 and places == sorted(places)


def _days_in(plan: Mapping[str, Any], city: str) -> int:
    return sum((day.get("city") or plan.get("city")) == city for day in _days(plan))


def _first(plan: Mapping[str, Any], day: int) -> str:
    return min((str(stop["start"]) for number, stop in _stops(plan) if number == day), default="99:99")


def _last(plan: Mapping[str, Any], day: int) -> str:
    return max((str(stop["end"]) for number, stop in _stops(plan) if number == day), default="00:00")


def _party(plan: Mapping[str, Any]) -> Mapping[str, Any]:
    return plan.get("party") or {}


def _traits(plan: Mapping[str, Any]) -> set[str]:
    """Of the dishes named at the meals."""
    words = " ".join(" ".join(stop.get("notes") or ()) for _day, stop in _stops(plan) if stop["kind"] == "meal")
    cities = [builtin().city(str(day.get("city") or plan.get("city"))) for day in _days(plan)]
    foods = [food for city in cities if city for food in city.foods]
    named = [food for food in foods if food.name("zh_CN") in words or food.name("en") in words]
    return {str(trait) for food in named for trait in food.diet}


def _sights_on(plan: Mapping[str, Any], day: int) -> int:
    return sum(stop["kind"] == "sight" for number, stop in _stops(plan) if number == day)


OF_PLAN: Mapping[str, Any] = {
    "cities": lambda seen, _plan, v: _cities(seen) == v,
    "city_set": lambda seen, _plan, v: set(_cities(seen)) == set(v),
    "any_city": lambda seen, _plan, v: bool(set(_cities(seen)) & set(v)),
    "days": lambda _seen, plan, v: len(_days(plan)) == v,
    "per_city": lambda _seen, plan, v: {city: _days_in(plan, city) for city in v} == v,
    "per_city_over": lambda _seen, plan, v: all(_days_in(plan, city) >= n for city, n in v.items()),
    "has": lambda _seen, plan, v: all(_has(plan, name) for name in v),
    "lacks": lambda _seen, plan, v: not any(_has(plan, name) for name in v),
    "on": lambda _seen, plan, v: all(_day_of(plan, name) == day for name, day in v.items()),
    "together": lambda _seen, plan, v: len({_day_of(plan, name) for name in v}) == 1 and _has(plan, v[0]),
    "order": lambda _seen, plan, v: _in_order([_place_in_order(plan, name) for name in v]),
    "locked": lambda _seen, plan, v: all(any(n in _names(s) and s.get("locked") for _d, s in _stops(plan)) for n in v),
    "starts": lambda _seen, plan, v: _first(plan, v["day"]) >= v["not_before"],
    "starts_before": lambda _seen, plan, v: _first(plan, v["day"]) < v["before"],
    "ends": lambda _seen, plan, v: _last(plan, v["day"]) <= v["not_after"],
    "fewer_on": lambda seen, plan, v: seen.before is not None and _sights_on(plan, v) < _sights_on(seen.before, v),
    "start_date": lambda _seen, plan, v: plan.get("start_date") == v,
    "start_within": lambda _seen, plan, v: v[0] <= str(plan.get("start_date")) <= v[1],
    "adults": lambda _seen, plan, v: _party(plan).get("adults") == v,
    "children": lambda _seen, plan, v: sorted(_party(plan).get("children") or ()) == sorted(v),
    "children_n": lambda _seen, plan, v: len(_party(plan).get("children") or ()) == v,
    "sleeps": lambda _seen, plan, v: v in str((plan.get("lodging") or {}).get("name")),
    "food_without": lambda _seen, plan, v: not _traits(plan) & set(v),
    "food_with": lambda _seen, plan, v: bool(_traits(plan) & set(v)),
}


# ---------------------------------------------------------------- the answer


def _same(value: Any, wanted: Any) -> bool:
    return set(value) == set(wanted) if isinstance(value, list) and isinstance(wanted, list) else bool(value == wanted)


def _has_amount(text: str) -> bool:
    return any(char.isdecimal() for char in text) and any(word in text for word in MONEY)


OF_ANSWER: Mapping[str, Any] = {
    "kind": lambda seen, v: (seen.plan is not None) == (v == "plan"),
    "not_cities": lambda seen, v: not set(_cities(seen)) & set(v),
    "says": lambda seen, v: all(any(word in seen.shown for word in group.split("|")) for group in v),
    "says_not": lambda seen, v: not any(word in seen.answer for word in v),
    "cities_said": lambda seen, v: all(name in seen.shown for name in v),
    "total": lambda seen, v: _has_amount(seen.answer) is v,
    "short": lambda seen, v: len(seen.answer) <= v,
    "tool": lambda seen, v: any(name in seen.tools for name in v.split("|")),
    "slots": lambda seen, v: all(_same(seen.slots.get(name), value) for name, value in v.items()),
    "slots_unknown": lambda seen, v: all(any(name in each for each in seen.typed) for name in v),
    "asks": lambda seen, v: set(seen.asks) == set(v),
}
