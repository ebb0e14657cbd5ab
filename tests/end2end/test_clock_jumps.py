"""The clock jumps, or the machine sleeps and wakes, while a run goes on: nothing is lost or ends in silence."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from app.core.run.events import Approval, LoopEnd, LoopError
from app.services.container import Services
from tests.end2end.conftest import Driver, Open
from tests.grammar import check_grammar

DAY, YEARS, HOURS = 86_400.0, 50 * 365.25 * 86_400.0, 8 * 3_600.0
JUMPS = {
    "a day on": (DAY, 0.0), "a day back": (-DAY, 0.0), "fifty years on": (YEARS, 0.0),
    "fifty years back": (-YEARS, 0.0), "an hour back": (-3_600.0, 0.0),
    "slept, the clock of the loop stood still": (HOURS, 0.0), "slept, it went on": (HOURS, HOURS),
}  # fmt: skip
WORDS = [f"word{n} " for n in range(30)]
CALL: dict[str, object] = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}


@dataclass
class Clock:
    """The wall's and the one that never goes back, each with what it has jumped."""

    wall: float = 0.0
    steady: float = 0.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock, wall, steady = Clock(), time.time, time.monotonic
    monkeypatch.setattr(time, "time", lambda: wall() + clock.wall)
    monkeypatch.setattr(time, "monotonic", lambda: steady() + clock.steady)
    return clock


def services_of(driver: Driver) -> Services:
    assert driver.application.services is not None
    return driver.services


async def jump(clock: Clock, by: tuple[float, float]) -> None:
    clock.wall, clock.steady = by[0], clock.steady + by[1]
    await asyncio.sleep(0.02)


async def _end(driver: Driver) -> None:
    await driver.until(lambda: not driver.is_running(), "the end of the run")
    await services_of(driver).chat.recorded()


async def streaming(driver: Driver, clock: Clock, by: tuple[float, float]) -> str:
    driver.chooses_mode("direct")
    driver.ask("while it streams")
    await driver.until(lambda: any("word3 " in text for text in driver.answers()), "some words")
    await jump(clock, by)
    await _end(driver)
    return "" if driver.answers()[-1].strip() == "".join(WORDS).strip() else f"the answer is {driver.answers()[-1]!r}"


async def asking(driver: Driver, clock: Clock, by: tuple[float, float]) -> str:
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: driver.desk.conversation.run.handle, "the run")
    run = driver.desk.conversation.run.handle
    asked: list[Approval] = []

    async def hear() -> None:
        async for line in run.events():
            if isinstance(line.event, Approval):
                asked.append(line.event)

    hearing = asyncio.create_task(hear())
    await driver.until(lambda: asked, "the question")
    await jump(clock, by)
    for one in asked:
        run.approve(one.id, "once")
    await _end(driver)
    await hearing
    return "" if driver.answers()[-1].strip() == "It is 42." else f"the answer is {driver.answers()[-1]!r}"


async def resting(driver: Driver, clock: Clock, by: tuple[float, float]) -> str:
    """Nothing runs; something is typed, allowed and thrown away meanwhile."""
    await jump(clock, by)
    driver.window.composer.field.setPlainText("half a thought")
    driver.saves_draft()
    await driver.desk.conversation.drafts.written()
    await services_of(driver).grants.add("assistant", "calculator", f"{by[0]:.0f}*")
    return ""


SITUATIONS: dict[
    str, tuple[tuple[dict[str, object], ...], Callable[[Driver, Clock, tuple[float, float]], Awaitable[str]]]
]
SITUATIONS = {
    "streaming": (({"chunks": WORDS, "delay": 0.01},), streaming),
    "asking": ((CALL, {"content": "It is 42."}), asking),
    "resting": (({"content": "yes"},), resting),
}


async def _case(open_window: Open, clock: Clock, situation: str, by: tuple[float, float]) -> list[str]:
    """What is wrong afterwards. The clock is right again for the last start only."""
    turns, act = SITUATIONS[situation]
    driver = await open_window(*turns)
    services = services_of(driver)
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"tools": {**profile.tools, "calculator": "ask"}}))
    await services.grants.add("assistant", "calculator", "before*")
    trashed = await services.sessions.create("assistant")
    await services.sessions.bin.trash(trashed.id)
    shown = await services.sessions.create("assistant")
    await driver.desk.conversation.open(shown.id)
    wrong = [said] if (said := await act(driver, clock, by)) else []
    for row in await services.runs.rows(shown.id):
        lines = await services.runs.events(row.id)
        check_grammar(lines)
        if sum(isinstance(line.event, LoopEnd | LoopError) for line in lines) != 1:
            wrong.append("not one end")
    before = [message.text for message in await services.sessions.messages(shown.id)]
    draft = (await services.sessions.row(shown.id)).draft
    await driver.closes()
    for _start in range(2):
        other = await open_window(*turns)
        await other.closes()
    clock.wall = 0.0
    again = services_of(await open_window(*turns, session=shown.id))
    if [message.text for message in await again.sessions.messages(shown.id)] != before:
        wrong.append("other messages")
    if (await again.sessions.row(shown.id)).draft != draft:
        wrong.append("another draft")
    if trashed.id not in [row.id for row in await again.sessions.bin.rows()]:
        wrong.append("the bin is empty")
    if not any(grant.pattern == "before*" for grant in again.grants.grants()):
        wrong.append("what was allowed is not any more")
    if problems := await again.checks.verify():
        wrong.append(f"verify: {problems}")
    return wrong


@pytest.mark.parametrize("situation", SITUATIONS)
async def test_R28_fifty_years_on_and_back_lose_nothing(open_window: Open, clock: Clock, situation: str) -> None:
    assert await _case(open_window, clock, situation, JUMPS["fifty years on"]) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", JUMPS)
@pytest.mark.parametrize("situation", SITUATIONS)
async def test_R28_every_jump_in_every_situation(open_window: Open, clock: Clock, situation: str, name: str) -> None:
    assert await _case(open_window, clock, situation, JUMPS[name]) == []
