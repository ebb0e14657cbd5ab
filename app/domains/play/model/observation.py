"""What a grown-up saw in play, and which dimensions of interest it speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Literal, cast

from .vocabulary import DIMENSIONS, Dimension

Source = Literal["game", "report", "chat"]


@dataclass(frozen=True, slots=True)
class DimensionMatch:
    dimension: Dimension
    weight: float
    """How much the observation has to do with the dimension, 0 to 1."""
    intensity: float
    """From dislike, −1, to liking, 1."""
    reasoning: str = ""
    objects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    id: str
    date: date
    text: str
    matches: tuple[DimensionMatch, ...] = ()
    setting: str = ""
    partner: str = ""
    mood: str = ""
    circles: int | None = None
    minutes: int | None = None
    source: Source = "chat"

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "date": self.date.isoformat(), "matches": [asdict(match) for match in self.matches]}


def observation_from_json(body: Mapping[str, Any]) -> Observation:
    """Of what `to_json` gave. Raises KeyError, TypeError or ValueError for anything else."""
    matches = tuple(
        DimensionMatch(
            cast("Dimension", one["dimension"]), float(one["weight"]), float(one["intensity"]),
            str(one.get("reasoning", "")), tuple(str(name) for name in one.get("objects", ())),
        )
        for one in body.get("matches", ())
        if one["dimension"] in DIMENSIONS
    )  # fmt: skip
    return Observation(
        str(body["id"]), date.fromisoformat(body["date"]), str(body["text"]), matches,
        str(body.get("setting", "")), str(body.get("partner", "")), str(body.get("mood", "")),
        body.get("circles"), body.get("minutes"), body.get("source", "chat"),
    )  # fmt: skip
