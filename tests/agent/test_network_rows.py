"""The rows N01–N36 of the network catalogue as whole runs: how often it is tried, what is kept, how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from app.agent.run import Run
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, LoopError, Retry, StepEnd, Thinking, Token
from app.core.run.transcript import fold
from app.core.system.clock import Clock
from app.providers.chat import openai_chat
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
from app.providers.http import timeouts as clocks
from app.providers.http.timeouts import RequestTimeouts
from tests.fakes import MODES_BY_ID, context, events, finish, of
from tests.rigs.fault_server import Exchange, FaultServer, Scenario
from tests.rigs.stream_faults import CANARY_KEY, FAULTS

PATIENT = RequestTimeouts()


def _replies(status: int, body: object) -> Scenario:
    async def reply(exchange: Exchange) -> None:
        await exchange.reply(status, body)

    return reply


SCENARIOS = {
    **FAULTS,
    "402": _replies(402, {"error": {"message": "pay"}}),
    "429_quota": _replies(429, {"error": {"message": "no credit", "code": "insufficient_quota"}}),
    **{str(status): _replies(status, {"error": {"message": "busy"}}) for status in (408, 409, 425, 500, 503, 529)},
}


@dataclass(frozen=True)
class Row:
    fault: str
    retries: int
    state: str
    code: str = ""
    text: str = ""
    """What the person keeps."""
    limits: RequestTimeouts = PATIENT


ROWS = {
    "N06 a web page": Row("P05", 0, "failed", "NOT_A_STREAM"),
    "N07 key refused": Row("P29", 0, "failed", "AUTH"),
    "N08 wrong path": Row("nowhere", 0, "failed", "NOT_FOUND"),
    "N11 no credit": Row("402", 0, "failed", "QUOTA"),
    "N11 no credit, as 429": Row("429_quota", 0, "failed", "QUOTA"),
    "N12 408": Row("408", 3, "failed", "SERVER"),
    "N12 409": Row("409", 3, "failed", "SERVER"),
    "N12 425": Row("425", 3, "failed", "SERVER"),
    "N13 rate limit": Row("P28", 3, "failed", "RATE_LIMIT"),
    "N13 rate limit for days": Row("P28_huge", 0, "failed", "RATE_LIMIT"),
    "N14 502 with a page": Row("P27", 3, "failed", "SERVER"),
    "N14 529": Row("529", 3, "failed", "SERVER"),
    "N15 redirect": Row("redirect", 0, "failed", "REDIRECT"),
    "N16 dropped": Row("P01", 0, "interrupted", "INCOMPLETE", "hello"),
    "N17 closed without an end": Row("P02", 0, "interrupted", "INCOMPLETE", "hello"),
    "N18 silence after a token": Row("P18", 0, "interrupted", "TIMEOUT", "one", RequestTimeouts(bytes=0.2)),
    "N18 silence from the start": Row("P18b", 3, "failed", "TIMEOUT", "", RequestTimeouts(first_byte=0.2)),
    "N19 keep-alives only": Row("P19", 0, "interrupted", "TIMEOUT", "one", RequestTimeouts(content=0.3)),
    "N23 damage before visible text": Row("P04", 3, "failed", "DAMAGED"),
    "N23 damage after visible text": Row("P04b", 0, "interrupted", "", "good"),
    "N23 damage in a call": Row("P04c", 3, "failed", "DAMAGED"),
    "N24 a huge event": Row("P20", 0, "interrupted", "TOO_LARGE", "before"),
    "N25 an empty body": Row("P06", 1, "failed", "NOT_A_STREAM"),
    "N26 cut by length": Row("P26", 0, "cut", "", "cut"),
    "N27 filtered": Row("P30", 0, "filtered", "", "so far"),
    "N27 a refusal": Row("P30b", 0, "complete", "", "I will not."),
    "N28 an error after a token": Row("P07", 0, "interrupted", "SERVER", "tok"),
    "N28 an error alone": Row("P07c", 3, "failed", "SERVER"),
    "N31 nonsense as usage": Row("P32b", 0, "complete", "", "x"),
    "N32 a stream called text": Row("P33", 0, "complete", "", "odd"),
    "N33 no stream though asked": Row("P34", 0, "complete", "", "whole"),
}


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is shorter than the others is noticed at once, not at the next look."""
    monkeypatch.setattr(clocks, "LOOK_EVERY", 0.05)


