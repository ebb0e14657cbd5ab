"""The names in the shipped data, for the offline rules: which cities, sights and regions a question speaks of.

The data files are read as data (id, name_zh, name_en, aliases, region, admin1, country,
attractions); what else they say is the tools' business. A folder that is absent knows no names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from app.core.reading.text import find, is_chinese, normalise
from app.core.slots import NOTHING

from .place_names import ONE_OF_A_CITY, Kind, NamedPlace, PlaceMention, elsewhere, searchable, short_forms
from .sound_alikes import SoundAlikes
from .vocabulary import data_dir

SHORTEST_GUESSED = 6
"""Letters of a word that may be a misspelt city: among shorter ones too many are other words."""
NEAREST, NEAR_LATIN = 3, 0.7
"""Names offered in place of an unknown one, and how like it a Latin one has to be (`difflib`)."""
SOME = 12
"""Cities that are named where it is said what there is."""


@dataclass(slots=True)
class Owners:
    """Who has a name: as its own, and as a short form of it."""

    own: list[NamedPlace] = field(default_factory=list)
    short: list[NamedPlace] = field(default_factory=list)


class Gazetteer:
    """The names below one data folder, read at the first question. Implements `core.slots.Names`."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or data_dir()
        self._last: tuple[tuple[str, ...], list[PlaceMention]] = ((), [])
        """The newest text and what it mentions: every reader of a question asks."""

    def mentions(self, text: str, known: Mapping[str, Any] = NOTHING) -> list[PlaceMention]:
        """The places of a normalised text in reading order; of overlapping names the longest. A name that several
        places share is that of a city in the text, else in `known`; a short form ("Disneyland") counts only there."""
        cities = self._spoken_of(text) or _cities_of(known)
        if (text, *cities) == self._last[0]:
            return list(self._last[1])
        found = self._mentions(text, cities)
        self._last = ((text, *cities), found)
        return list(found)

    def _mentions(self, text: str, cities: Sequence[str]) -> list[PlaceMention]:
        taken: list[PlaceMention] = []
        for name, owners in self._names_in(text):
            at = find(text, name)
            if at == -1 or (place := _owner(owners, cities)) is None:
                continue
            while at != -1:
                end = at + len(name)
                if not any(at < other.end and other.at < end for other in taken):
                    taken.append(PlaceMention(place, at, end))
                at = find(text, name, end)
        taken += self._misspelt(text, taken, cities)
        return sorted(taken, key=_where)

    def _misspelt(self, text: str, taken: Sequence[PlaceMention], cities: Sequence[str]) -> list[PlaceMention]:
        """Names with a slip: of a Latin city, and Chinese ones written as they sound."""
        free = [m for m in self._slips(text) if not any(m.at < other.end and other.at < m.end for other in taken)]
        if not is_chinese(text):
            return free
        stretches = [(m.at, m.end) for m in (*taken, *free)]
        alike = self._sound_alikes.found(text, stretches, cities)
        return [*free, *(PlaceMention(place, at, end, is_guess=True) for at, end, place in alike)]

    def _names_in(self, text: str) -> Iterator[tuple[str, Owners]]:
        """Longest first; only those that begin with two neighbouring signs of the text are compared with it."""
        pairs = {text[at : at + 2] for at in range(len(text))} | set(text)
        ranks = sorted(rank for pair in pairs for rank in self._begin_with.get(pair, ()))
        return (self._names[rank] for rank in ranks if self._names[rank][0] in text)

    def sights(self, city_id: str) -> list[NamedPlace]:
        """Of one city."""
        return [place for place, _names in self._entries if place.kind == "sight" and place.city == city_id]

    def hubs(self, city_id: str) -> list[NamedPlace]:
        return [place for place, _names in self._entries if place.kind == "hub" and place.city == city_id]

    def _spoken_of(self, text: str) -> list[str]:
        return [place.id for name, place in self._city_names if name in text and find(text, name) != -1]

    def _slips(self, text: str) -> list[PlaceMention]:
        """Latin words that are a city's name but for one slip: "Bejing", "chegndu". Only where one city is meant."""
        places = []
        for at, word in _latin_words(text):
            if len(word) < SHORTEST_GUESSED or word in self._city_words:
                continue
            near = {place.id: (name, place) for name, place in self._city_words.items() if _is_slip(word, name)}
            name, place = next(iter(near.values()), ("", None))
            if len(near) == 1 and place and name[0] == word[0]:
                places.append(PlaceMention(place, at, at + len(word), is_guess=True))
        return places

    def nearest(self, word: str) -> list[str]:
        """Cities whose name is like the word, in its script."""
        typed, chinese = normalise(word), is_chinese(word)
        names = {normalise(place.name(chinese)): place.name(chinese) for place in self._cities.values()}
        if not chinese:
            return [names[name] for name in get_close_matches(typed, names, NEAREST, NEAR_LATIN)]
        alike = {name: sum(a == b for a, b in zip(typed, name, strict=False)) for name in names}
        near = [name for name, same in alike.items() if same * 2 >= max(len(typed), len(name))]
        return [names[name] for name in sorted(near, key=lambda name: (-alike[name], name[0] != typed[0]))[:NEAREST]]

    def city(self, city_id: str) -> NamedPlace | None:
        return self._cities.get(city_id)

    def shown(self, slots: Mapping[str, Any], chinese: bool) -> Mapping[str, Any]:
        """Names in place of ids, and which cities there are."""
        return {
            "city_name": self._name(slots.get("city"), chinese),
            "city_names": [self._name(city, chinese) for city in slots.get("cities", ())],
            "near_name": self._name(slots.get("near_city"), chinese),
            "known_cities": [place.name(chinese) for place in list(self._cities.values())[:SOME]],
            "city_count": len(self._cities),
        }

    def remembered(self, slots: Mapping[str, Any], chinese: bool) -> Mapping[str, Any]:
        cities = slots.get("cities") if slots.get("several_cities") else [slots.get("city")]
        names = [self._name(city, chinese) for city in cities or () if str(city or "") in self._cities]
        return {"city_name": ("、" if chinese else ", ").join(names), "city_names": names} if names else {}

    def _name(self, city: Any, chinese: bool) -> str:
        place = self.city(str(city)) if city else None
        return place.name(chinese) if place else str(city or "")

    @cached_property
    def _cities(self) -> dict[str, NamedPlace]:
        return {place.id: place for place, _names in self._entries if place.kind == "city"}

    @cached_property
    def _city_words(self) -> dict[str, NamedPlace]:
        """Names of cities that are one Latin word."""
        cities = (entry for entry in self._entries if entry[0].kind == "city")
        return {name: place for place, names in cities for name in names if name.isascii() and name.isalpha()}

    @cached_property
    def _sound_alikes(self) -> SoundAlikes:
        entries = [(name, place) for place, names in self._entries for name in names if is_chinese(name)]
        cities = [(name, place) for name, place in entries if place.kind == "city"]
        return SoundAlikes(cities, [(name, place) for name, place in entries if place.kind == "sight"])

    @cached_property
    def _city_names(self) -> list[tuple[str, NamedPlace]]:
        return [(name, place) for place, names in self._entries if place.kind == "city" for name in names]

    @cached_property
    def _names(self) -> list[tuple[str, Owners]]:
        """Longest first."""
        owners: dict[str, Owners] = {}
        for place, names in self._entries:
            for name in names:
                owners.setdefault(name, Owners()).own.append(place)
        for place, names in self._entries:
            for name in short_forms(place, self._cities.get(place.city), names):
                owners.setdefault(name, Owners()).short.append(place)
        for name, place in self._only_ones():
            owners.setdefault(name, Owners()).short.append(place)
        return sorted(owners.items(), key=lambda entry: (-len(entry[0]), entry[0]))

    def _only_ones(self) -> Iterator[tuple[str, NamedPlace]]:
        """ "the zoo", where the city has one."""
        for noun in ONE_OF_A_CITY:
            by_city: dict[str, list[NamedPlace]] = {}
            for place, names in self._entries:
                if place.kind == "sight" and any(name.endswith((noun, f"{noun}s")) for name in names):
                    by_city.setdefault(place.city, []).append(place)
            yield from ((noun, places[0]) for places in by_city.values() if len(places) == 1)

    @cached_property
    def _begin_with(self) -> dict[str, list[int]]:
        """Places in `_names`, by the first two signs."""
        ranks: dict[str, list[int]] = {}
        for rank, (name, _owners) in enumerate(self._names):
            ranks.setdefault(name[:2], []).append(rank)
        return ranks

    @cached_property
    def _entries(self) -> list[tuple[NamedPlace, list[str]]]:
        records = list(_records(self._folder))
        return [
            *((_place("city", record), _spellings(record)) for record in records),
            *_regions(records),
            *(
                (_place("sight", sight, city=record["id"], category=str(sight.get("category", ""))), _spellings(sight))
                for record in records
                for sight in record.get("attractions", ())
            ),
            *(
                (
                    NamedPlace(
                        "hub",
                        str(hub["name"]),
                        str(hub["name"]),
                        str(hub.get("name_en", "")),
                        record["id"],
                        str(hub.get("kind", "")),
                    ),
                    names,
                )
                for record in records
                for hub in record.get("hubs", ())
                if (names := _hub_spellings(record, hub))
            ),
            *elsewhere(self._folder, records),
        ]


