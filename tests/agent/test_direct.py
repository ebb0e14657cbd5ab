"""Direct: no tools; and when ReAct may take over."""

from __future__ import annotations

import pytest

from app.core.run.chat_model import ModelTraits, SystemTurn
from app.core.run.events import Notice, Retry, Token
from tests.fakes import AskedModel, Kit, call, end_of, error_of, fails, of, run_mode, says, scripted


async def test_direct_offers_no_tools_and_asks_once() -> None:
    model = scripted(says("hello"))
    lines = await run_mode("direct", model)
    assert (end_of(lines).answer, end_of(lines).tools, len(model.requests)) == ("hello", (), 1)
    assert model.requests[0].tools == ()
    assert isinstance(model.requests[0].turns[0], SystemTurn)


async def test_direct_asks_for_the_form_of_the_answer_at_once() -> None:
    schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}

    class Formal(AskedModel):
        traits = ModelTraits(json_schema="strict")

    model = Formal(lambda _request: '{"n": 4}')
    lines = await run_mode("direct", model, settings={"output_schema": schema})
    assert [request.response_schema for request in model.requests] == [schema]
    assert end_of(lines).structured == {"n": 4}


async def test_T24_a_call_in_direct_never_runs() -> None:
    kit = Kit()
    lines = await run_mode("direct", scripted({**call("save", text="x"), "content": "I store it."}), kit.tools)
    assert kit.ran == []
    assert end_of(lines).answer == "I store it."


@pytest.mark.parametrize("fault", ["network", "timeout", "500", "429", "404", "400", "context_overflow"])
async def test_before_the_first_character_react_takes_over_and_says_so(fault: str) -> None:
    lines = await run_mode("direct", scripted(fails(fault), says("from ReAct")))
    assert end_of(lines).answer == "from ReAct"
    assert [notice.code for notice in of(lines, Notice)] == ["direct_fallback"]


async def test_an_empty_answer_is_a_failure_too() -> None:
    lines = await run_mode("direct", scripted(says(""), says("from ReAct")))
    assert end_of(lines).answer == "from ReAct"
    assert of(lines, Notice)[0].params == {"code": "EMPTY_ANSWER"}


@pytest.mark.parametrize(
    ("fault", "code"),
    [("401", "AUTH"), ("403", "PERMISSION"), ("402", "QUOTA"), ("content_filter", "CONTENT_FILTER")],
)
async def test_a_key_or_a_filter_that_says_no_is_final(fault: str, code: str) -> None:
    model = scripted(fails(fault), says("never"))
    error = error_of(await run_mode("direct", model))
    assert (error.reason, error.error.code, len(model.requests)) == ("api", code, 1)


async def test_after_visible_text_the_text_stays_and_the_error_is_told() -> None:
    model = scripted({"chunks": ["So it ", "begins", "…"], "raise": "disconnect_after:2"}, says("never"))
    lines = await run_mode("direct", model, settings={"max_retries": 3})
    error = error_of(lines)
    assert (error.partial, error.error.code) == ("So it begins", "INCOMPLETE")
    assert "".join(token.text for token in of(lines, Token)) == "So it begins"
    assert of(lines, Retry) == []
    assert len(model.requests) == 1


async def test_the_preference_turns_the_fallback_off() -> None:
    model = scripted(fails("network"), says("never"))
    error = error_of(await run_mode("direct", model, direct_fallback=False))
    assert error.error.code == "NETWORK"
    empty = error_of(await run_mode("direct", scripted(says(""), says("never")), direct_fallback=False))
    assert empty.error.code == "EMPTY_ANSWER"


async def test_retries_come_before_the_fallback() -> None:
    model = scripted(fails("500"), fails("500"), says("at last"))
    lines = await run_mode("direct", model, settings={"max_retries": 2})
    assert end_of(lines).answer == "at last"
    assert of(lines, Notice) == []
    assert [retry.attempt for retry in of(lines, Retry)] == [1, 2]


async def test_T24_the_fallback_gives_no_permission() -> None:
    kit = Kit()
    model = scripted(fails("network"), call("save", text="x"), says("denied"))
    lines = await run_mode("direct", model, kit.tools, settings={"tools": {"save": "ask"}}, approve="none")
    assert kit.ran == []
    assert end_of(lines).answer == "denied"


@pytest.mark.parametrize(("finish", "reason"), [("length", "cut"), ("content_filter", "filtered")])
async def test_an_answer_that_is_not_whole_says_so(finish: str, reason: str) -> None:
    end = end_of(await run_mode("direct", scripted(says("half an ans", finish=finish))))
    assert (end.answer, end.stop_reason) == ("half an ans", reason)
