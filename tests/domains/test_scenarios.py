"""The conversations of every domain (`tests/domains/<id>/scenarios.toml`), played over the composed program."""

from __future__ import annotations

from pathlib import Path

from app.compose import build
from tests.domains.scenario import play, scenarios_of

HERE = Path(__file__).parent


async def test_every_conversation_goes_as_its_scenario_says(tmp_path: Path) -> None:
    faults = []
    services = build(tmp_path / "data", {})
    await services.open()
    for path in sorted(HERE.glob("*/scenarios.toml")):
        for scenario in scenarios_of(path):
            faults += await play(services, scenario, tmp_path)
    await services.close()
    assert faults == []


async def test_a_scenario_names_everything_that_is_not_as_it_says(tmp_path: Path) -> None:
    services = build(tmp_path / "data", {})
    await services.open()
    turn = {
        "say": "hello", "tools": ["calculator"], "shows": ["7"], "hides": ["6"], "slots": {"days": 3}, "card": "table",
        "stops": "enough", "color": "red",
    }  # fmt: skip
    wrong = {"name": "wrong", "agent": "assistant", "script": [{"content": "6"}], "turn": [turn]}
    faults = await play(services, wrong, tmp_path)
    await services.close()
    assert len(faults) == 7, faults