@pytest.fixture
async def server() -> AsyncIterator[FaultServer]:
    async with FaultServer(SCENARIOS) as server:
        yield server


async def _run(url: str, limits: RequestTimeouts = PATIENT) -> list[Stamped]:
    model = OpenAIChat(ModelEndpoint("fault", url, CANARY_KEY), "m", limits=limits)
    run = Run(context(model, {}, settings={"max_retries": 3}), MODES_BY_ID["react"]).start()
    lines = await finish(run)
    await model.aclose()
    return lines


def _shown(lines: list[Stamped]) -> str:
    return "".join(token.text for token in of(lines, Token))


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
async def test_N_every_fault_is_tried_as_often_as_it_helps_and_ends_in_its_state(server: FaultServer, row: Row) -> None:
    lines = await _run(server.url(row.fault), row.limits)
    end = lines[-1].event
    message = fold(events(lines), "m")
    assert (len(of(lines, Retry)), message.state) == (row.retries, row.state), end
    assert (end.error.code if isinstance(end, LoopError) else "") == row.code
    assert message.text == _shown(lines) == row.text
    if isinstance(end, LoopError):
        assert end.partial == row.text
    assert len(server.requests) == row.retries + 1
    assert CANARY_KEY not in str(end)


async def test_N01_a_host_nobody_knows_is_tried_again(server: FaultServer) -> None:
    lines = await _run("http://nobody.invalid/v1")
    end = lines[-1].event
    assert isinstance(end, LoopError)
    assert (end.error.code, end.error.params["phase"], len(of(lines, Retry))) == ("NETWORK", "dns", 3)


async def test_N02_a_closed_port_is_tried_once_more(server: FaultServer) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    lines = await _run(f"http://127.0.0.1:{port}/v1")
    end = lines[-1].event
    assert isinstance(end, LoopError)
    assert (end.error.code, end.error.params["phase"], len(of(lines, Retry))) == ("NETWORK", "refused", 1)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a full queue of a listening socket refuses")
async def test_N03_a_connection_that_hangs_is_given_up_and_tried_again() -> None:
    with contextlib.ExitStack() as kept:
        deaf = kept.enter_context(socket.socket())
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        for _ in range(4):  # nobody accepts: the queue is full, and what comes then is dropped
            waiting = kept.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(deaf.getsockname())
        lines = await _run(f"http://127.0.0.1:{deaf.getsockname()[1]}/v1", RequestTimeouts(connect=0.1))
    end = lines[-1].event
    assert isinstance(end, LoopError)
    assert (end.error.code, end.error.params["phase"], len(of(lines, Retry))) == ("TIMEOUT", "connect", 3)
    assert end.error.retryable, "the draft can be sent once more"
    assert (fold(events(lines), "m").state, end.partial) == ("failed", "")


