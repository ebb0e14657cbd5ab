"""Which places a question speaks of, and as what: where to, from where, where one sleeps, what to see and what not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.core.reading.numerals import Number, numbers
from app.core.reading.text import blanked, find, first_of, is_chinese, spans
from app.core.reading.units import has_unit, is_part_of_date, is_refused
from app.core.slots import Slots, Surroundings, Table

from ..model.gazetteer import Gazetteer
from ..model.place_names import NamedPlace, PlaceMention
from .lodging import lodging_at
from .refusals import is_refused_before, is_refused_behind
from .regions import cities_in

MANY = {2: "two_cities", 3: "three_cities"}
_JOINTS = ("和", "、", ",", "与", "跟", "还有", "以及", "and", "or", "&", ", and", "或者", "或")
_BEHIND = 6
"""Characters between a name and the word behind it that refuses it."""


def gazetteer(around: Surroundings) -> Gazetteer:
    assert isinstance(around.names, Gazetteer), "these rules read the travel data"
    return around.names


def read_places(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """city (and own_city: this question names it), cities (ids), several_cities, two_cities …; region; by their names
    must_see, avoid, from, to, lodging. A city one starts from ("从上海去杭州") is `home` and none of the others, one to
    be near ("离上海近的地方") is `near_city`; a misspelt one is `guessed`; what has no data is `elsewhere`."""
    return _Places(text, table, around).slots()


class _Places:
    def __init__(self, text: str, table: Table, around: Surroundings) -> None:
        self.text, self.table, self.around = text, table, around
        self.names = gazetteer(around)
        self.chinese = is_chinese(text)
        self.found: Slots = {}
        self.mentions = self.names.mentions(text, around.known)

    def slots(self) -> Slots:
        self._guess()
        bed = lodging_at(self.text, self.mentions, self.table)
        if bed is not None:
            self.found["lodging"] = self._as_typed(bed.name)
            self.mentions = [m for m in self.mentions if not (bed.at <= m.at < bed.end and m.place.kind != "city")]
        refused = self._refused()
        cities = self._cities([m for m in self.mentions if m.place.kind == "city" and m not in refused])
        sights = [m for m in self.mentions if m.place.kind == "sight"]
        hubs = [m.place.city for m in self.mentions if m.place.kind == "hub"]
        cities += [m.place.city for m in sights if m.place.city not in cities]
        cities += [] if cities or self._known_cities() else hubs
        self._towards(list(dict.fromkeys(cities)))
        wanted = [self._name(m.place) for m in sights if m not in refused]
        unwanted = [self._name(m.place) for m in sights if m in refused] + self._groups_refused()
        if wanted:
            self.found["named"] = wanted
        for slot, names in (("must_see", wanted), ("avoid", unwanted)):
            if names:
                self.found[slot] = list(dict.fromkeys(names))
        self._elsewhere(refused)
        self._ends()
        return self.found

    def _name(self, place: NamedPlace) -> str:
        return place.name(self.chinese)

    def _as_typed(self, name: str) -> str:
        at = self.around.question.casefold().find(name)
        return self.around.question[at : at + len(name)] if at != -1 else name

    def _known_cities(self) -> list[str]:
        slots = self.around.known
        return [str(city) for city in slots.get("cities") or ([slots["city"]] if slots.get("city") else ())]

    def _guess(self) -> None:
        guesses = [m for m in self.mentions if m.is_guess]
        if guesses:
            joint = "、" if self.chinese else ", "
            typed = joint.join(self.text[m.at : m.end] for m in guesses)
            self.found["guessed"] = {"typed": typed, "name": joint.join(self._name(m.place) for m in guesses)}

    # ------------------------------------------------------------ cities

    def _cities(self, named: list[PlaceMention]) -> list[str]:
        if near := next((m for m in named if _is_near(self.text, m, self.table)), None):
            self.found["near_city"] = near.place.id
            named = [m for m in named if m is not near]
        others = [m for m in self.mentions if m.place.kind in ("region", "elsewhere")]
        home = next((m for m in named if self._is_left(m, named)), None)
        if home and (len(named) > 1 or others or self._is_here(home) or self._is_open()):
            self.found["home"] = self._name(home.place)
            named = [m for m in named if m.place.id != home.place.id]
        return [m.place.id for m in named]

    def _is_left(self, mention: PlaceMention, named: Sequence[PlaceMention]) -> bool:
        """One starts there, and does not also go there: "坐高铁去大理…再从大理回昆明"."""
        same = [m for m in named if m.place.id == mention.place.id]
        starts = [m for m in same if _is_start(self.text, m, self.table)]
        return bool(starts) and all(m in starts or _is_return(self.text, m) for m in same)

    def _is_open(self) -> bool:
        """ "from Shanghai, looking for a water town": where to is asked."""
        return first_of(self.text, self.table.get("open", ())) is not None

    def _is_here(self, home: PlaceMention) -> bool:
        """ "I live in Wuhan" says where from, not where to."""
        if self.text[home.end :].lstrip().startswith(tuple(self.table.get("stopover", ()))):
            return False
        before = self.text[: home.at].rstrip()
        return before.endswith(tuple(self.table.get("here", ()))) or self.text[home.end :].startswith("出发")

    def _towards(self, cities: list[str]) -> None:
        regions = [m.place for m in self.mentions if m.place.kind == "region"]
        if regions:
            self.found["region"] = regions[0].id
            if not cities and not first_of(self.text, self.table.get("open", ())):
                cities = cities_in(regions[0].id, days_said(self.text, self.table), self.text, self.around.today)
        if not cities:
            return
        self.found["cities"] = cities
        self.found["city"] = self.found["own_city"] = cities[0]
        if len(cities) > 1:
            self.found["several_cities"] = True
            self.found[MANY.get(len(cities), "many_cities")] = True

    def _elsewhere(self, refused: Sequence[PlaceMention]) -> None:
        """Places without data, and the nearest city that has some."""
        unknown = [m for m in self.mentions if m.place.kind == "elsewhere" and m not in refused]
        unknown = [m for m in unknown if not _is_start(self.text, m, self.table)]
        if not unknown:
            return
        typed = ("、" if self.chinese else ", ").join(dict.fromkeys(self._name(m.place) for m in unknown))
        cities = (self.names.city(m.place.city) for m in unknown)
        near = dict.fromkeys(self._name(city) for city in cities if city)
        self.found["elsewhere"] = {"typed": typed, "nearest": list(near)}
        if "city" not in self.found:
            self.found["unknown_city"] = self.found["elsewhere"]

    def _ends(self) -> None:
        ends = [m for m in self.mentions if m.place.kind not in ("region", "elsewhere")]
        if len(ends) < 2:
            return
        start, goal = _order_of_ends(self.text, ends, self.table)
        self.found["from"], self.found["to"] = self._name(start.place), self._name(goal.place)
        if start.place.kind == goal.place.kind == "city":
            self.found["city_ends"] = True

    # ------------------------------------------------------------ what is not wanted

    def _refused(self) -> list[PlaceMention]:
        """Behind a word like "not", in front of one like 去掉, or joined to one that is: "not A or B"."""
        before, behind = self.table.get("refusals", ()), self.table.get("refusals_behind", ())
        refused: list[PlaceMention] = []
        last: PlaceMention | None = None
        for m in self.mentions:
            joined = last is not None and self.text[last.end : m.at].strip() in _JOINTS and last in refused
            if joined or is_refused(self.text, m.at, before) or is_refused_before(self.text[: m.at]):
                refused.append(m)
            last = m
        following: PlaceMention | None = None
        for m in reversed(self.mentions):
            rest = self.text[m.end : m.end + _BEHIND]
            end = min((at for word in behind if (at := rest.find(word)) != -1), default=-1)
            is_listed = end != -1 and not any(c in rest[:end] for c in ",，。;；")
            joined = following is not None and following in refused and self._between(m, following) in _JOINTS
            if m not in refused and (is_listed or joined or is_refused_behind(self.text[m.end :])):
                refused.append(m)
            following = m
        return refused

    def _between(self, one: PlaceMention, other: PlaceMention) -> str:
        return self.text[one.end : other.at].strip()

    def _groups_refused(self) -> list[str]:
        """ "no museums": those of the city."""
        cities = self.found.get("cities") or self._known_cities()
        plain = blanked(self.text, [(m.at, m.end) for m in self.mentions])
        refusals = self.table.get("refusals", ())
        groups = [
            (category, word)
            for category, words in self.table.get("groups", {}).items()
            for word in words
            if any(is_refused(plain, at, refusals) or is_refused_before(plain[:at]) for at, _ in spans(plain, word))
        ]
        sights = [sight for city in cities for sight in self.names.sights(city)] if groups else []
        return [self._name(sight) for sight in sights if any(_is_of(sight, *group) for group in groups)]


def _is_of(sight: NamedPlace, category: str, word: str) -> bool:
    stem = word.rstrip("*").removesuffix("s")
    name = sight.name_zh if is_chinese(word) else sight.name_en.casefold()
    return sight.category == category or (len(stem) > 1 and stem in name)


def _order_of_ends(text: str, ends: list[PlaceMention], table: Table) -> tuple[PlaceMention, PlaceMention]:
    """Reading order, except "to B from A"."""
    first, second = ends[0], ends[1]
    between = text[first.end : second.at].strip()
    return (second, first) if between in table.get("backwards", ()) else (first, second)


def _is_start(text: str, mention: PlaceMention, table: Table) -> bool:
    before, behind = text[: mention.at].rstrip(), text[mention.end :].lstrip()
    if behind.startswith(tuple(table.get("stopover", ()))):
        return False
    led = any(
        before.endswith(word) and find(before, word, len(before) - len(word)) != -1 for word in table.get("starts", ())
    )
    return led or behind.startswith(tuple(table.get("starts_behind", ())))


def _is_return(text: str, mention: PlaceMention) -> bool:
    """ "再回上海" behind "从上海出发"."""
    return text[: mention.at].rstrip().endswith(("回", "回到", "返回", "back to", "return to", "home to"))


def _is_near(text: str, mention: PlaceMention, table: Table) -> bool:
    before, behind = text[: mention.at].rstrip(), text[mention.end :].lstrip()
    here = before.endswith(tuple(table.get("here", ()))) and first_of(text, table.get("near_behind", ())) is not None
    return (
        here or before.endswith(tuple(table.get("near", ()))) or behind.startswith(tuple(table.get("near_behind", ())))
    )


def days_said(text: str, table: Table) -> int:
    """How many days a sentence counts; 0 where it counts none."""
    counted = (n for n in numbers(text) if has_unit(text, n, table.get("days", ())) and not is_part_of_date(text, n))
    return next((number.whole for number in counted), 0)


# ---------------------------------------------------------------- days city by city


def read_stays(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """Days city by city, "北京3天西安2天", "3 days in Beijing and 2 in Xi'an", "两地各两天": a list of {id, days}, and
    their sum as the slot `sum`. Only where every city has its own; days of places without data are left out."""
    mentions = gazetteer(around).mentions(text, around.known)
    cities = [m for m in mentions if m.place.kind in ("city", "elsewhere")]
    again = [m for n, m in enumerate(cities) if any(m.place.id == other.place.id for other in cities[:n])]
    cities = [m for m in cities if not _is_start(text, m, table) and not (m in again and _is_return(text, m))]
    chinese = is_chinese(text)
    if each := _for_each(text, [m for m in cities if m.place.kind == "city"], table):
        stays = [{"id": m.place.name(chinese), "days": each} for m in cities if m.place.kind == "city"]
    else:
        stays = list(_pairs(text, cities, table, chinese=chinese))
    if len(stays) < 2 or len({stay["id"] for stay in stays}) < len(stays):
        return {}
    if stays_by_night(text, table):
        stays[-1]["days"] = int(str(stays[-1]["days"])) + 1
    days = sum(int(str(stay["days"])) for stay in stays)
    whole = next((n.whole for n in numbers(text) if _is_whole(text, n, table)), days)
    if days < whole <= table.get("max", 21):
        stays[-1]["days"], days = int(str(stays[-1]["days"])) + whole - days, whole
    return {name: stays, table["sum"]: days}


def _is_whole(text: str, number: Number, table: Table) -> bool:
    """ "共六天"."""
    before = text[: number.start].rstrip()
    return before.endswith(tuple(table.get("whole", ()))) and has_unit(text, number, table["units"])


def _for_each(text: str, cities: Sequence[PlaceMention], table: Table) -> int:
    """The days of each of several cities; 0 where that is not said."""
    if len(cities) < 2:
        return 0
    for number in numbers(blanked(text, [(m.at, m.end) for m in cities])):
        before, behind = text[: number.start].rstrip(), text[number.end :]
        if before.endswith(tuple(table.get("each_before", ()))) and has_unit(text, number, table["units"]):
            return number.whole
        if has_unit(text, number, table["units"]) and first_of(behind[:20], table.get("each", ())):
            return number.whole
    return 0


def _pairs(text: str, cities: Sequence[PlaceMention], table: Table, *, chinese: bool) -> Iterator[dict[str, object]]:
    marks: list[tuple[int, PlaceMention | int]] = [(m.at, m) for m in cities]
    for number in numbers(blanked(text, [(m.at, m.end) for m in cities])):
        if _counts_days(text, number, table) and not _is_whole(text, number, table):
            marks.append((number.start, number.whole))
    what = [each for _, each in sorted(marks, key=_first)]
    for n in range(0, len(what), 2):
        city = next((each for each in what[n : n + 2] if isinstance(each, PlaceMention)), None)
        days = next((each for each in what[n : n + 2] if isinstance(each, int)), None)
        if city is None or days is None or not 1 <= days <= table.get("max", 21):
            return
        if city.place.kind == "city":
            yield {"id": city.place.name(chinese), "days": days}


def _counts_days(text: str, number: Number, table: Table) -> bool:
    units = (*table["units"], *table.get("nights", ()))
    return has_unit(text, number, units) and not is_part_of_date(text, number)


def stays_by_night(text: str, table: Table) -> bool:
    """Nights are counted, and no days: then there is one day more than nights."""
    counted = [n for n in numbers(text) if not is_part_of_date(text, n)]
    return any(has_unit(text, n, table.get("nights", ())) for n in counted) and not any(
        has_unit(text, n, table["units"]) for n in counted
    )


def _first(mark: tuple[int, PlaceMention | int]) -> int:
    return mark[0]


PLACES = (
    "city", "own_city", "cities", "several_cities", *MANY.values(), "many_cities", "city_ends", "home", "near_city",
    "guessed", "must_see", "avoid", "from", "to", "region", "city_name", "city_names", "near_name", "lodging",
    "elsewhere", "unknown_city", "named",
)  # fmt: skip
