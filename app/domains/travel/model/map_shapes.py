"""A few shapes by which one knows a city on a map: a river, a ring road, a coast, a park.

They are in resources/travel/data/map_shapes.json, drawn by us from plain facts: at most eight of a city, at most
twelve corners each, good to about half a kilometre. To add a city: its id there with shapes of the same form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from .vocabulary import data_dir

FILE = "map_shapes"
KINDS = ("road", "water", "park", "palace", "axis")
MOST_SHAPES, MOST_CORNERS = 8, 12


def shapes_of(city: str) -> Sequence[Mapping[str, Any]]:
    return _shapes().get(city, ())


@cache
def _shapes() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    raw = json.loads((data_dir() / f"{FILE}.json").read_text(encoding="utf-8"))
    return {city: tuple({"closed": False, **shape} for shape in shapes) for city, shapes in raw["cities"].items()}
