"""The shipped cities and how a name finds one.

`builtin()` reads the files at the first use and keeps them; a test hands its own `Dataset` to the tools through
`ToolContext.resources["travel.dataset"]`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeVar

from .places import Attraction, City, read_city
from .vocabulary import data_dir, folded

LONGEST_NAME = 60
"""Characters; what is longer is no name, and looks like none."""
SOURCE = "builtin:cities@1"
NO_CITIES = ("areas", "concessions", "vocabulary", "rates", "climate", "map_shapes", "waters", "elsewhere")
"""Files of the folder that are no cities."""

Named = TypeVar("Named", City, Attraction)


@dataclass(frozen=True)
class Dataset:
    cities: tuple[City, ...]

    @cached_property
    def _by_name(self) -> Mapping[str, City]:
        return {folded(name): city for city in reversed(self.cities) for name in _city_names(city)}

    @cached_property
    def _attractions(self) -> Mapping[str, tuple[City, Attraction]]:
        found: dict[str, tuple[City, Attraction]] = {}
        for city in self.cities:
            for attraction in city.attractions:
                for name in (*_attraction_names(attraction), f"{city.name_zh}{attraction.name_zh}"):
                    found.setdefault(folded(name), (city, attraction))
        return found

    def city(self, said: str) -> City | None:
        """By id, Chinese or English name or alias, however it is spaced or capitalised."""
        word = folded(said)
        return self._by_name.get(word) or self._by_name.get(word.removesuffix("市")) or self._by_name.get(f"{word}市")

    def attraction(self, said: str, within: City | None = None) -> tuple[City, Attraction] | None:
        if within is not None:
            word = folded(said)
            for attraction in within.attractions:
                if word in map(folded, _attraction_names(attraction)):
                    return within, attraction
        return self._attractions.get(folded(said))

    def suggest_cities(self, said: str, language: str, limit: int = 3) -> list[str]:
        """Names of the cities whose id, name or alias looks most like what was said."""
        near = _nearest(said, ((name, city) for city in self.cities for name in _city_names(city)), limit)
        return [city.name(language) for city in near]

    def suggest_attractions(self, said: str, language: str, within: City | None = None, limit: int = 3) -> list[str]:
        cities = (within,) if within else self.cities
        names = ((n, a) for city in cities for a in city.attractions for n in _attraction_names(a))
        return [attraction.name(language) for attraction in _nearest(said, names, limit)]


@cache
def builtin() -> Dataset:
    return load(path for path in sorted(data_dir().glob("*.json")) if path.stem not in NO_CITIES)


def load(files: Iterable[Any]) -> Dataset:
    return Dataset(tuple(read_city(json.loads(path.read_text(encoding="utf-8"))) for path in files))


def _city_names(city: City) -> tuple[str, ...]:
    return (city.id, city.name_zh, city.name_en, *city.aliases)


def _attraction_names(attraction: Attraction) -> tuple[str, ...]:
    short = attraction.id.rpartition(".")[2]
    return (attraction.id, attraction.name_zh, attraction.name_en, *attraction.aliases, short)


def _nearest(said: str, named: Iterable[tuple[str, Named]], limit: int) -> list[Named]:
    word = folded(said[: 2 * LONGEST_NAME])
    if not word or len(word) > LONGEST_NAME:
        return []
    best: dict[str, tuple[float, Named]] = {}
    for name, place in named:
        other = folded(name)
        far = 0.1 if word in other or other in word else edit_distance(word, other) / max(len(word), len(other))
        if far <= 0.5 and far < best.get(place.id, (1.0, place))[0]:
            best[place.id] = (far, place)
    return [place for _, place in sorted(best.values(), key=lambda item: (item[0], item[1].id))[:limit]]


def edit_distance(a: str, b: str) -> int:
    """How many letters must be put in, taken out, changed, or exchanged with their neighbour to make `b` of `a`."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        last, before, row = before, row, [i]
        for j, right in enumerate(b, 1):
            best = min(before[j] + 1, row[-1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                best = min(best, last[j - 2] + 1)
            row.append(best)
    return row[-1]
