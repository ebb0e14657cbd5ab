"""The two metrics and the proposed category, to the number (scenario B1 and the edges of the rule)."""

from __future__ import annotations

from datetime import date, timedelta

from app.domains.play.model.observation import DimensionMatch, Observation, observation_from_json
from app.domains.play.model.vocabulary import DIMENSIONS, Dimension
from app.domains.play.rules.metrics import category, metrics

TODAY = date(2026, 11, 23)


def seen(number: int, dimension: Dimension, weight: float, intensity: float, days_ago: int = 0) -> Observation:
    when = TODAY - timedelta(days=days_ago)
    return Observation(f"o{number}", when, "…", (DimensionMatch(dimension, weight, intensity),))


def test_the_metrics_of_the_scenario() -> None:
    rows: list[tuple[Dimension, float, float]] = [
        ("visual", 0.8, 0.9), ("visual", 0.4, 0.3), ("tactile", 0.6, -0.8),
        ("motor", 1, 0.5), ("motor", 1, 0.7), ("motor", 1, 0.6), ("motor", 1, 0.6),
    ]  # fmt: skip
    found = metrics([seen(number, *row) for number, row in enumerate(rows)], TODAY)
    numbers = {name: (one.strength, one.exploration) for name, one in found.items()}
    expected = dict.fromkeys(DIMENSIONS, (50, 0)) | {"visual": (85, 12), "tactile": (10, 6), "motor": (80, 40)}
    assert numbers == expected
    categories = {name: found[name].category for name in ("motor", "visual", "tactile")}
    assert categories == {"motor": "leverage", "visual": "explore", "tactile": "neutral"}


def test_halves_are_rounded_up_and_the_rule_has_its_edges() -> None:
    assert metrics([seen(1, "order", 0.05, 0.01)], TODAY)["order"].exploration == 1
    assert metrics([seen(1, "order", 1, 0.01)], TODAY)["order"].strength == 51
    assert metrics([seen(1, "order", 1, -0.01)], TODAY)["order"].strength == 50
    edges = {
        (30, 6, 2): "avoid",
        (30, 6, 1): "neutral",
        (65, 30, 1): "leverage",
        (64, 30, 1): "neutral",
        (31, 29, 1): "explore",
        (90, 29, 3): "explore",
    }
    assert {edge: category(*edge) for edge in edges} == edges
    old = metrics([seen(1, "order", 1, 1, days_ago=60)], TODAY, half_life_days=60)["order"]
    assert (old.strength, old.exploration) == (100, 5)


def test_an_observation_is_stored_whole() -> None:
    one = seen(1, "social", 0.5, 0.25)
    assert observation_from_json(one.to_json()) == one
