"""What each mode costs, measured: `python -m building.mode_costs` writes the tables of docs/modes anew.

Every row is one question asked in the composed program, with a scripted model in place of a service. The requests are
those a service would get, byte for byte; the replies are short ones such as models give. A token is taken as four
characters, as the program itself estimates where a service reports nothing. tests/test_mode_costs.py compares.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from app.compose import build
from app.core.run.chat_model import ModelTraits
from app.providers.http.endpoint_quirks import EndpointQuirks
from app.providers.request.build import build_body
from app.providers.scripted import ScriptedModel, load_script
from app.services.container import Services
from app.services.providers import models
from app.services.runs.run_options import RunOptions
from building.places import REPO

PAGES = REPO / "docs" / "modes"
BEGIN, END = "<!-- costs: python -m building.mode_costs -->", "<!-- /costs -->"
PER_TOKEN = 4
"""Characters."""
HEADS = {
    "": ("question", "requests", "tool calls", "tokens sent", "tokens received"),
    ".zh": ("问题", "请求", "工具调用", "发送的 token", "收到的 token"),
}


def _calls(*named: tuple[str, dict[str, Any]], text: str = "") -> dict[str, Any]:
    return {"content": text, "tool_calls": [{"name": name, "arguments": args} for name, args in named]}


def _plan(goal: str, *steps: tuple[str, dict[str, Any], str]) -> dict[str, Any]:
    numbered = [
        {"step": number, "action": action, "params": params, "description": about, "needs": []}
        for number, (action, params, about) in enumerate(steps, 1)
    ]
    return {"content": json.dumps({"goal": goal, "steps": numbered})}


SHORT = {"content": "ReAct lets a model think, call tools and read their results in turn. " * 3}
SUM = {"content": "36 × 12 + 58 = **490**"}
CITY = ("get_city_info", {"city": "Hangzhou"})
SIGHTS = ("query_attractions", {"cities": ["Hangzhou"], "limit": 5})
FOOD = ("search_food", {"city": "Hangzhou"})
CITIES = ("Hangzhou", "Suzhou", "Nanjing", "Shanghai", "Wuhan")
JUDGED = "Opening hours are still missing; I look them up."
REPORT = {"content": "**3–4 days** suit Hangzhou, best in spring and autumn. West Lake is free, Lingyin is not. " * 4}


@dataclass(frozen=True)
class Asked:
    english: str
    chinese: str
    turns: Sequence[Mapping[str, Any]]
    agent: str = "travel"
    settings: Mapping[str, Any] = field(default_factory=dict)


def _rounds(rounds: int) -> Asked:
    """Each of them used, and each for one more look-up."""
    batches = [_calls(("get_city_info", {"city": city}), text=JUDGED) for city in CITIES[:rounds]]
    return Asked(
        f"Travel planner, reflection with {rounds} round{'s' if rounds > 1 else ''}, one look-up each",
        f"旅行规划，反思 {rounds} 轮，每轮查一样",
        (*batches, REPORT),
        settings={"enable_reflection": True, "max_reflection_iterations": rounds},
    )


LOOKED_UP = Asked(
    "Travel planner, two look-ups in one message", "旅行规划，一条消息里查两样", (_calls(CITY, SIGHTS), REPORT)
)
ASKED: Mapping[str, Sequence[Asked]] = {
    "direct": (
        Asked("Assistant, three sentences", "通用助手，三句话", (SHORT,), "assistant"),
        Asked("Travel planner, a short report", "旅行规划，一份简短的说明", (REPORT,)),
    ),
    "react": (
        Asked(
            "Assistant, one sum",
            "通用助手，一次计算",
            (_calls(("calculator", {"expression": "36*12+58"})), SUM),
            "assistant",
        ),
        LOOKED_UP,
        *(_rounds(rounds) for rounds in (1, 2, 3, 5)),
    ),
    "plan": (
        Asked(
            "Travel planner, three steps with a tool each",
            "旅行规划，三步，每步一个工具",
            (_plan("Hangzhou", (*CITY, "the city"), (*SIGHTS, "sights"), (*FOOD, "food")), REPORT),
        ),
        Asked(
            "the same, and a fourth step without a tool",
            "同上，另有第四步不用工具",
            (
                _plan("Hangzhou", (*CITY, "the city"), (*SIGHTS, "sights"), (*FOOD, "food"), ("none", {}, "choose")),
                {"content": "West Lake first, then Lingyin Temple."},
                REPORT,
            ),
        ),
    ),
}
"""By mode. Auto is none of them: it chooses by the words of the question, without a request."""


@dataclass(frozen=True)
class Cost:
    requests: int
    calls: int
    sent: int
    received: int
    """Tokens."""


async def measure(mode: str, asked: Asked, folder: Path) -> Cost:
    script = folder / "script.json"
    script.write_text(json.dumps({"turns": list(asked.turns)}), encoding="utf-8")
    played: list[ScriptedModel] = []

    def load(path: str) -> ScriptedModel:
        played.append(load_script(path))
        return played[-1]

    with patch.object(models, "load_script", load):
        return await _run(build(folder / "data"), mode, asked, f"script/{script.as_posix()}", played)


async def _run(services: Services, mode: str, asked: Asked, ref: str, played: list[ScriptedModel]) -> Cost:
    await services.open()
    try:
        profile = services.settings.profile(asked.agent)
        await services.settings.save_profile(
            profile.model_copy(update={"plan_review": "never", "enable_reflection": False, **asked.settings})
        )
        row = await services.sessions.create(asked.agent, mode, ref)
        handle = await services.chat.send(row.id, "How many days for Hangzhou?", mode, options=RunOptions())
        events = [line.event async for line in handle.events()]
    finally:
        await services.close()
    if getattr(events[-1], "type", "") != "loop_end":
        raise RuntimeError(f"{mode}, {asked.english}: the run ended with {events[-1]}")
    calls = sum(getattr(event, "type", "") == "tool_call" for event in events)
    requests = [request for model in played for request in model.requests]
    bodies = [build_body(request, ModelTraits(), EndpointQuirks()) for request in requests]
    sent = sum(len(json.dumps(body, ensure_ascii=False)) for body in bodies)
    received = sum(len(json.dumps(turn, ensure_ascii=False)) for turn in asked.turns[: len(requests)])
    return Cost(len(requests), calls, sent // PER_TOKEN, received // PER_TOKEN)


def costs() -> dict[str, list[Cost]]:
    found: dict[str, list[Cost]] = {}
    for mode, rows in ASKED.items():
        for asked in rows:
            with tempfile.TemporaryDirectory(prefix="triptych-costs-") as folder:
                found.setdefault(mode, []).append(asyncio.run(measure(mode, asked, Path(folder))))
    return found


def table(mode: str, found: Sequence[Cost], ending: str) -> str:
    lines = [f"| {' | '.join(HEADS[ending])} |", "|---|---:|---:|---:|---:|"]
    for asked, cost in zip(ASKED[mode], found, strict=True):
        text = asked.chinese if ending else asked.english
        lines.append(f"| {text} | {cost.requests} | {cost.calls} | {rounded(cost.sent)} | {rounded(cost.received)} |")
    return "\n".join(lines)


def rounded(tokens: int) -> str:
    """Two places: a changed word of a prompt is no news."""
    step = 10 if tokens < 1000 else 100
    return f"{round(tokens / step) * step:,}"


def main() -> None:
    os.environ["TRIPTYCH_OFFLINE"] = "1"
    for mode, found in costs().items():
        for ending in HEADS:
            page = PAGES / f"{mode}{ending}.md"
            before, _begin, rest = page.read_text("utf-8").partition(BEGIN)
            after = rest.partition(END)[2]
            page.write_text(f"{before}{BEGIN}\n\n{table(mode, found, ending)}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
