"""What a question says, as slots: one small reader per kind of fact.

A rule book names its slots and their kinds (`[slots.days] kind = "count"`); each kind is one
function below and gets the normalised text and its table from the book. A reader gives back the
slots it found, nothing for what is not there. To add a kind: write the function, add it to KINDS.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from .numerals import Number, numbers
from .places import Gazetteer, Mention
from .text import contains, find, first_of, is_chinese

Slots = dict[str, Any]
Table = Mapping[str, Any]

MANY = {2: "two_cities", 3: "three_cities"}
NEAR = 10
"""Characters within which a hint belongs to a number."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a reader may look at besides the text."""

    places: Gazetteer
    today: date


Reader = Callable[[str, str, Table, Surroundings], Slots]


def read_slots(text: str, tables: Mapping[str, Table], around: Surroundings) -> Slots:
    """All slots of a normalised question. What is part of a place's name says nothing else."""
    rest = _without(text, around.places.mentions(text))
    found: Slots = {}
    for name, table in tables.items():
        whole = table["kind"] in ("places", "object")
        found.update(KINDS[table["kind"]](text if whole else rest, name, table, around))
    return found


def _without(text: str, mentions: list[Mention]) -> str:
    for mention in mentions:
        text = text[: mention.at] + " " * (mention.end - mention.at) + text[mention.end :]
    return text


# ---------------------------------------------------------------- places


