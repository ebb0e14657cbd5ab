"""The last call of a tool as a sample for rules: from stored runs, newest first."""

from __future__ import annotations

import json

from app.core.profile import AgentProfile
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from tests.fakes import call, says, scripted
from tests.services.conftest import Put


async def compute(services: Services, answers: Put, *sums: str) -> None:
    profile = AgentProfile(
        id="clerk", tools={"calculator": "allow"}, hooks=({"when": "after", "do": "cut", "most": 1},)
    )
    await services.settings.save_profile(profile)
    for text in sums:
        session = await services.sessions.create("clerk")
        answers(scripted(call("calculator", expression=text), says("done")))
        run = await services.chat.send(session.id, "compute", "react", options=RunOptions(interactive=False))
        await run.result()
        await services.chat.recorded()


async def test_the_newest_call_of_a_tool_is_found_by_name_and_by_glob(services: Services, answers: Put) -> None:
    await compute(services, answers, "1+1", "20+22")
    for pattern in ("calculator", "calc*", "*"):
        sample = await services.calls.last(pattern)
        assert sample is not None
        assert sample.tool == "calculator"
        assert json.loads(sample.args)["expression"] == "20+22"
        assert "42" in sample.text  # whole, although a rule of the agent cuts what the model reads
        assert sample.when > 0


async def test_calls_that_failed_and_tools_never_called_are_no_sample(services: Services, answers: Put) -> None:
    assert await services.calls.last("calculator") is None
    await compute(services, answers, "1+")
    assert await services.calls.last("calculator") is None
    await compute(services, answers, "1+1")
    assert await services.calls.last("other") is None
