"""The rows N01–N36 of the network catalogue as whole runs: how often it is tried, what is kept, how it ends."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from app.agent.run import Run
from app.core.events import LoopEnd, LoopError, Retry, Stamped, StepEnd, Thinking, Token
from app.core.transcript import fold
from app.providers.clocks import Limits
from app.providers.openai_chat import Endpoint, OpenAIChat
from tests.fakes import MODES_BY_ID, context, events, finish, of
from tests.rigs.fault_server import Exchange, FaultServer, Scenario
from tests.rigs.stream_faults import CANARY_KEY, FAULTS

PATIENT = Limits()
QUICK = Limits(first_byte=0.2, bytes=0.2, content=0.3, total=0.8, rest=0.1)


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
    limits: Limits = PATIENT


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
    "N18 silence after a token": Row("P18", 0, "interrupted", "TIMEOUT", "one", QUICK),
    "N18 silence from the start": Row("P18b", 3, "failed", "TIMEOUT", "", QUICK),
    "N19 keep-alives only": Row("P19", 0, "interrupted", "TIMEOUT", "one", QUICK),
    "N23 one damaged event": Row("P04", 0, "complete", "", "good"),
    "N23 four damaged events": Row("P04b", 0, "interrupted", "DAMAGED", "good"),
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


@pytest.fixture
async def server() -> AsyncIterator[FaultServer]:
    async with FaultServer(SCENARIOS) as server:
        yield server


async def _run(url: str, limits: Limits = PATIENT) -> list[Stamped]:
    model = OpenAIChat(Endpoint("fault", url, CANARY_KEY), "m", limits=limits)
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


async def test_N20_a_slow_drip_keeps_what_came(server: FaultServer) -> None:
    lines = await _run(server.url("P24"), QUICK)
    end = lines[-1].event
    assert isinstance(end, LoopError)
    assert end.error.code == "TIMEOUT"
    assert end.partial == _shown(lines)
    assert len(server.requests) == 1 or not end.partial


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
