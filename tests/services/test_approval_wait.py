from __future__ import annotations

import asyncio
import json
import time

from app.core.profile import AgentProfile
from app.core.run.analysis.run_stats import estimate_plan
from app.core.run.events import Approval
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from app.ui.run_presenter.figures import figures_of
from tests.fakes import call, says, scripted
from tests.services.conftest import Put


async def test_an_approval_waits_as_long_as_the_person_wants(services: Services, answers: Put) -> None:
    settings = services.settings
    assert settings.preferences.approval_minutes == 30
    await settings.save_preferences(settings.preferences.model_copy(update={"approval_minutes": 5}))
    await settings.save_profile(AgentProfile(id="clerk", tools={"calculator": "ask"}))
    session = await services.sessions.create("clerk")
    answers(scripted(call("calculator", expression="6*7"), says("42")))
    run = await services.chat.send(session.id, "compute", "react", options=RunOptions())
    waits: list[float] = []
    async for line in run.events():
        if isinstance(line.event, Approval):
            waits.append(line.event.until - time.time())
            run.approve(line.event.id, "once")
    assert len(waits) == 1
    assert 290 < waits[0] <= 301


async def test_an_estimate_knows_what_auto_chose_and_not_how_long_the_person_thought(
    services: Services, answers: Put
) -> None:
    """A plan that Auto chose never counted; a person who was away for an hour made every plan take an hour."""
    await services.settings.save_profile(AgentProfile(id="clerk", tools={"calculator": "ask"}, plan_review="never"))
    session = await services.sessions.create("clerk")
    plan = {"steps": [{"step": 1, "action": "calculator", "params": {"expression": "6*7"}, "description": "compute"}]}
    answers(scripted(says(json.dumps(plan)), says("It is 42.")))
    run = await services.chat.send(session.id, "Make a plan: first compute 6*7, then tell me", "auto")
    waited = 0.0
    async for line in run.events():
        if isinstance(line.event, Approval):
            began = time.monotonic()
            await asyncio.sleep(0.3)
            waited += time.monotonic() - began
            run.approve(line.event.id, "once")
    await services.chat.recorded()
    (row,) = await services.runs.rows(session.id)
    figures = figures_of(row)
    assert (row.mode, row.state, waited > 0) == ("auto", "complete", True)
    assert figures.ran_in("plan")
    assert row.ended is not None
    assert figures.seconds <= row.ended - row.started - waited + 0.01
    assert estimate_plan([], [figures]).runs == 1
