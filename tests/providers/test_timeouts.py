"""R27: after a sleep the clocks begin anew, an open stream gets a moment to show life, old connections are dropped."""

from __future__ import annotations

import asyncio

import pytest

from app.core.errors import ModelTimeout
from app.core.run.chat_model import ModelRequest, UserTurn
from app.core.system.clock import Clock
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
from app.providers.http import timeouts as clocks
from app.providers.http.timeouts import RequestTimeouts, SleepSense, Watch
from tests.fakes import until
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks


class Laptop(Clock):
    """Two clocks that are set by hand."""

    def __init__(self, wall: float = 0.0, steady: float = 0.0) -> None:
        self.wall, self.steady = wall, steady

    def now(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.steady


class LoopClock(Clock):
    """The loop's time; the wall clock is ahead of it by what the computer slept."""

    slept = 0.0

    def now(self) -> float:
        return self.monotonic() + self.slept

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()


def test_a_gap_between_the_clocks_is_a_sleep_and_told_once() -> None:
    time = Laptop(1_000.0, 10.0)
    sense = SleepSense(time)
    time.wall, time.steady = 1_003.0, 12.0
    assert sense.slept() == 0
    time.wall, time.steady = 1_600.0, 20.0
    assert sense.slept() == pytest.approx(589.0)
    assert sense.slept() == 0
    time.wall = -300_000_000.0
    assert sense.slept() > 0, "a clock that was set is taken for a sleep; that does no harm"


async def test_R27_an_open_stream_gets_a_moment_after_the_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "LOOK_EVERY", 0.02)
    monkeypatch.setattr(clocks, "AWAKE_SECONDS", 0.1)
    loop = asyncio.get_running_loop()
    began, time = loop.time(), LoopClock()
    watch = Watch(RequestTimeouts(first_byte=60, bytes=60, content=60), time)

    def sleep() -> None:
        time.slept = 600.0

    loop.call_later(0.05, sleep)
    with pytest.raises(ModelTimeout), watch:
        await asyncio.sleep(30)
    assert loop.time() - began > 0.1
    watch.close()


async def test_R27_a_stream_that_shows_life_after_the_sleep_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "LOOK_EVERY", 0.02)
    monkeypatch.setattr(clocks, "AWAKE_SECONDS", 4.0)
    loop = asyncio.get_running_loop()
    time, later, clock = LoopClock(), 0.0, loop.time
    monkeypatch.setattr(loop, "time", lambda: clock() + later)
    watch = Watch(RequestTimeouts(first_byte=60, bytes=60, content=60), time)
    with watch:
        await asyncio.sleep(0.03)
    time.slept = 600.0
    with watch:
        await until(lambda: watch._dues["first_byte"] < loop.time() + 5)
    watch.saw_bytes(content=True)
    with watch:
        later = 4.5
        await asyncio.sleep(0.05)
    assert watch.expired is None
    watch.close()


async def test_R27_the_limit_of_the_whole_answer_does_not_count_a_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the clock of the loop goes on meanwhile."""
    monkeypatch.setattr(clocks, "LOOK_EVERY", 0.02)
    loop = asyncio.get_running_loop()
    clock, slept = loop.time, 0.0
    monkeypatch.setattr(loop, "time", lambda: clock() + slept)
    watch = Watch(RequestTimeouts(), LoopClock())
    with watch:
        slept = 28_800.0
        await asyncio.sleep(0.05)
    assert watch.expired is None
    watch.close()


async def test_R27_connections_from_before_the_sleep_are_not_used() -> None:
    async with FaultServer(speaks([{"content": "hi"}], repeat_last=True)) as server:
        model = OpenAIChat(ModelEndpoint("test", server.base_url, "sk-test-0123456789abc"), "m")
        time, clients = Laptop(), []
        model._sense = SleepSense(time)
        for time.wall in (1.0, 2.0, 600.0):
            async for _chunk in model.stream(ModelRequest([UserTurn("hi")])):
                pass
            clients.append(model._client)
        await model.aclose()
    assert clients[0] is clients[1]
    assert clients[2] is not clients[1]
