"""An answer by schema as the arguments of a tool, for models on which tools and a schema do not go together."""

from __future__ import annotations

from typing import Any

from app.core.run.chat_model import ModelTraits
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, Token, ToolCalled, ToolReturned
from app.providers.scripted import ScriptedModel, read_script
from tests.fakes import Kit, call, calls, end_of, of, run_mode, says

NUMBER = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}


class Torn(ScriptedModel):
    """A script of a model that takes tools or a schema, not both."""

    @property
    def traits(self) -> ModelTraits:
        return ModelTraits(json_schema="strict", final_answer=True)


def torn(*turns: Any) -> Torn:
    return Torn(read_script({"turns": list(turns), "repeat_last": False}))


async def answered(model: ScriptedModel, **settings: Any) -> tuple[LoopEnd, list[Stamped]]:
    lines = await run_mode("react", model, Kit().tools, settings={"output_schema": NUMBER, **settings})
    return end_of(lines), lines


async def test_its_arguments_are_the_answer_and_nothing_runs() -> None:
    model = torn(call("add", a=1, b=3), call("final_answer", n=4))
    end, lines = await answered(model)
    assert (end.structured, end.structured_error) == ({"n": 4}, None)
    assert [one.name for one in of(lines, ToolCalled)] == ["add"]
    assert "".join(token.text for token in of(lines, Token)) == end.answer == '{"n": 4}'
    offered = {tool.name: tool.parameters for tool in model.requests[0].tools}
    assert offered["final_answer"] == NUMBER
    assert {"add", "final_answer"} <= set(offered)
    assert all(request.response_schema is None for request in model.requests)


async def test_words_before_it_stay_in_the_answer() -> None:
    end, lines = await answered(torn({**call("final_answer", n=4), "content": "Here it is."}))
    assert end.answer == 'Here it is.\n\n{"n": 4}'
    assert "".join(token.text for token in of(lines, Token)) == end.answer
    assert end.structured == {"n": 4}


async def test_beside_other_calls_it_came_too_early() -> None:
    model = torn(calls(("final_answer", {"n": 0}), ("add", {"a": 1, "b": 3})), call("final_answer", n=4))
    end, lines = await answered(model)
    assert end.structured == {"n": 4}
    assert [one.name for one in of(lines, ToolReturned)] == ["add"]


async def test_the_last_request_offers_it_alone_and_demands_it() -> None:
    model = torn(call("add", a=1, b=3), call("final_answer", n=4))
    end, _lines = await answered(model, max_steps=2)
    last = model.requests[-1]
    assert [tool.name for tool in last.tools] == ["final_answer"]
    assert (last.tool_choice, last.response_schema) == ("required", None)
    assert end.structured == {"n": 4}


async def test_a_wrong_one_is_repaired_by_another_call() -> None:
    model = torn(call("final_answer", n="four"), call("final_answer", n=4))
    end, _lines = await answered(model)
    assert "$.n: should be integer, is string" in model.requests[1].turns[-1].text
    assert [tool.name for tool in model.requests[1].tools] == ["final_answer"]
    assert end.structured == {"n": 4}


async def test_arguments_that_cannot_be_read_are_repaired_too() -> None:
    end, _lines = await answered(torn(calls(("final_answer", '{"n": ')), call("final_answer", n=4)))
    assert end.structured == {"n": 4}


async def test_an_answer_in_words_is_as_good() -> None:
    end, _lines = await answered(torn(says('{"n": 4}')))
    assert end.structured == {"n": 4}


async def test_a_schema_that_is_no_object_is_asked_for_in_words() -> None:
    model = torn(says("[4]"), says("[4]"), says("[4]"))
    await answered(model, output_schema={"type": "array"})
    assert "final_answer" not in {tool.name for request in model.requests for tool in request.tools}
    assert model.requests[-1].response_schema == {"type": "array"}


async def test_without_a_schema_or_the_trait_it_is_not_offered() -> None:
    plain = torn(says("four"))
    await run_mode("react", plain, Kit().tools)
    usual = ScriptedModel(read_script({"turns": [says('{"n": 4}')], "repeat_last": False}))
    await answered(usual)
    for model in (plain, usual):
        assert "final_answer" not in {tool.name for tool in model.requests[0].tools}