def _where(mention: PlaceMention) -> int:
    return mention.at


def shipped_names() -> Gazetteer:
    """The names in the data folder. One for all conversations: its index takes a quarter of a second to make."""
    return _names_in(data_dir())


@cache
def _names_in(folder: Path) -> Gazetteer:
    return Gazetteer(folder)


def _latin_words(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for word in "".join(char if "a" <= char <= "z" else " " for char in text).split(" "):
        if word:
            yield at, word
        at += len(word) + 1


def _cities_of(known: Mapping[str, Any]) -> list[str]:
    return [str(city) for city in (*(known.get("cities") or ()), known.get("city")) if city]


def _owner(owners: Owners, cities: Sequence[str]) -> NamedPlace | None:
    for city in cities:
        if place := next((each for each in (*owners.own, *owners.short) if city in (each.city, each.id)), None):
            return place
    return owners.own[0] if owners.own else None


def _is_slip(a: str, b: str) -> bool:
    """Whether one letter is wrong, missing, too much, or two neighbours are exchanged."""
    if abs(len(a) - len(b)) > 1:
        return False
    same = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest_a, rest_b = a[same:], b[same:]
    return (
        rest_a[1:] == rest_b[1:]
        or rest_a[1:] == rest_b
        or rest_a == rest_b[1:]
        or (rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:])
    )


