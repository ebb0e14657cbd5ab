"""What a question says, as slots: one small reader per kind of fact.

A rule book names its slots and their kinds (`[slots.days] kind = "count"`); each kind is one
function below and gets the normalised text and its table from the book. A reader gives back the
slots it found, nothing for what is not there. To add a kind: write the function, add it to KINDS.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from .dates import read_date, read_month
from .numerals import Number, numbers
from .people import read_party
from .places import Mention
from .reading import NEAR, Slots, Surroundings, Table, bounded, has_unit, is_part_of_date, is_refused, unit_end
from .text import contains, find, first_of, is_chinese, spans, without

MANY = {2: "two_cities", 3: "three_cities"}

Reader = Callable[[str, str, Table, Surroundings], Slots]


def plain_words(text: str, around: Surroundings) -> str:
    """The text with blanks where places are named: what is part of a name says nothing else (上海博物馆)."""
    return _without(text, around.places.mentions(text))


def read_slots(text: str, tables: Mapping[str, Table], around: Surroundings) -> Slots:
    """All slots of a normalised question."""
    rest = plain_words(text, around)
    found: Slots = {}
    for name, table in tables.items():
        whole = table["kind"] in ("places", "stays", "object")
        looked_at = without(text if whole else rest, table.get("ignore", ()))
        found.update(KINDS[table["kind"]](looked_at, name, table, around))
    return found


def _without(text: str, mentions: list[Mention]) -> str:
    for mention in mentions:
        text = text[: mention.at] + " " * (mention.end - mention.at) + text[mention.end :]
    return text


# ---------------------------------------------------------------- places


def read_places(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """city (and own_city: this question names it), cities (ids), several_cities, two_cities …; region; by their names
    must_see, avoid, from, to. A city one starts from ("从上海去杭州") is `home` and none of the others, one to be near
    ("离上海近的地方") is `near_city`; a misspelt one is `guessed`."""
    found: Slots = {}
    chinese = is_chinese(text)
    mentions = around.places.mentions(text)
    taken = [range(m.at, m.end) for m in mentions]
    guesses = [g for g in around.places.guesses(text) if not any(g.at in each for each in taken)]
    if guesses:
        found["guessed"] = {"typed": text[guesses[0].at : guesses[0].end], "name": guesses[0].place.name(chinese)}
        mentions = sorted([*mentions, *guesses], key=lambda mention: mention.at)
    named = [m for m in mentions if m.place.kind == "city"]
    if near := next((m for m in named if _is_near(text, m, table)), None):
        found["near_city"] = near.place.id
        named.remove(near)
    if len(named) > 1 and (home := next((m for m in named if _is_start(text, m, table)), None)):
        found["home"] = home.place.name(chinese)
        named = [m for m in named if m.place.id != home.place.id] or named
    cities = [m.place.id for m in named]
    cities += [m.place.city for m in mentions if m.place.kind in ("sight", "hub")]
    if cities:
        found["cities"] = list(dict.fromkeys(cities))
        found["city"] = found["own_city"] = found["cities"][0]
        if len(found["cities"]) > 1:
            found["several_cities"] = True
            found[MANY.get(len(found["cities"]), "many_cities")] = True
    sights = [m for m in mentions if m.place.kind == "sight"]
    unwanted = [m for m in sights if is_refused(text, m.at, table.get("refusals", ()))]
    for slot, chosen in (("must_see", [m for m in sights if m not in unwanted]), ("avoid", unwanted)):
        if chosen:
            found[slot] = list(dict.fromkeys(m.place.name(chinese) for m in chosen))
    if regions := [m.place.id for m in mentions if m.place.kind == "region"]:
        found["region"] = regions[0]
    ends = [m for m in mentions if m.place.kind != "region"]
    if len(ends) >= 2:
        start, goal = _order_of_ends(text, ends, table)
        found["from"], found["to"] = start.place.name(chinese), goal.place.name(chinese)
        if start.place.kind == goal.place.kind == "city":
            found["city_ends"] = True
    return found


def _order_of_ends(text: str, ends: list[Mention], table: Table) -> tuple[Mention, Mention]:
    """Reading order, except "to B from A"."""
    first, second = ends[0], ends[1]
    between = text[first.end : second.at].strip()
    return (second, first) if between in table.get("backwards", ()) else (first, second)


def _is_start(text: str, mention: Mention, table: Table) -> bool:
    before, behind = text[: mention.at].rstrip(), text[mention.end :].lstrip()
    led = any(before.endswith(word) and find(before, word, len(before) - len(word)) != -1 for word in table.get("starts", ()))  # fmt: skip # noqa: E501
    return led or behind.startswith(tuple(table.get("starts_behind", ())))


def _is_near(text: str, mention: Mention, table: Table) -> bool:
    before, behind = text[: mention.at].rstrip(), text[mention.end :].lstrip()
    here = before.endswith(tuple(table.get("here", ()))) and first_of(text, table.get("near_behind", ())) is not None
    return (
        here or before.endswith(tuple(table.get("near", ()))) or behind.startswith(tuple(table.get("near_behind", ())))
    )


def read_stays(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """Days city by city, "北京3天西安2天", "3 days in Beijing and 2 in Xi'an": a list of {id, days}, and their sum as
    the slot `sum`. Only where every city has its own."""
    chinese = is_chinese(text)
    cities = [m for m in around.places.mentions(text) if m.place.kind == "city"]
    marks: list[tuple[int, Mention | int]] = [(m.at, m) for m in cities]
    for number in numbers(_without(text, cities)):
        if has_unit(text, number, table["units"]) and not is_part_of_date(text, number):
            marks.append((number.start, number.whole))
    marks.sort(key=lambda mark: mark[0])
    what = [each for _, each in marks]
    pairs = [what[n : n + 2] for n in range(0, len(what), 2)]
    found = []
    for pair in pairs:
        city = next((each for each in pair if isinstance(each, Mention)), None)
        days = next((each for each in pair if isinstance(each, int)), None)
        if city is None or days is None or not 1 <= days <= table.get("max", 21):
            return {}
        found.append({"id": city.place.name(chinese), "days": days})
    if len(found) < 2 or len({each["id"] for each in found}) < len(found):
        return {}
    return {name: found, table["sum"]: sum(int(str(each["days"])) for each in found)}


# ---------------------------------------------------------------- numbers with a unit


def read_count(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A whole number before one of `units`; `more` are units that count one less (nights). Behind a word of
    `relative` it says how many more or fewer: the slot `name_more`."""
    for word, sign in table.get("relative_words", {}).items():
        if contains(text, word):
            return {f"{name}_more": sign}
    words = {pattern: value for pattern, value in table.get("words", {}).items() if contains(text, pattern)}
    for units, extra in ((table["units"], 0), (table.get("more", ()), 1)):
        for number in numbers(text):
            if has_unit(text, number, units) and not is_part_of_date(text, number):
                before = text[: number.start].rstrip()
                sign = next((sign for word, sign in table.get("relative", {}).items() if before.endswith(word)), 0)
                return {f"{name}_more": sign * number.whole} if sign else bounded(name, number.whole + extra, table)
    return bounded(name, next(iter(words.values())), table) if words else {}