class Laptop(Clock):
    """A computer whose lid is closed while a request waits: the wall clock goes on, the loop's stands still."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.slept = 0.0
        monkeypatch.setattr(clocks, "LOOK_EVERY", 0.02)
        monkeypatch.setattr(clocks, "AWAKE_SECONDS", 0.1)
        monkeypatch.setattr(openai_chat, "Watch", lambda limits: clocks.Watch(limits, self))

    def now(self) -> float:
        return self.monotonic() + self.slept

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    def close_the_lid(self) -> None:
        self.slept += 600.0

    async def run(self, server: FaultServer) -> tuple[list[Stamped], list[object]]:
        """The lines of a run, and the client each request went through."""
        model = OpenAIChat(ModelEndpoint("fault", server.base_url, CANARY_KEY), "m", limits=PATIENT)
        model._sense = clocks.SleepSense(self)
        clients: list[object] = []
        run = Run(context(model, {}, settings={"max_retries": 3}), MODES_BY_ID["react"]).start()
        async for line in run.events():
            if isinstance(line.event, Retry | LoopEnd | LoopError):
                clients.append(model._client)
        lines = await finish(run)
        await model.aclose()
        return lines, clients


async def test_N21_asleep_before_the_first_word_it_is_asked_again_on_a_fresh_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laptop = Laptop(monkeypatch)

    async def dead_after_the_sleep(exchange: Exchange) -> None:
        if not laptop.slept:
            laptop.close_the_lid()
            await exchange.until_gone()
        await exchange.head()
        await exchange.delta(content="awake", finish="stop")
        await exchange.done()

    async with FaultServer(dead_after_the_sleep) as server:
        lines, clients = await laptop.run(server)
    end = lines[-1].event
    assert isinstance(end, LoopEnd)
    assert (end.answer, len(of(lines, Retry)), len(server.requests)) == ("awake", 1, 2)
    assert clients[0] is not clients[1]


async def test_N21_asleep_in_the_middle_of_an_answer_what_came_is_kept_and_nothing_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laptop = Laptop(monkeypatch)

    async def dead_after_a_word(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.delta(content="half a ")
        laptop.close_the_lid()
        await exchange.until_gone()

    async with FaultServer(dead_after_a_word) as server:
        lines, _clients = await laptop.run(server)
    end = lines[-1].event
    assert isinstance(end, LoopError)
    assert (end.error.code, end.partial, len(server.requests)) == ("TIMEOUT", "half a ", 1)
    assert (fold(events(lines), "m").state, of(lines, Retry)) == ("interrupted", [])


async def test_N21_an_answer_that_goes_on_after_the_sleep_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    laptop = Laptop(monkeypatch)
    monkeypatch.setattr(clocks, "AWAKE_SECONDS", 60.0)

    async def awake_again(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.delta(content="half ")
        laptop.close_the_lid()
        await asyncio.sleep(3 * clocks.LOOK_EVERY)
        await exchange.delta(content="and whole", finish="stop")
        await exchange.done()

    async with FaultServer(awake_again) as server:
        lines, _clients = await laptop.run(server)
    end = lines[-1].event
    assert isinstance(end, LoopEnd)
    assert (end.answer, of(lines, Retry), len(server.requests)) == ("half and whole", [], 1)


async def test_N20_a_slow_drip_keeps_what_came(server: FaultServer) -> None:
    lines = await _run(server.url("P24"), RequestTimeouts(total=0.8))
    end = lines[-1].event
    assert isinstance(end, LoopError)
    assert end.error.code == "TIMEOUT"
    assert end.partial == _shown(lines)
    kinds = [type(line.event) for line in lines]
    assert Token not in kinds or Retry not in kinds[kinds.index(Token) :], "what was seen is not asked for again"


@pytest.mark.parametrize("fault", ["P25", "P25b", "P31"])
async def test_N25_N30_nothing_said_is_asked_once_more_and_then_an_error(server: FaultServer, fault: str) -> None:
    lines = await _run(server.url(fault))
    end = lines[-1].event
    assert isinstance(end, LoopError)
    assert (end.error.code, len(server.requests)) == ("EMPTY_ANSWER", 2)
    assert bool(of(lines, Thinking)) == (fault == "P31"), "the reasoning is kept"


async def test_N31_usage_that_cannot_be_true_is_an_estimate(server: FaultServer) -> None:
    lines = await _run(server.url("P32"))
    end = lines[-1].event
    assert isinstance(end, LoopEnd)
    assert end.usage.exact is False
    assert all(step.usage.input >= 0 for step in of(lines, StepEnd))


async def test_N36_after_visible_text_nothing_is_paid_for_again(server: FaultServer) -> None:
    for row in ROWS.values():
        if row.text and row.limits is PATIENT:
            before = len(server.requests)
            await _run(server.url(row.fault))
            assert len(server.requests) == before + 1, row
