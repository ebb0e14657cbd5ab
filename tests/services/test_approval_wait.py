from __future__ import annotations

import time

from app.core.profile import AgentProfile
from app.core.run.events import Approval
from app.services.container import Services
from app.services.runs.chat import RunOptions
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
