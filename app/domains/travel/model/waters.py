"""Rivers, straits and harbours that one does not cross on foot: resources/travel/data/waters.json.

A way between two places that lie on different sides takes a ferry, a tunnel or the next bridge. To add a water: a line
of corners along its middle. Rivers with a bridge every few hundred metres (Seine, Thames) are none.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from .geo import Point
from .vocabulary import data_dir


@dataclass(frozen=True, slots=True)
class Water:
    minutes: int
    """What the crossing costs beside the ride."""
    ferry_only: bool
    points: tuple[Point, ...]


@lru_cache(maxsize=8192)
def crossed(a: Point, b: Point) -> Water | None:
    """The first water between the two places."""
    for water in _waters():
        if any(_cross(a, b, p, q) for p, q in pairwise(water.points)):
            return water
    return None


@cache
def _waters() -> Sequence[Water]:
    raw = json.loads((data_dir() / "waters.json").read_text(encoding="utf-8"))
    return [
        Water(line["minutes"], line["ferry_only"], tuple(Point(*corner) for corner in line["points"]))
        for line in raw["lines"]
    ]


def _cross(a: Point, b: Point, p: Point, q: Point) -> bool:
    return _side(a, b, p) * _side(a, b, q) < 0 and _side(p, q, a) * _side(p, q, b) < 0


def _side(a: Point, b: Point, c: Point) -> float:
    return (b.lat - a.lat) * (c.lon - a.lon) - (b.lon - a.lon) * (c.lat - a.lat)
