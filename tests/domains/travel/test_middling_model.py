"""Conversations of a middling model: sloppy arguments, wrong order, a forgotten check, a contradicting follow-up.

Each ends in a plan without an error that holds what the person asked for. The scripts are data (`middling.toml`): of
every turn what the person says and which calls the model makes, one a request. What it says at the end is not looked
at, only what the tools have made.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.run.events import LoopEnd
from app.core.tools.tool import ToolContext
from app.domains.travel.model.dataset import builtin
from app.domains.travel.tools import routes, trips
from app.domains.travel.tools.check import checked, given_trip
from app.services.container import Services
from app.services.runs.run_options import RunOptions

TALKS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "middling.toml").read_text("utf-8"))["talk"]
LEAST = 55
ENDS = ("answered", "all_duplicates")
SAMPLE = 6
Plan = Mapping[str, Any]


async def faults_of(talk: Mapping[str, Any], services: Services, folder: Path, plans: list[Plan]) -> list[str]:
    """Why its end is not a checked plan as wished."""
    plans.clear()
    row = await services.sessions.create("travel")
    for n, turn in enumerate(talk["turn"]):
        steps = [{"tool_calls": [{"name": name, "arguments": args}]} for name, args in turn["calls"]]
        script = folder / f"{talk['id']}-{n}.json"
        script.write_text(json.dumps({"turns": [*steps, {"content": "好了。"}]}, ensure_ascii=False), "utf-8")
        options = RunOptions(model=f"script/{script.as_posix()}", interactive=False)
        run = await services.chat.send(row.id, turn["say"], "react", options=options)
        events = [line.event async for line in run.events()]
        await services.chat.recorded()
        if not (isinstance(events[-1], LoopEnd) and events[-1].stop_reason in ENDS):
            return [f"turn {n + 1} ended with {events[-1]}"]
    return list(_unmet(talk["end"], plans[-1])) if plans else ["there is no plan"]


def _unmet(end: Mapping[str, Any], plan: Plan) -> Iterator[str]:
    ctx = ToolContext(language="en")
    yield from (f"error: {each.message}" for each in checked(ctx, given_trip(ctx, plan), {}).errors)
    days = plan["days_list"]
    found = {
        "cities": [city for city, _ in groupby(day.get("city") or plan["city"] for day in days)],
        "days": len(days),
        "adults": (plan.get("party") or {}).get("adults"),
        "children": sorted((plan.get("party") or {}).get("children") or ()),
        "start": plan.get("start_date"),
        "sleeps": (plan.get("lodging") or {}).get("name"),
    }
    yield from (f"{name} is {found[name]}" for name in found if name in end and found[name] != end[name])
    names = " ".join(_names(stop) for day in days for stop in day["stops"])
    yield from (f"{name} is missing" for name in end.get("has", ()) if name not in names)
    yield from (f"{name} is there" for name in end.get("lacks", ()) if name in names)
    times = {day["day"]: [stop for stop in day["stops"] if stop["kind"] == "sight"] for day in days}
    if "not_before" in end and (early := [s["start"] for s in times[1] if s["start"] < end["not_before"]]):
        yield f"day 1 begins at {early[0]}"
    if "not_after" in end and (late := [s["end"] for s in times[len(days)] if s["end"] > end["not_after"]]):
        yield f"the last day ends at {late[-1]}"


def _names(stop: Mapping[str, Any]) -> str:
    match = builtin().attraction(str(stop.get("place_id"))) if stop.get("place_id") else None
    return f"{stop['name']} {match[1].name('en')}" if match else str(stop["name"])


def _recorded(draw: Any, plans: list[Plan], itinerary: Plan, *args: Any, **more: Any) -> Any:
    plans.append(itinerary)
    return draw(itinerary, *args, **more)


async def played(talks: list[dict[str, Any]], folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """What is wrong with those that do not end in a checked plan."""
    plans: list[Plan] = []
    for module in (routes, trips):
        monkeypatch.setattr(module, "answer_card", partial(_recorded, module.answer_card, plans))
    services = build(folder / "data", {})
    await services.open()
    try:
        outcomes = {talk["id"]: await faults_of(talk, services, folder, plans) for talk in talks}
    finally:
        await services.close()
    return {id: faults for id, faults in outcomes.items() if faults}


async def test_a_sample_of_the_conversations_ends_in_checked_plans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await played(TALKS[:: len(TALKS) // SAMPLE], tmp_path, monkeypatch) == {}


@pytest.mark.soak
async def test_most_conversations_end_in_checked_plans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = await played(TALKS, tmp_path, monkeypatch)
    print(f"\n{len(TALKS) - len(wrong)} of {len(TALKS)}")
    print("\n".join(f"{id}: {faults}" for id, faults in wrong.items()))
    assert len(TALKS) == 60
    assert len(TALKS) - len(wrong) >= LEAST
