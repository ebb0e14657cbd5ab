from __future__ import annotations

from app.core.profile import AgentProfile
from app.services.container import Services
from app.services.runs.round_costs import measured_rounds
from app.services.runs.run_options import RunOptions
from tests.fakes import call, says, scripted
from tests.services.conftest import Put


async def test_an_agent_is_measured_by_its_own_runs(services: Services, answers: Put) -> None:
    await services.settings.save_profile(AgentProfile(id="clerk", tools={"calculator": "allow"}))
    for n in range(5):
        assert await measured_rounds(services.runs, "clerk") is None
        session = await services.sessions.create("clerk")
        turns = [call("calculator", expression=f"{n}+1"), call("calculator", expression=f"{n}+2"), says("done")]
        answers(scripted(*turns))
        run = await services.chat.send(session.id, "compute", "react", options=RunOptions(interactive=False))
        await run.result()
        await services.chat.recorded()
    costs = await measured_rounds(services.runs, "clerk")
    assert costs is not None
    assert costs.runs == 5
    assert costs.multiple(0) == 1.0
    assert (costs.multiple(3) or 0) > 1.0
    assert await measured_rounds(services.runs, "assistant") is None
