"""One request: retried while nothing of it was shown, never after; and what it asks for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

import pytest

from app.agent.context import RunContext
from app.agent.inbox import RunClock
from app.agent.run import Run
from app.agent.step import LONGEST_WAIT, ModelStep
from app.core.errors import RateLimited, ServerFailed, ToolUseFailed
from app.core.run.chat_model import Finished, ModelChunk, ModelRequest, ModelTraits, TextDelta, UserTurn
from app.core.run.events import Discard, Retry, StepEnd, StepStart, Thinking, Token
from app.providers.http.endpoint_quirks import EndpointQuirks
from app.providers.request.build import build_body
from tests.fakes import (
    MODES_BY_ID,
    AskedModel,
    FakeClock,
    SleeplessClock,
    call,
    calls,
    context,
    end_of,
    error_of,
    fails,
    finish,
    of,
    run_mode,
    says,
    scripted,
    until,
)


@pytest.mark.parametrize("fault", ["timeout", "network", "429", "500", "503", "disconnect_after:0"])
async def test_a_fault_that_may_pass_is_tried_again(fault: str) -> None:
    lines = await run_mode("react", scripted(fails(fault), says("here")), settings={"max_retries": 1})
    assert [retry.attempt for retry in of(lines, Retry)] == [1]
    assert end_of(lines).answer == "here"
    assert len(of(lines, StepStart)) == 1, "a retry is the same step"


@pytest.mark.parametrize("fault", ["400", "401", "402", "403", "404", "content_filter"])
async def test_a_fault_that_will_not_pass_is_not_tried_again(fault: str) -> None:
    model = scripted(fails(fault), says("never"))
    lines = await run_mode("react", model, settings={"max_retries": 3})
    assert len(model.requests) == 1
    assert error_of(lines).reason == "api"
    assert error_of(lines).error.retryable is False


@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_the_number_of_retries_is_the_profiles(retries: int) -> None:
    model = scripted(fails("500"), repeat_last=True)
    lines = await run_mode("react", model, settings={"max_retries": retries})
    assert len(model.requests) == retries + 1
    assert [retry.attempt for retry in of(lines, Retry)] == list(range(1, retries + 1))
    assert error_of(lines).error.code == "SERVER"
    assert error_of(lines).error.retryable is True


async def test_R25_after_visible_text_nothing_is_retried_and_the_text_stays() -> None:
    model = scripted({"chunks": ["half ", "an answer"], "raise": "disconnect_after:1"}, says("never"))
    lines = await run_mode("react", model, settings={"max_retries": 3})
    assert (len(model.requests), error_of(lines).partial) == (1, "half ")
    assert of(lines, Discard, Retry) == []
    assert of(lines, StepEnd)[0].finish_reason == "interrupted"


async def test_thinking_alone_is_taken_back_and_tried_again() -> None:
    model = scripted({"reasoning": "let me think about it", "raise": "disconnect_after:1"}, says("here"))
    lines = await run_mode("react", model, settings={"max_retries": 1})
    kinds = [event.type for event in of(lines, Thinking, Discard, Retry, Token)]
    assert kinds == ["thinking", "discard", "retry", "token"]


async def test_waits_grow_and_are_never_longer_than_eight_seconds() -> None:
    model = scripted(fails("500"), repeat_last=True)
    lines = await run_mode("react", model, settings={"max_retries": 5})
    waits = [retry.wait for retry in of(lines, Retry)]
    for attempt, wait in enumerate(waits, 1):
        most = min(2 ** (attempt - 1), 8)
        assert most / 2 <= wait <= most


class Failing:
    """Raises what it is given, then answers."""

    def __init__(self, *errors: Exception) -> None:
        self._errors = list(errors)
        self.requests: list[ModelRequest] = []

    ref = "fake/failing"
    traits = ModelTraits()

    async def stream(self, request: ModelRequest) -> Any:
        self.requests.append(request)
        if self._errors:
            raise self._errors.pop(0)
        from app.core.run.chat_model import AssistantTurn

        yield TextDelta("here")
        yield Finished(AssistantTurn("here"), "stop")

    async def aclose(self) -> None:
        return


@pytest.mark.parametrize(("after", "waited"), [(3.0, 3.0), (LONGEST_WAIT, LONGEST_WAIT)])
async def test_the_wait_a_provider_asks_for_is_kept(after: float, waited: float) -> None:
    time = FakeClock()
    model = Failing(RateLimited(retry_after=after))
    lines = await run_mode("react", model, settings={"max_retries": 3}, clock=RunClock(time))
    assert end_of(lines).answer == "here"
    assert time.slept == [waited]


async def test_a_provider_that_wants_too_long_a_wait_is_not_waited_for() -> None:
    lines = await run_mode("react", Failing(RateLimited(retry_after=3_600.0)), settings={"max_retries": 3})
    assert error_of(lines).error.code == "RATE_LIMIT"


async def test_a_stream_without_an_end_is_cut() -> None:
    class Endless(Failing):
        async def stream(self, request: ModelRequest) -> Any:
            yield TextDelta("so far")

    error = error_of(await run_mode("react", Endless()))
    assert (error.error.code, error.partial) == ("INCOMPLETE", "so far")


async def test_reclassified_text_is_thinking_and_no_partial() -> None:
    from app.core.run.chat_model import AssistantTurn, Reclassified

    class Late(Failing):
        async def stream(self, request: ModelRequest) -> Any:
            chunks: list[ModelChunk] = [TextDelta("hmm"), Reclassified(), TextDelta("yes"),
                                        Finished(AssistantTurn("yes", "hmm"), "stop")]  # fmt: skip
            for chunk in chunks:
                yield chunk

    lines = await run_mode("react", Late())
    assert [event.type for event in of(lines, Token) + of(lines, StepEnd)] == ["token", "token", "step_end"]
    assert [line.event.type for line in lines].count("reclassify") == 1
    assert end_of(lines).answer == "yes"


async def _step(ctx: RunContext, **given: Any) -> ModelStep:
    step = ModelStep(ctx, **given)
    async for _event in step.events():
        pass
    return step


@pytest.mark.parametrize(
    ("purpose", "own", "sent"), [("step", None, 0.7), ("plan", None, 0.3), ("step", 0.0, 0.0), ("plan", 1.2, 1.2)]
)
async def test_the_temperature_is_the_profiles_else_the_purposes(purpose: Any, own: float | None, sent: float) -> None:
    model = scripted(says("x"))
    await _step(context(model, settings={"temperature": own}), purpose=purpose)
    assert model.requests[0].temperature == sent


async def test_a_nudge_is_a_users_turn_at_the_end_of_the_request_alone() -> None:
    model = scripted(says("x"))
    ctx = context(model)
    before = list(ctx.state.turns)
    await _step(ctx, nudge="now")
    assert model.requests[0].turns[-1] in (UserTurn("now"), UserTurn("what is 1 + 2?\n\nnow"))
    assert ctx.state.turns == before


async def test_usage_is_estimated_and_marked_when_the_provider_says_nothing() -> None:
    lines = await run_mode("direct", scripted(says("x" * 400)))
    usage = of(lines, StepEnd)[0].usage
    assert (usage.output, usage.exact) == (100, False)


async def test_a_failed_step_is_closed_before_the_end() -> None:
    lines = await run_mode("react", scripted(fails("401")))
    assert [line.event.type for line in lines][-3:] == ["step_start", "step_end", "loop_error"]


async def test_the_error_of_a_model_reaches_the_person_with_its_words() -> None:
    run = Run(context(Failing(ServerFailed("the kitchen is closed", hint="try at nine"))), MODES_BY_ID["react"]).start()
    error = error_of(await finish(run)).error
    assert (error.message, error.hint) == ("the kitchen is closed", "try at nine")


async def test_T17_a_call_nobody_could_read_is_asked_for_again_and_twice_at_most() -> None:
    class Garbled(AskedModel):
        async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
            self.requests.append(request)
            raise ToolUseFailed("cannot parse", text="<function=add{1}>")
            yield TextDelta("")

    model = Garbled(lambda _request: "")
    lines = await run_mode("react", model, settings={"max_retries": 5})
    assert error_of(lines).error.code == "TOOL_USE_FAILED"
    assert [retry.wait for retry in of(lines, Retry)] == [0.0, 0.0]
    said = [getattr(request.turns[-1], "text", "") for request in model.requests]
    assert ["could not be read" in text for text in said] == [False, True, True]
    assert "<function=add{1}>" in said[1]


@pytest.mark.parametrize("reflection", [False, True])
@pytest.mark.parametrize("dialect", ["native", "tags"])
async def test_what_was_sent_stays_the_same_to_the_byte_in_the_next_request(
    reflection: bool, dialect: Literal["native", "tags"]
) -> None:
    """Providers cache the beginning of a request: only the nudge at its end is another one each time."""
    model = scripted(
        {**calls(("add", {"a": 1}), ("fetch", {"host": "h"})), "reasoning": "hm"},
        {**call("long_text", length=3_000), "content": "More."},
        call("add", a=3),
        says("done"),
    )
    settings = {"enable_reflection": reflection, "max_steps": 9, "max_reflection_iterations": 5}
    await run_mode("react", model, settings=settings)
    sent = [
        build_body(replace(request, dialect=dialect), ModelTraits(), EndpointQuirks())["messages"]
        for request in model.requests
    ]
    for before, after in pairwise(sent):
        kept = before[:-1] if reflection and before is not sent[0] else before
        assert after[: len(kept)] == kept


async def test_N13_a_countdown_can_be_cut_short_by_the_person() -> None:
    class LongWait(SleeplessClock):
        async def sleep(self, seconds: float) -> None:
            await super().sleep(seconds)
            await asyncio.sleep(60)

    time = LongWait()
    model = scripted(fails("503"), says("here"))
    run = Run(context(model, settings={"max_retries": 1}, clock=RunClock(time)), MODES_BY_ID["react"]).start()
    async for line in run.events():
        if isinstance(line.event, Retry):
            await until(lambda: bool(time.slept))
            run.retry_now()
    assert end_of(await asyncio.wait_for(finish(run), 30)).answer == "here"
