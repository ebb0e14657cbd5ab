"""R27: after a sleep the clocks begin anew, an open stream gets a moment to show life, old connections are dropped."""

from __future__ import annotations

import asyncio

import pytest

from app.core.errors import ModelTimeout
from app.core.run.chat_model import ModelRequest, UserTurn
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
from app.providers.http import timeouts as clocks
from app.providers.http.timeouts import RequestTimeouts, SleepSense, Watch
from tests.fakes import until
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks


def test_a_gap_between_the_clocks_is_a_sleep_and_told_once() -> None:
    wall, steady = 1_000.0, 10.0
    sense = SleepSense(lambda: wall, lambda: steady)
    wall, steady = 1_003.0, 12.0
    assert sense.slept() == 0
    wall, steady = 1_600.0, 20.0
    assert sense.slept() == pytest.approx(589.0)
    assert sense.slept() == 0
    wall = -300_000_000.0
    assert sense.slept() > 0, "a clock that was set is taken for a sleep; that does no harm"


async def test_R27_an_open_stream_gets_a_moment_after_the_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "LOOK_EVERY", 0.02)
    monkeypatch.setattr(clocks, "AWAKE_SECONDS", 0.1)
    loop = asyncio.get_running_loop()
    began, slept = loop.time(), 0.0
    watch = Watch(RequestTimeouts(first_byte=60, bytes=60, content=60), wall=lambda: loop.time() + slept)

    def sleep() -> None:
        nonlocal slept
        slept = 600.0

    loop.call_later(0.05, sleep)
    with pytest.raises(ModelTimeout), watch:
        await asyncio.sleep(30)
    assert loop.time() - began > 0.1
    watch.close()


async def test_R27_a_stream_that_shows_life_after_the_sleep_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "LOOK_EVERY", 0.02)
    monkeypatch.setattr(clocks, "AWAKE_SECONDS", 4.0)
    loop = asyncio.get_running_loop()
    slept, later, clock = 0.0, 0.0, loop.time
    monkeypatch.setattr(loop, "time", lambda: clock() + later)
    watch = Watch(RequestTimeouts(first_byte=60, bytes=60, content=60), wall=lambda: loop.time() + slept)
    with watch:
        await asyncio.sleep(0.03)
    slept = 600.0
    with watch:
        await until(lambda: watch._dues["first_byte"] < loop.time() + 5)
    watch.saw_bytes(content=True)
    with watch:
        later = 4.5
        await asyncio.sleep(0.05)
    assert watch.expired is None
    watch.close()


async def test_R27_connections_from_before_the_sleep_are_not_used() -> None:
    async with FaultServer(speaks([{"content": "hi"}], repeat_last=True)) as server:
        model = OpenAIChat(ModelEndpoint("test", server.base_url, "sk-test-0123456789abc"), "m")
        wall, clients = 0.0, []
        model._sense = SleepSense(lambda: wall, lambda: 0.0)
        for wall in (1.0, 2.0, 600.0):  # noqa: B007 - read by the clock
            async for _chunk in model.stream(ModelRequest([UserTurn("hi")])):
                pass
            clients.append(model._client)
        await model.aclose()
    assert clients[0] is clients[1]
    assert clients[2] is not clients[1]
