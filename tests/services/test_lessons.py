"""M16: the planner is shown what became of earlier plans; orders of tools that were liked are a hint."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.core.run.events import Notice
from app.services.container import Services
from tests.fakes import Kit, call, of, says, scripted
from tests.services.conftest import Put
from tests.services.test_chat import ask

ALONE: dict[str, Any] = {"overrides": {"tools": {"*": "allow"}, "enable_reflection": False, "plan_review": "never"}}
FIRST, SECOND = "帮我规划北京三日游", "请规划北京五日游"


@pytest.fixture
def kit(services: Services) -> Kit:
    made = Kit()
    services.tools._tools.add(made.tools.values())
    return made


def plan(*actions: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    steps = [{"step": n, "action": name, "params": params} for n, (name, params) in enumerate(actions, 1)]
    return says(json.dumps({"goal": "g", "steps": steps}))


async def planned(services: Services, answers: Put, query: str, *turns: dict[str, Any]) -> Any:
    session = await services.sessions.create("assistant")
    model = scripted(*turns)
    answers(model)
    lines = await ask(services, session.id, query, "plan", **ALONE)
    return model, lines, (await services.sessions.messages(session.id))[-1]


def said(model: Any, request: int = 0) -> str:
    return str(getattr(model.requests[request].turns[-1], "text", ""))


async def test_M16_a_plan_is_based_on_earlier_ones_with_their_outcome(
    services: Services, answers: Put, kit: Kit
) -> None:
    made = plan(("city", {"name": "北京"}), ("broken", {}))
    _model, first, answer = await planned(services, answers, FIRST, made, says("no plan"), says("none"), says("done"))
    await services.ratings.rate(answer.id, 1, agent="assistant", mode="plan", query=FIRST)
    model, lines, _answer = await planned(services, answers, SECOND, plan(("city", {"name": "北京"})), says("done"))
    told = said(model)
    assert FIRST in told
    assert "the person liked the answer" in told
    assert '1. city {"name":"北京"} – done' in told
    assert "2. broken {} – failed" in told
    notice = next(notice for notice in of(lines, Notice) if notice.code == "plan_based_on")
    assert (notice.params["n"], notice.params["runs"]) == (1, [first[0].run])
    _model, other, _answer = await planned(services, answers, "写一首诗", plan(("add", {"a": 1})), says("done"))
    assert [notice for notice in of(other, Notice) if notice.code == "plan_based_on"] == []


async def test_M16_both_lessons_can_be_turned_off(services: Services, answers: Put, kit: Kit) -> None:
    two = plan(("city", {"name": "x"}), ("add", {"a": 1}))
    _model, _lines, answer = await planned(services, answers, FIRST, two, says("done"))
    await services.ratings.rate(answer.id, 1, agent="assistant", mode="plan", query=FIRST)
    model, _lines, _answer = await planned(services, answers, SECOND, two, says("done"))
    assert "city → add" in said(model)
    off = services.settings.preferences.model_copy(update={"earlier_plans": False, "tool_hints": False})
    await services.settings.save_preferences(off)
    model, lines, _answer = await planned(services, answers, SECOND, two, says("done"))
    assert "Plans made earlier" not in said(model)
    assert "→" not in said(model)
    assert of(lines, Notice) == []


async def test_M16_react_gets_the_order_of_tools_with_its_first_request_only(
    services: Services, answers: Put, kit: Kit
) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("city", name="x"), call("add", a=1), says("done")))
    await ask(services, session.id, FIRST, "react", **ALONE)
    answer = (await services.sessions.messages(session.id))[-1]
    await services.ratings.rate(answer.id, 1, agent="assistant", mode="react", query=FIRST)
    other = await services.sessions.create("assistant")
    model = scripted(call("add", a=2), says("done"))
    answers(model)
    await ask(services, other.id, SECOND, "react", **ALONE)
    assert "city → add" in said(model)
    assert "→" not in said(model, 1)


async def test_M16_a_plan_made_under_the_eyes_of_others_teaches_nothing(
    services: Services, answers: Put, kit: Kit
) -> None:
    made = plan(("add", {"a": 1}))
    await planned(services, answers, FIRST, call("fetch", host="h"), made, says("done"))
    model, _lines, _answer = await planned(services, answers, SECOND, made, says("done"))
    assert "Plans made earlier" not in said(model)
