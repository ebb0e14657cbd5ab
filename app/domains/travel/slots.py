"""What the offline rules can read of a journey: places, days city by city, who travels."""

from __future__ import annotations

from app.core.reading.numerals import numbers
from app.core.reading.text import blanked, find, first_of, is_chinese
from app.core.reading.units import has_unit, is_part_of_date, is_refused
from app.core.slots import SlotArgument, SlotReader, Slots, Surroundings, Table
from app.core.text.i18n import N_

from .model.gazetteer import Gazetteer, PlaceMention
from .read_people import read_party

MANY = {2: "two_cities", 3: "three_cities"}


def gazetteer(around: Surroundings) -> Gazetteer:
    assert isinstance(around.names, Gazetteer), "these rules read the travel data"
    return around.names


def read_places(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """city (and own_city: this question names it), cities (ids), several_cities, two_cities …; region; by their names
    must_see, avoid, from, to. A city one starts from ("从上海去杭州") is `home` and none of the others, one to be near
    ("离上海近的地方") is `near_city`; a misspelt one is `guessed`."""
    found: Slots = {}
    chinese = is_chinese(text)
    mentions = gazetteer(around).mentions(text)
    taken = [range(m.at, m.end) for m in mentions]
    guesses = [g for g in gazetteer(around).guesses(text) if not any(g.at in each for each in taken)]
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


def _order_of_ends(text: str, ends: list[PlaceMention], table: Table) -> tuple[PlaceMention, PlaceMention]:
    """Reading order, except "to B from A"."""
    first, second = ends[0], ends[1]
    between = text[first.end : second.at].strip()
    return (second, first) if between in table.get("backwards", ()) else (first, second)


def _is_start(text: str, mention: PlaceMention, table: Table) -> bool:
    before, behind = text[: mention.at].rstrip(), text[mention.end :].lstrip()
    led = any(before.endswith(word) and find(before, word, len(before) - len(word)) != -1 for word in table.get("starts", ()))  # fmt: skip # noqa: E501
    return led or behind.startswith(tuple(table.get("starts_behind", ())))


def _is_near(text: str, mention: PlaceMention, table: Table) -> bool:
    before, behind = text[: mention.at].rstrip(), text[mention.end :].lstrip()
    here = before.endswith(tuple(table.get("here", ()))) and first_of(text, table.get("near_behind", ())) is not None
    return (
        here or before.endswith(tuple(table.get("near", ()))) or behind.startswith(tuple(table.get("near_behind", ())))
    )


def read_stays(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """Days city by city, "北京3天西安2天", "3 days in Beijing and 2 in Xi'an": a list of {id, days}, and their sum as
    the slot `sum`. Only where every city has its own."""
    chinese = is_chinese(text)
    cities = [m for m in gazetteer(around).mentions(text) if m.place.kind == "city"]
    marks: list[tuple[int, PlaceMention | int]] = [(m.at, m) for m in cities]
    for number in numbers(blanked(text, [(m.at, m.end) for m in cities])):
        if has_unit(text, number, table["units"]) and not is_part_of_date(text, number):
            marks.append((number.start, number.whole))
    marks.sort(key=lambda mark: mark[0])
    what = [each for _, each in marks]
    pairs = [what[n : n + 2] for n in range(0, len(what), 2)]
    stays = []
    for pair in pairs:
        city = next((each for each in pair if isinstance(each, PlaceMention)), None)
        days = next((each for each in pair if isinstance(each, int)), None)
        if city is None or days is None or not 1 <= days <= table.get("max", 21):
            return {}
        stays.append({"id": city.place.name(chinese), "days": days})
    if len(stays) < 2 or len({each["id"] for each in stays}) < len(stays):
        return {}
    return {name: stays, table["sum"]: sum(int(str(each["days"])) for each in stays)}


PLACES = (
    "city", "own_city", "cities", "several_cities", *MANY.values(), "many_cities", "city_ends", "home", "near_city",
    "guessed", "must_see", "avoid", "from", "to", "region", "city_name", "city_names", "near_name",
)  # fmt: skip
SLOTS = (
    SlotReader("places", read_places, whole=True, gives=PLACES),
    SlotReader("stays", read_stays, whole=True, gives=("{name}", "{sum}")),
    SlotReader("party", read_party, gives=("adults", "children", "age_assumed")),
)
SLOT_ARGUMENTS = (
    SlotArgument("city", N_("city"), ("city", "cities")),
    SlotArgument("days", N_("days"), ("days", "total_days")),
    SlotArgument("start_date", N_("start date"), ("start_date",)),
    SlotArgument("month", N_("month"), ("month",)),
    SlotArgument("adults", N_("adults"), ("party.adults", "adults")),
    SlotArgument("children", N_("children"), ("party.children",)),
    SlotArgument("tier", N_("tier"), ("tier",)),
    SlotArgument("interests", N_("interests"), ("interests",)),
    SlotArgument("pace", N_("pace"), ("pace",)),
    SlotArgument("diet", N_("diet"), ("diet",)),
)
