"""The activities that ship with the program: read once, in both languages."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast

from app.core.resources import domain_dir
from app.core.text.i18n import speaks_chinese

from .vocabulary import Dimension, Environment

Language = Literal["zh", "en"]
FILE = "activities.toml"


@dataclass(frozen=True, slots=True)
class PlayActivity:
    id: str
    capacities: tuple[int, ...]
    dimensions: tuple[Dimension, ...]
    age_months: tuple[int, int]
    environment: Environment
    minutes: int
    texts: Mapping[str, Mapping[Language, Any]]
    """title, idea, materials, moves, cautions, seeks and avoids, each in both languages."""

    def text(self, name: str, language: str) -> Any:
        return self.texts[name]["zh" if speaks_chinese(language) else "en"]

    def to_json(self, language: str) -> dict[str, Any]:
        """As a tool returns it."""
        return {
            "id": self.id,
            "title": self.text("title", language),
            "idea": self.text("idea", language),
            "fedc": list(self.capacities),
            "dimensions": list(self.dimensions),
            "age_months": list(self.age_months),
            "environment": self.environment,
            "minutes": self.minutes,
            "materials": self.text("materials", language),
            "moves": self.text("moves", language),
            "cautions": self.text("cautions", language),
            "adaptations": {"seeks": self.text("seeks", language), "avoids": self.text("avoids", language)},
            "source": "triptych",
        }

    def as_plan(self, language: Language) -> dict[str, Any]:
        """What check_game_safety looks at."""
        names = ("title", "idea", "materials", "moves", "cautions", "seeks", "avoids")
        body: dict[str, Any] = {name: self.texts[name][language] for name in names}
        return {**body, "environment": self.environment, "stop_signs": ["-"], "calm_down_plan": "-"}


@cache
def activities() -> tuple[PlayActivity, ...]:
    with (domain_dir("play") / "data" / FILE).open("rb") as file:
        rows = tomllib.load(file)["card"]
    return tuple(_activity(row) for row in rows)


def _activity(row: Mapping[str, Any]) -> PlayActivity:
    low, high = row["age"]
    names = ("title", "idea", "materials", "moves", "cautions", "seeks", "avoids")
    return PlayActivity(
        row["id"], tuple(row["fedc"]), tuple(cast("list[Dimension]", row["dimensions"])), (low, high),
        row["environment"], row["minutes"], {name: row[name] for name in names},
    )  # fmt: skip
