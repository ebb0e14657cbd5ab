"""P01–P38 over a real connection: what a person is told, what is kept, and that nothing hangs or leaks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field

import pytest

from app.core import errors
from app.core.errors import ModelError
from app.core.run.chat_model import Alive, Finished, ModelRequest, ReasoningDelta, TextDelta, ToolSpec, UserTurn
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
from app.providers.http import timeouts as clocks
from app.providers.http.timeouts import RequestTimeouts
from tests.rigs.fault_server import FaultServer
from tests.rigs.stream_faults import CANARY_KEY, FAULTS

PATIENT = RequestTimeouts()


@dataclass
class Heard:
    texts: list[str] = field(default_factory=list)
    reasoning: str = ""
    alive: int = 0
    finished: Finished | None = None
    error: ModelError | None = None
    chunks: list[object] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def whole(self) -> Finished:
        assert self.finished is not None, f"{self.error!r}"
        return self.finished


def _model(url: str, limits: RequestTimeouts = PATIENT, key: str = CANARY_KEY) -> OpenAIChat:
    return OpenAIChat(ModelEndpoint("fault", url, key), "m", limits=limits)


async def _listen(model: OpenAIChat, request: ModelRequest | None = None) -> Heard:
    heard = Heard()
    tools = (ToolSpec("write", "", {"type": "object"}),)
    try:
        async with aclosing(model.stream(request or ModelRequest([UserTurn("hello")], tools))) as chunks:
            async for chunk in chunks:
                heard.chunks.append(chunk)
                if isinstance(chunk, TextDelta):
                    heard.texts.append(chunk.text)
                elif isinstance(chunk, ReasoningDelta):
                    heard.reasoning += chunk.text
                elif isinstance(chunk, Alive):
                    heard.alive += 1
                elif isinstance(chunk, Finished):
                    heard.finished = chunk
    except ModelError as error:
        heard.error = error
    finally:
        await model.aclose()
    return heard


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is shorter than the others is noticed at once, not at the next look."""
    monkeypatch.setattr(clocks, "LOOK_EVERY", 0.05)


@pytest.fixture
async def server() -> AsyncIterator[FaultServer]:
    async with FaultServer(FAULTS) as server:
        yield server


async def _hear(server: FaultServer, name: str, limits: RequestTimeouts = PATIENT) -> Heard:
    return await _listen(_model(server.url(name), limits))


BROKEN = {
    "P01": (errors.IncompleteStream, "hello"),
    "P01b": (errors.IncompleteStream, "hello"),
    "P01c": (errors.IncompleteStream, "if a <"),
    "P02": (errors.IncompleteStream, "hello"),
    "P04": (errors.DamagedStream, ""),
    "P04b": (errors.DamagedStream, "good"),
    "P04c": (errors.DamagedStream, ""),
    "P05": (errors.NotAStream, ""),
    "P06": (errors.NotAStream, ""),
    "P06b": (errors.NotAStream, ""),
    "P07": (errors.ServerFailed, "tok"),
    "P07b": (errors.ServerFailed, "tok"),
    "P07c": (errors.ServerFailed, ""),
    "P10c": (errors.IncompleteStream, ""),
    "P17b": (errors.DamagedStream, "a"),
    "P17c": (errors.DamagedStream, "a"),
    "P20": (errors.AnswerTooLarge, "before"),
    "P21": (errors.AnswerTooLarge, ""),
    "P22": (errors.AnswerTooLarge, "first"),
    "P22b": (errors.NotAStream, ""),
    "P27": (errors.ServerFailed, ""),
    "P29": (errors.KeyRefused, ""),
    "P36": (errors.DamagedStream, "ok"),
    "P36b": (errors.DamagedStream, "ok"),
    "P36c": (errors.DamagedStream, "ok"),
    "redirect": (errors.Redirected, ""),
    "endless_error": (errors.ServerFailed, ""),
}

WHOLE = {
    "P03": ("hello", "stop"),
    "P08": ("ok", "stop"),
    "P16": ("a\ufffdb", "stop"),
    "P17": ("a\u2400b", "stop"),
    "P22c": ("packed", "stop"),
    "P25": ("", "stop"),
    "P25b": ("", "stop"),
    "P25c": ("", "stop"),
    "P26": ("cut", "length"),
    "P30": ("so far", "content_filter"),
    "P30b": ("I will not.", "stop"),
    "P31": ("", "stop"),
    "P33": ("odd", "stop"),
    "P34": ("whole", "stop"),
    "P35": ("plain", "stop"),
    "P37": ("", "length"),
    "P37b": ("text </think> more", "stop"),
    "P38": ('data: [DONE] </think> <tool_call>{"name":"x"}</tool_call> here', "stop"),
    "hang_after_done": ("all", "stop"),
}


