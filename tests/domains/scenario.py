"""Conversations as data: what is said, and what the answer must show. For every domain, over the composed program.

    [[scenario]]
    name = "a wish, changed twice"
    agent = "travel"
    model = "offline/rules"       # or turns of a script: script = [{ content = "…" }]
    language = "en"

    [[scenario.turn]]
    say = "3 days in Beijing"
    tools = ["get_city_info"]     # these ran, in this order, others between them or not
    shows = ["Beijing"]           # the answer holds each
    hides = ["¥0"]                # and none of these
    slots = { days = 3 }          # what was understood
    missing = ["city"]            # what the person is asked for
    card = "timeline"             # the kind of the answer's card; "" = there is none
    stops = "answered"            # the stop reason

A scenario fails with every expectation that is not met, not with the first.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.core.run.events import LoopEnd, RunEvent, ToolReturned, Understood
from app.core.run.view import answer_cards, view_of
from app.services.container import Services
from app.services.runs.run_options import RunOptions

KNOWN = frozenset({"say", "mode", "tools", "shows", "hides", "slots", "missing", "card", "stops"})


def scenarios_of(path: Path) -> list[dict[str, Any]]:
    scenarios: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))["scenario"]
    return scenarios


async def play(services: Services, scenario: Mapping[str, Any], folder: Path) -> list[str]:
    """What is not as the scenario says, one sentence each."""
    model = scenario.get("model", "")
    if script := scenario.get("script"):
        (folder / "script.json").write_text(json.dumps({"turns": script}, ensure_ascii=False), encoding="utf-8")
        model = f"script/{folder / 'script.json'}"
    row = await services.sessions.create(scenario["agent"])
    faults: list[str] = []
    for n, turn in enumerate(scenario["turn"], 1):
        if unknown := turn.keys() - KNOWN:
            faults.append(f"turn {n}: a turn has no {', '.join(sorted(unknown))}")
        options = RunOptions(model=model, interactive=False)
        run = await services.chat.send(row.id, turn["say"], turn.get("mode", "react"), options=options)
        events = [line.event async for line in run.events()]
        await services.chat.recorded()
        faults += [f"{scenario['name']}, turn {n} ({turn['say']}): {fault}" for fault in _faults(turn, events)]
    return faults


def _faults(turn: Mapping[str, Any], events: Sequence[RunEvent]) -> Iterator[str]:
    end = events[-1]
    answer = end.answer if isinstance(end, LoopEnd) else f"failed: {end}"
    stop = end.stop_reason if isinstance(end, LoopEnd) else "error"
    ran = [event.name for event in events if isinstance(event, ToolReturned) and event.ok]
    left = iter(ran)
    if absent := [tool for tool in turn.get("tools", ()) if tool not in left]:
        yield f"{absent[0]} did not run in its place: {ran}"
    yield from (f"the answer does not say {text!r}: {answer}" for text in turn.get("shows", ()) if text not in answer)
    yield from (f"the answer says {text!r}" for text in turn.get("hides", ()) if text in answer)
    slots = next((event.slots for event in reversed(events) if isinstance(event, Understood)), ())
    known = {slot.id: slot.value for slot in slots}
    for id, value in turn.get("slots", {}).items():
        if known.get(id) != value:
            yield f"{id} is understood as {known.get(id)!r}, not {value!r}"
    missing = [slot.id for slot in slots if slot.source == "unknown"]
    if missing != turn.get("missing", missing):
        yield f"it asks for {missing}"
    cards = [card["card"] for card in answer_cards(view_of(events))]
    if "card" in turn and turn["card"] != (cards[-1] if cards else ""):
        yield f"the cards of the answer are {cards}"
    if stop != turn.get("stops", "answered"):
        yield f"it ended with {stop}"
