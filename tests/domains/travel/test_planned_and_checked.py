"""The planner and the checks judge by the same rules: whatever is asked, a plan of ours has no error in it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from app.core.errors import ToolError
from app.domains.travel.model.dataset import builtin
from app.domains.travel.model.places import City
from tests.domains.travel.fixture_city import Call
from tests.every import looped


def wish(random: Random, city: City) -> dict[str, Any]:
    days = random.randint(1, 5)
    args: dict[str, Any] = {"city": city.id, "days": days, "pace": random.choice(["relaxed", "normal", "packed"])}
    hub = random.choice(city.hubs).name_zh if city.hubs else "车站"
    choices: list[tuple[str, Any]] = [
        ("start_date", f"2026-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"),
        ("max_stops", random.randint(1, 9)),
        ("meals", False),
        ("day_start", random.choice(["06:00", "08:00", "11:00", "13:00"])),
        ("day_end", random.choice(["15:00", "18:00", "23:00", "24:00"])),
        ("mode", random.choice(["walk", "taxi", "drive"])),
        ("arrival", {"day": 1, "time": random.choice(["08:00", "13:00", "17:00"]), "place": hub}),
        ("departure", {"day": days, "time": random.choice(["12:00", "16:00", "20:00"]), "place": hub}),
        ("lodging", {"name": "H", "lat": city.point.lat + 0.02, "lon": city.point.lon}),
        ("must_see", [sight.id for sight in random.sample(city.attractions, 2)]),
        ("party", {"adults": random.randint(1, 4), "children": [random.randint(0, 15)]}),
        ("return_to_start", False),
    ]
    return {**args, **{name: value for name, value in choices if random.random() < 0.35}}


def planned_and_checked(call: Call, seed: int) -> None:
    random = Random(seed)
    args = wish(random, random.choice(builtin().cities))
    try:
        plan = json.loads(json.dumps(call("generate_route", **args).data["itinerary"]))
    except ToolError as error:
        if error.tool_code != "INFEASIBLE":
            raise
        return
    found = call("check_itinerary", itinerary=plan).data["violations"]
    assert [v for v in found if v["severity"] == "error" or v["code"] == "V25"] == [], args


@looped("seed", range(40))
def test_a_plan_of_ours_has_no_error(call_all: Call, seed: int) -> None:
    planned_and_checked(call_all, seed)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_thousands_of_plans_of_ours_have_no_error(call_all: Call, part: int) -> None:
    for seed in range(1000 + part * 100, 1100 + part * 100):
        planned_and_checked(call_all, seed)