@pytest.mark.parametrize("name", BROKEN)
async def test_a_broken_answer_is_a_typed_error_that_keeps_the_text(server: FaultServer, name: str) -> None:
    kind, partial = BROKEN[name]
    heard = await _hear(server, name)
    assert type(heard.error) is kind, f"{heard.error!r} {heard.finished!r}"
    assert heard.error.partial == partial == heard.text
    assert CANARY_KEY not in f"{heard.error} {heard.error.params}"
    assert "<" not in str(heard.error)


@pytest.mark.parametrize("name", WHOLE)
async def test_an_odd_but_whole_answer_is_read(server: FaultServer, name: str) -> None:
    text, finish = WHOLE[name]
    heard = await _hear(server, name)
    assert (heard.whole.turn.text, heard.whole.finish) == (text, finish)
    assert heard.text == text


def test_every_row_of_the_corpus_is_played() -> None:
    covered = {name[:3] for name in (*BROKEN, *WHOLE)}
    covered |= {f"P{n:02}" for n in (9, 10, 11, 12, 13, 14, 15, 18, 19, 23, 24, 28, 32)}
    assert {f"P{n:02}" for n in range(1, 39)} <= covered


# ---------------------------------------------------------------- tool calls


async def test_T26_P09_arguments_cut_by_length_cannot_be_run(server: FaultServer) -> None:
    heard = await _hear(server, "P09")
    (call,) = heard.whole.turn.calls
    assert heard.whole.finish == "length"
    assert call.args is None
    assert "cut" in (call.error or "")


@pytest.mark.parametrize("name", ["P10", "P10b"])
async def test_T26_P10_arguments_cut_under_any_finish_reason_cannot_be_run(server: FaultServer, name: str) -> None:
    (call,) = (await _hear(server, name)).whole.turn.calls
    assert call.args is None
    assert "line1" in (call.error or "")


async def test_P11_only_possible_indexes_are_run(server: FaultServer) -> None:
    calls = (await _hear(server, "P11")).whole.turn.calls
    assert [call.args for call in calls] == [{"i": 0}, {"i": 1}, None, None, None]


async def test_P12_every_call_has_an_id_of_its_own(server: FaultServer) -> None:
    calls = (await _hear(server, "P12")).whole.turn.calls
    assert [call.name for call in calls] == ["f", "g", "h"]
    assert len({call.id for call in calls}) == 3


async def test_P13_only_plain_objects_are_arguments(server: FaultServer) -> None:
    calls = (await _hear(server, "P13")).whole.turn.calls
    assert [call.args for call in calls] == [None, None, None, None, {}, None]


async def test_P14_huge_arguments_are_refused(server: FaultServer) -> None:
    (call,) = (await _hear(server, "P14")).whole.turn.calls
    assert call.args is None
    assert "256 kB" in (call.error or "")
    assert len(call.args_text) <= 256 * 1024


async def test_P15_strange_names_arrive_as_they_are_and_bounded(server: FaultServer) -> None:
    calls = (await _hear(server, "P15")).whole.turn.calls
    assert [call.name[:9] for call in calls] == ["nobody", "__proto__", "../x", "n" * 9, "a\u202eb"]
    assert max(len(call.name) for call in calls) <= 200


# ---------------------------------------------------------------- clocks


@pytest.mark.parametrize(
    ("name", "phase", "limits", "partial"),
    [
        ("P18", "bytes", RequestTimeouts(bytes=0.3), "one"),
        ("P18b", "first_byte", RequestTimeouts(first_byte=0.3), ""),
        ("P19", "content", RequestTimeouts(content=1.0), "one"),
        ("P24", "total", RequestTimeouts(total=1.0), None),
    ],
)
async def test_P18_P19_P24_every_kind_of_silence_has_its_clock(
    server: FaultServer, name: str, phase: str, limits: RequestTimeouts, partial: str | None
) -> None:
    heard = await _hear(server, name, limits)
    assert isinstance(heard.error, errors.ModelTimeout)
    assert heard.error.params["phase"] == phase
    if partial is not None:
        assert heard.error.partial == partial
    if name == "P19":
        assert heard.alive > 2


async def test_time_the_listener_takes_is_not_the_providers(
    server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, taken = asyncio.get_running_loop(), 0.0
    clock = loop.time
    monkeypatch.setattr(loop, "time", lambda: clock() + taken)
    model = _model(server.url("hang_after_done"), RequestTimeouts(first_byte=4, bytes=4, content=4, total=4.5))
    async for _ in model.stream(ModelRequest([UserTurn("x")])):
        taken += 4.9
    await model.aclose()
    assert taken > 4.5


async def test_an_open_connection_after_the_finish_reason_is_a_whole_answer(server: FaultServer) -> None:
    heard = await _hear(server, "hang_after_finish", RequestTimeouts(rest=0.2))
    assert heard.whole.turn.text == "all"


async def test_P23_an_endless_answer_is_cut_and_the_loop_stays_free(server: FaultServer) -> None:
    beats = 0

    async def heartbeat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0)
            beats += 1

    beat = asyncio.create_task(heartbeat())
    heard = await _hear(server, "P23")
    beat.cancel()
    assert isinstance(heard.error, errors.AnswerTooLarge)
    assert len(heard.text) > 100_000
    assert beats > 20


