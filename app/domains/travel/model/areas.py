"""Areas to stay in with their character, and what students and over-65s usually pay less: both as data.

An area lies where the sight it names lies, so it needs no point of its own. Concessions are those usual in a country
for some kinds of sights; they are told as usual, never reckoned with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..wording import speaks_chinese
from .places import Attraction, City
from .vocabulary import data_dir, folded


@dataclass(frozen=True, slots=True)
class Area:
    name_zh: str
    name_en: str
    near: str
    """The sight it lies at: its id without the city."""
    what_zh: str
    what_en: str

    def name(self, language: str) -> str:
        return self.name_zh if speaks_chinese(language) else self.name_en

    def what(self, language: str) -> str:
        return self.what_zh if speaks_chinese(language) else self.what_en


@cache
def _areas() -> Mapping[str, tuple[Area, ...]]:
    raw = json.loads((data_dir() / "areas.json").read_text(encoding="utf-8"))
    return {city: tuple(Area(**each) for each in rows) for city, rows in raw.items()}


def areas_of(city: City) -> tuple[Area, ...]:
    return _areas().get(city.id, ())


def sight_at(city: City, area: Area) -> Attraction | None:
    return next((sight for sight in city.attractions if sight.id == f"{city.id}.{area.near}"), None)


def area_called(city: City, name: str) -> Area | None:
    """An area by its name, or by a part of it that is long enough to mean it."""
    word = folded(name)
    if len(word) < 2:
        return None
    return next((one for one in areas_of(city) if any(word in folded(n) for n in (one.name_zh, one.name_en))), None)


@cache
def _concessions() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((data_dir() / "concessions.json").read_text(encoding="utf-8"))
    return found


def concessions(city: City, sight: Attraction, language: str) -> str:
    """What is usual for students and the old; empty for a free sight, another kind, or where nothing is known."""
    usual = _concessions().get(city.country)
    if not isinstance(usual, Mapping) or sight.ticket.adult == 0 or sight.category not in usual["categories"]:
        return ""
    return str(usual["zh" if speaks_chinese(language) else "en"])