def _records(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Every city record; a file holds one, a list of them, or {"cities": […]}."""
    if not folder.is_dir():
        return
    for path in sorted(folder.rglob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        listed = data.get("cities", [data]) if isinstance(data, dict) else data
        for record in listed if isinstance(listed, list) else ():
            if isinstance(record, dict) and "name_zh" in record and "id" in record:
                yield record


def _place(kind: Kind, record: Mapping[str, Any], *, city: str = "", category: str = "") -> NamedPlace:
    return NamedPlace(kind, str(record["id"]), str(record["name_zh"]), str(record.get("name_en", "")), city, category)


def _spellings(record: Mapping[str, Any]) -> list[str]:
    written = [record.get("name_zh"), record.get("name_en"), *(record.get("aliases") or ())]
    return list(searchable(str(name) for name in written if name))


def _hub_spellings(record: Mapping[str, Any], hub: Mapping[str, Any]) -> list[str]:
    """浦东机场 for 上海浦东国际机场, but not what every city has: 机场, the railway station."""
    written = []
    for key, city, filler, shortest in (("name", "name_zh", "国际", 3), ("name_en", "name_en", " International", 16)):
        whole = str(hub.get(key, "")).replace(filler, "")
        short = whole.removeprefix(str(record.get(city, ""))).strip()
        written += [str(hub.get(key, "")), whole, *([short] if len(short) >= shortest else [])]
    return list(searchable(dict.fromkeys(filter(None, written))))


def _regions(records: Iterable[Mapping[str, Any]]) -> Iterator[tuple[NamedPlace, list[str]]]:
    """Regions and provinces under the names the data uses, with and without 省 or 自治区."""
    seen: set[str] = set()
    for record in records:
        for value in (record.get("region"), record.get("admin1")):
            if not isinstance(value, str) or value in seen:
                continue
            seen.add(value)
            short = value.removesuffix("省").removesuffix("自治区").removesuffix("特别行政区")
            if not short.endswith("市"):
                yield NamedPlace("region", value, value, value), list(searchable({value: None, short: None}))