@pytest.mark.parametrize("name", ["P18", "P18b", "P19", "P23"])
async def test_P18_P19_P23_stopping_closes_the_connection_at_once(server: FaultServer, name: str) -> None:
    listening = asyncio.create_task(_listen(_model(server.url(name))))
    await server.asked.wait()
    await asyncio.sleep(0.1)
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(listening, 30)
    await asyncio.wait_for(server.requests[0].gone.wait(), 30)


async def test_leaving_the_stream_early_closes_the_connection(server: FaultServer) -> None:
    model = _model(server.url("P19"))
    async with aclosing(model.stream(ModelRequest([UserTurn("x")]))) as chunks:
        async for _ in chunks:
            break
    await asyncio.wait_for(server.requests[0].gone.wait(), 30)
    await model.aclose()


# ---------------------------------------------------------------- sizes, waits, counts


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [("", 3, 3), ("_huge", 999999, 999999), ("_past", 0, 0), ("_future", 86400, 1e10)],
)
async def test_P28_a_sensible_wait_is_passed_on(server: FaultServer, label: str, low: float, high: float) -> None:
    heard = await _hear(server, f"P28{label}")
    assert isinstance(heard.error, errors.RateLimited)
    assert heard.error.retry_after is not None
    assert low <= heard.error.retry_after <= high


@pytest.mark.parametrize("label", ["_negative", "_nan", "_missing"])
async def test_P28_a_senseless_wait_is_none(server: FaultServer, label: str) -> None:
    heard = await _hear(server, f"P28{label}")
    assert isinstance(heard.error, errors.RateLimited)
    assert heard.error.retry_after is None


async def test_P31_reasoning_is_kept_apart_and_bounded(server: FaultServer) -> None:
    heard = await _hear(server, "P31b")
    assert heard.whole.turn.text == ""
    assert len(heard.whole.turn.reasoning) == 1_000_000
    assert heard.whole.notices == ("reasoning_cut",)


@pytest.mark.parametrize("label", ["", "b", "c"])
async def test_P32_nonsense_counts_are_unknown(server: FaultServer, label: str) -> None:
    assert (await _hear(server, f"P32{label}")).whole.usage is None


async def test_one_network_read_makes_one_text_delta(server: FaultServer) -> None:
    heard = await _hear(server, "P37b")
    assert sum(isinstance(chunk, TextDelta) for chunk in heard.chunks) <= 3


@pytest.mark.parametrize("name", ["P20", "P21", "P22"])
async def test_T36_P20_P21_P22_a_bomb_ends_at_a_cap_and_not_in_memory(server: FaultServer, name: str) -> None:
    heard = await _hear(server, name)
    assert isinstance(heard.error, errors.AnswerTooLarge)
    assert len(server.requests[0].sent) < 40_000_000


async def test_T31_P35_events_and_roles_of_a_hostile_endpoint_do_nothing(server: FaultServer) -> None:
    heard = await _hear(server, "P35")
    assert heard.whole.turn.calls == ()
    assert [type(chunk).__name__ for chunk in heard.chunks if not isinstance(chunk, Alive)] == ["TextDelta", "Finished"]


# ---------------------------------------------------------------- nothing leaks


async def test_T32_a_redirect_gets_neither_key_nor_prompt(server: FaultServer) -> None:
    heard = await _hear(server, "redirect")
    assert isinstance(heard.error, errors.Redirected)
    assert heard.error.params["location"] == "elsewhere.example"
    assert len(server.requests) == 1


async def test_T33_the_key_is_in_no_log_record_and_no_error(
    server: FaultServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("P05", "P07", "P27", "P28", "P29", "redirect"):
        model = _model(server.url(name))
        heard = await _listen(model)
        assert heard.error is not None
        assert CANARY_KEY not in f"{heard.error!r} {heard.error} {vars(heard.error)} {model.__dict__!r}"
    assert CANARY_KEY not in caplog.text


async def test_a_request_says_nothing_about_this_computer(server: FaultServer) -> None:
    await _hear(server, "P03")
    headers = server.requests[0].headers
    assert headers["user-agent"] == "Triptych"
    assert headers["accept-encoding"] == "identity"
    assert not [name for name in headers if name.startswith("x-stainless") and name != "x-stainless-raw-response"]