# ---------------------------------------------------------------- money


def read_money(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """An amount with a currency or beside a budget word: `name`, name_per_day, name_per_person."""
    for number in numbers(text):
        if number.value < table.get("min", 1) or is_part_of_date(text, number):
            continue
        before = text[max(0, number.start - NEAR) : number.start]
        end = unit_end(text, number, table["units"])
        marked = before.rstrip().endswith(tuple(table["signs"]))
        if end == -1 and not marked and not (first_of(before, table["near"]) and _is_bare(text, number, table)):
            continue
        behind = text[max(end, number.end) : max(end, number.end) + NEAR]
        amount = number.whole if number.value.is_integer() else number.value
        if first_of(before, table["per_day"]) or first_of(behind, table["per_day"]):
            return {f"{name}_per_day": amount, f"{name}_given": True}
        if first_of(before, table["per_person"]) or first_of(behind, table["per_person"]):
            return {f"{name}_per_person": amount, f"{name}_given": True}
        return {name: amount, f"{name}_given": True}
    return {}


def _is_bare(text: str, number: Number, table: Table) -> bool:
    """No unit of something else follows: the 3 in "预算3天" is not money."""
    rest = text[number.end :].lstrip()
    return not (rest[:1].isalpha() and rest[:1].isascii()) and not rest.startswith(tuple(table.get("other_units", ())))


# ---------------------------------------------------------------- time


def read_clock(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A time of day, "14:30", "下午2点半", "7 pm", as HH:MM."""
    for number in numbers(text):
        behind = text[number.end : number.end + NEAR].lstrip()
        minutes = _minutes_behind(behind)
        half = next((half for half in ("am", "pm") if find(behind, half) == 0), "")
        if (minutes is None and not half) or not number.value.is_integer() or number.whole > 24:
            continue
        before = text[max(0, number.start - 4) : number.start]
        if text[number.start : number.end + 1] == "一点" and not before.endswith(
            ("午", "上", "晨", "到", "在", "于", "从")
        ):
            continue  # 慢一点
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
            if before.endswith(word) and number.value.is_integer() and (not units or has_unit(text, number, units)):
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
        if any(not is_refused(text, at, refusals) for word in words for at, _ in spans(text, word))
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
    "stays": read_stays,
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
