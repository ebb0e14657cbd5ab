"""Direct: no tools; and when ReAct may take over."""

from __future__ import annotations

import pytest

from app.core.run.chat_model import ModelTraits, SystemTurn
from app.core.run.events import Notice, Retry, Token
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
from app.providers.http import timeouts as clocks
from app.providers.http.timeouts import RequestTimeouts
from tests.fakes import AskedModel, Kit, call, end_of, error_of, fails, of, run_mode, says, scripted
from tests.rigs.fault_server import Exchange, FaultServer, Scenario


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


async def test_a_request_whose_form_is_refused_goes_to_react_and_says_so() -> None:
    lines = await run_mode("direct", scripted(fails("400"), says("from ReAct")))
    assert end_of(lines).answer == "from ReAct"
    assert [notice.code for notice in of(lines, Notice)] == ["direct_fallback"]


async def test_an_empty_answer_is_a_failure_too() -> None:
    lines = await run_mode("direct", scripted(says(""), says("from ReAct")))
    assert end_of(lines).answer == "from ReAct"
    assert of(lines, Notice)[0].params == {"code": "EMPTY_ANSWER"}


async def test_what_a_second_way_of_asking_would_meet_again_is_final(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the wire, with a writing tool at hand: as many requests as the retries allow, and nothing runs."""
    monkeypatch.setattr(clocks, "LOOK_EVERY", 0.05)
    refusals: dict[int | str, tuple[int, str]] = {
        **dict.fromkeys((500, 503, 529), (1 + 2, "SERVER")),
        401: (1, "AUTH"),
        402: (1, "QUOTA"),
        403: (1, "PERMISSION"),
        404: (1, "NOT_FOUND"),
        429: (3, "RATE_LIMIT"),
        "too long": (1, "CONTEXT_OVERFLOW"),
        "filtered": (1, "CONTENT_FILTER"),
        "cut": (5, "NETWORK"),  # N22: what may have been a kept connection is tried once more at once
        "silent": (3, "TIMEOUT"),
        "damaged": (3, "DAMAGED"),
    }
    words = {
        "too long": {"error": {"message": "maximum context length is 10 tokens"}},
        "filtered": {"error": {"code": "content_filter", "message": "no"}},
    }

    def scenario_of(fault: int | str) -> Scenario:
        async def scenario(exchange: Exchange) -> None:
            if fault == "cut":
                exchange.reset()
            elif fault == "silent":
                await exchange.until_gone()
            elif fault == "damaged":
                await exchange.head()
                await exchange.send("data: {\n\n")
            else:
                status = fault if isinstance(fault, int) else 400
                await exchange.reply(status, words.get(str(fault), {"error": {"message": "no"}}))

        return scenario

    wrong = []
    for fault, expected in refusals.items():
        kit = Kit()
        async with FaultServer(scenario_of(fault)) as server:
            endpoint = ModelEndpoint("test", server.base_url, "sk-test-0123456789abc")
            model = OpenAIChat(endpoint, "m", limits=RequestTimeouts(first_byte=0.3))
            lines = await run_mode("direct", model, kit.tools, settings={"max_retries": 2})
            await model.aclose()
        got = (len(server.requests), error_of(lines).error.code)
        if got != expected or of(lines, Notice) or kit.ran:
            wrong.append((fault, got, of(lines, Notice), kit.ran))
    assert wrong == []


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
    model = scripted(fails("400"), call("save", text="x"), says("denied"))
    lines = await run_mode("direct", model, kit.tools, settings={"tools": {"save": "ask"}}, approve="none")
    assert kit.ran == []
    assert end_of(lines).answer == "denied"


@pytest.mark.parametrize(("finish", "reason"), [("length", "cut"), ("content_filter", "filtered")])
async def test_an_answer_that_is_not_whole_says_so(finish: str, reason: str) -> None:
    end = end_of(await run_mode("direct", scripted(says("half an ans", finish=finish))))
    assert (end.answer, end.stop_reason) == ("half an ans", reason)