def read_places(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """city (and own_city: this question names it), cities (ids), several_cities, two_cities …; region; by their names
    must_see, avoid, from, to."""
    found: Slots = {}
    chinese = is_chinese(text)
    mentions = around.places.mentions(text)
    cities = [m.place.id for m in mentions if m.place.kind == "city"]
    cities += [m.place.city for m in mentions if m.place.kind in ("sight", "hub")]
    if cities:
        found["cities"] = list(dict.fromkeys(cities))
        found["city"] = found["own_city"] = found["cities"][0]
        if len(found["cities"]) > 1:
            found["several_cities"] = True
            found[MANY.get(len(found["cities"]), "many_cities")] = True
    sights = [m for m in mentions if m.place.kind == "sight"]
    unwanted = [m for m in sights if _is_refused(text, m.at, table)]
    for slot, chosen in (("must_see", [m for m in sights if m not in unwanted]), ("avoid", unwanted)):
        if chosen:
            found[slot] = list(dict.fromkeys(m.place.name(chinese) for m in chosen))
    if regions := [m.place.id for m in mentions if m.place.kind == "region"]:
        found["region"] = regions[0]
    ends = [m for m in mentions if m.place.kind != "region"]
    if len(ends) >= 2:
        start, goal = _order_of_ends(text, ends, table)
        found["from"], found["to"] = start.place.name(chinese), goal.place.name(chinese)
    return found


def _order_of_ends(text: str, ends: list[Mention], table: Table) -> tuple[Mention, Mention]:
    """Reading order, except "to B from A"."""
    first, second = ends[0], ends[1]
    between = text[first.end : second.at].strip()
    return (second, first) if between in table.get("backwards", ()) else (first, second)


def _is_refused(text: str, at: int, table: Table) -> bool:
    before = text[max(0, at - 2 * NEAR) : at].rstrip()
    return any(before.endswith(word) for word in table.get("refusals", ()))


# ---------------------------------------------------------------- numbers with a unit


def read_count(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A whole number before one of `units`; `more` are units that count one less (nights)."""
    words = {pattern: value for pattern, value in table.get("words", {}).items() if contains(text, pattern)}
    for units, extra in ((table["units"], 0), (table.get("more", ()), 1)):
        for number in numbers(text):
            if _has_unit(text, number, units) and not _is_part_of_date(text, number):
                return _bounded(name, number.whole + extra, table)
    return _bounded(name, next(iter(words.values())), table) if words else {}


def _bounded(name: str, value: int, table: Table) -> Slots:
    low, high = table.get("min", 1), table.get("max", 10_000)
    kept = min(max(value, low), high)
    return {name: kept} if kept == value else {name: kept, f"{name}_asked": value}


def _has_unit(text: str, number: Number, units: list[str] | tuple[str, ...]) -> bool:
    return _unit_end(text, number, units) != -1


def _unit_end(text: str, number: Number, units: list[str] | tuple[str, ...]) -> int:
    """Behind the unit that follows a number, "3天", "3 days", "3-day"; -1 if none does."""
    start = number.end
    while start < len(text) and text[start] in " -个":
        start += 1
    for at in dict.fromkeys((number.end, start)):
        for unit in units:
            if text.startswith(unit, at) and find(text, unit, at) == at:
                return at + len(unit)
    return -1


def _is_part_of_date(text: str, number: Number) -> bool:
    """The 3 of 5月3日 and of 第3天."""
    return text[number.start - 1 : number.start] in ("月", "第", "/") or text[: number.start].endswith("年")


# ---------------------------------------------------------------- people


def read_party(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """adults and children (ages); a child without an age gets `child_age` and the slot age_assumed."""
    adults, children, people, ages = 0, 0, 0, []
    named_ages = _ages(text, table)
    for number in numbers(text):
        if _is_part_of_date(text, number):
            continue
        if number in named_ages:
            ages.append(number.whole)
        elif _has_unit(text, number, table["children"]):
            children = number.whole
        elif _has_unit(text, number, table["adults"]):
            adults = number.whole
        elif _has_unit(text, number, table["family"]) or _follows(text, number, table["family_before"]):
            elders = sum(count for word, count in table.get("elders", {}).items() if contains(text, word))
            adults = min(number.whole, 2 + elders)
            children = number.whole - adults
        elif _has_unit(text, number, table["people"]) or _follows(text, number, table["people_before"]):
            people = number.whole
    if not adults and not people:
        people = next((count for word, count in table["words"].items() if contains(text, word)), 0)
    if not children and not ages and first_of(text, table["with_children"]):
        children = 1
    return _party(adults or people, children, [age for age in ages if age <= 17], table)


def _ages(text: str, table: Table) -> list[Number]:
    """Numbers before "岁" or behind "aged", and those joined to them: "4和9岁", "aged 4 and 9"."""
    found = list(numbers(text))
    ages = [_has_unit(text, number, table["ages"]) for number in found]
    for n, number in enumerate(found):
        before = text[: number.start].rstrip()
        ages[n] = ages[n] or any(before.endswith(word) for word in table.get("ages_before", ()))
    joined = [text[a.end : b.start].strip() in table.get("joints", ()) for a, b in pairwise(found)]
    for n, is_joined in enumerate(joined):
        ages[n + 1] = ages[n + 1] or (is_joined and ages[n])
    for n, is_joined in reversed(list(enumerate(joined))):
        ages[n] = ages[n] or (is_joined and ages[n + 1])
    return [number for number, is_age in zip(found, ages, strict=True) if is_age]


def _party(adults: int, children: int, ages: list[int], table: Table) -> Slots:
    found: Slots = {}
    if adults:
        found["adults"] = min(adults, table.get("max", 30))
    missing = max(children - len(ages), 0)
    if children or ages:
        found["children"] = [*ages, *[table.get("child_age", 8)] * min(missing, 10)]
    if missing:
        found["age_assumed"] = table.get("child_age", 8)
    return found


def _follows(text: str, number: Number, words: list[str]) -> bool:
    """Whether a number ends a phrase like "a table for two"."""
    before = text[max(0, number.start - 2 * NEAR) : number.start].rstrip()
    return any(before.endswith(word) for word in words) and not text[number.end :].lstrip()[:1].isalpha()


# ---------------------------------------------------------------- money


def read_money(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """An amount with a currency or beside a budget word: `name`, name_per_day, name_per_person."""
    for number in numbers(text):
        if number.value < table.get("min", 1) or _is_part_of_date(text, number):
            continue
        before = text[max(0, number.start - NEAR) : number.start]
        end = _unit_end(text, number, table["units"])
        marked = before.rstrip().endswith(tuple(table["signs"]))
        if end == -1 and not marked and not (first_of(before, table["near"]) and _is_bare(text, number)):
            continue
        behind = text[max(end, number.end) : max(end, number.end) + NEAR]
        amount = number.whole if number.value.is_integer() else number.value
        if first_of(before, table["per_day"]) or first_of(behind, table["per_day"]):
            return {f"{name}_per_day": amount, f"{name}_given": True}
        if first_of(before, table["per_person"]) or first_of(behind, table["per_person"]):
            return {f"{name}_per_person": amount, f"{name}_given": True}
        return {name: amount, f"{name}_given": True}
    return {}


def _is_bare(text: str, number: Number) -> bool:
    """No word follows at once: the 3 in "预算3天" is not money."""
    rest = text[number.end : number.end + 1]
    return not rest.isalpha()


# ---------------------------------------------------------------- time


def read_month(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    for word, months in table.get("relative", {}).items():
        if contains(text, word):
            return {name: (around.today.month - 1 + months) % 12 + 1}
    for number in numbers(text):
        follows = text[number.end : number.end + 1]
        if follows == "月" and 1 <= number.value <= 12 and number.value.is_integer():
            return {name: number.whole}
    return next(({name: month} for word, month in table.get("words", {}).items() if contains(text, word)), {})


def read_date(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """2026-12-01, 2026年12月1日, 12月1日 (the next one), 明天."""
    for word, offset in table.get("words", {}).items():
        if contains(text, word):
            return {name: (around.today + timedelta(days=offset)).isoformat()}
    found = list(numbers(text))
    for n in range(len(found)):
        parts = _date_parts(text, found[n : n + 3])
        if parts and (day := _day(*parts, today=around.today)):
            return {name: day.isoformat()}
    return {}


def _date_parts(text: str, parts: list[Number]) -> tuple[int, int, int] | None:
    """(year or 0, month, day) if these numbers stand as a date."""
    gaps = [text[a.end : b.start] for a, b in pairwise(parts)]
    if len(parts) == 3 and gaps in (["-", "-"], ["/", "/"], ["年", "月"]) and parts[0].value > 1_000:
        return parts[0].whole, parts[1].whole, parts[2].whole
    if len(parts) >= 2 and gaps[0] == "月" and text[parts[1].end : parts[1].end + 1] in ("日", "号"):
        return 0, parts[0].whole, parts[1].whole
    return None


def _day(year: int, month: int, day: int, *, today: date) -> date | None:
    try:
        if year:
            return date(year, month, day)
        this_year = date(today.year, month, day)
        return this_year if this_year >= today else date(today.year + 1, month, day)
    except ValueError:
        return None


def read_clock(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A time of day, "14:30", "下午2点半", "7 pm", as HH:MM."""
    for number in numbers(text):
        behind = text[number.end : number.end + NEAR].lstrip()
        minutes = _minutes_behind(behind)
        half = next((half for half in ("am", "pm") if find(behind, half) == 0), "")
        if (minutes is None and not half) or not number.value.is_integer() or number.whole > 24:
            continue
        before = text[max(0, number.start - 4) : number.start]
        late = half == "pm" or first_of(before, table.get("late", ())) is not None
        hour = number.whole + 12 if late and number.whole < 12 else number.whole
        return {name: f"{hour:02d}:{minutes or 0:02d}"} if hour < 24 else {}
    return {}


def _minutes_behind(text: str) -> int | None:
    if text[:1] in (":", "点") and text[1:3].isdecimal() and int(text[1:3]) < 60:
        return int(text[1:3])
    if text.startswith("点"):
        return 30 if text[1:2] == "半" else 0
    return None


def read_ordinal(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The number behind a word of `before` and in front of one of its units: {"第" = ["天"], "day" = []}."""
    for number in numbers(text):
        before = text[: number.start].rstrip()
        for word, units in table["before"].items():
            if before.endswith(word) and number.value.is_integer() and (not units or _has_unit(text, number, units)):
                return {name: number.whole}
    return next(({name: value} for word, value in table.get("words", {}).items() if contains(text, word)), {})


# ---------------------------------------------------------------- words


def read_object(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The JSON object behind one of `words`, as a button of a card writes it."""
    for word in table["words"]:
        at = find(text, word)
        start = text.find("{", at) if at != -1 else -1
        if start == -1:
            continue
        try:
            value, _end = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return {name: value}
    return {}


def read_tags(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A list: every value of `words` one of whose words occurs and is not refused.

    `english` says what the values are called in a question without Chinese.
    """
    refusals = table.get("refusals", ())
    english = {} if is_chinese(text) else table.get("english", {})
    chosen = [
        english.get(value, value)
        for value, words in table["words"].items()
        if any((at := find(text, word)) != -1 and not _is_refused(text, at, {"refusals": refusals}) for word in words)
    ]
    return {name: chosen} if chosen else {}


def read_choice(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The first value of `words` one of whose words occurs."""
    for value, words in table["words"].items():
        if first_of(text, words):
            return {name: value}
    return {}


def read_flag(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    return {name: True} if first_of(text, table["words"]) else {}


KINDS: Mapping[str, Reader] = {
    "places": read_places,
    "count": read_count,
    "party": read_party,
    "money": read_money,
    "month": read_month,
    "date": read_date,
    "clock": read_clock,
    "ordinal": read_ordinal,
    "object": read_object,
    "tags": read_tags,
    "choice": read_choice,
    "flag": read_flag,
}
