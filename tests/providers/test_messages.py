"""What goes onto the wire: roles, echoes, ids, order, parameters – by traits and by what was learned."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.core.errors import KeyRefused, ModelError, NotFound, RequestRefused, ServerFailed
from app.core.run.chat_model import (
    AssistantTurn,
    CallTurn,
    ModelRequest,
    ModelTraits,
    ResultTurn,
    SystemTurn,
    ToolSpec,
    Turn,
    UserTurn,
)
from app.providers.http.endpoint_quirks import EndpointQuirks
from app.providers.request.build import build_body
from app.providers.request.messages import safe_name, to_messages

TOOLS = (ToolSpec("add", "adds", {"type": "object", "properties": {}}),)


def _call(id: str = "c1", wire_id: str = "w1", **more: Any) -> CallTurn:
    return CallTurn(id=id, name="add", args_text='{"a":1}', args={"a": 1}, wire_id=wire_id, **more)


def _asked(**echo: Any) -> AssistantTurn:
    return AssistantTurn(text="", reasoning="because", calls=(_call(),), echo=echo or None)


def _messages(*turns: Turn, traits: ModelTraits | None = None, provider: str = "p") -> list[dict[str, Any]]:
    return to_messages(turns, traits or ModelTraits(), provider=provider)


# ---------------------------------------------------------------- messages


def test_system_turns_become_one_message_at_the_start() -> None:
    made = _messages(SystemTurn("a"), UserTurn("hi"), SystemTurn("b"))
    assert made == [{"role": "system", "content": "a\n\nb"}, {"role": "user", "content": "hi"}]


def test_the_system_role_follows_the_traits() -> None:
    assert _messages(SystemTurn("a"), traits=ModelTraits(system_role="developer"))[0]["role"] == "developer"


def test_a_model_without_eyes_is_told_that_there_was_an_image() -> None:
    (message,) = _messages(UserTurn("see", images=("data:image/png;base64,AA",)))
    assert message["content"] == "see\n\n[images are attached that you cannot see]"


def test_a_server_that_refuses_an_image_is_asked_again_without() -> None:
    learned = EndpointQuirks()
    refused = RequestRefused("Invalid content type. image_url is only supported by certain models")
    assert learned.learn(refused, {"messages"}, ModelTraits(vision=True)) == ""
    assert learned.learn(refused, {"messages", "images"}, ModelTraits(vision=True)) == "images"
    assert learned.learn(refused, {"messages", "images"}, ModelTraits(vision=True)) == ""
    assert not learned.applied(ModelTraits(vision=True)).vision


def test_images_go_as_parts() -> None:
    (message,) = _messages(UserTurn("see", images=("data:image/png;base64,AA",)), traits=ModelTraits(vision=True))
    assert [part["type"] for part in message["content"]] == ["text", "image_url"]


def test_results_stand_in_the_order_of_their_calls() -> None:
    turn = AssistantTurn(calls=(_call("c1", "w1"), _call("c2", "w2")))
    made = _messages(UserTurn("q"), turn, ResultTurn("c2", "add", "two"), ResultTurn("c1", "add", "one"))
    assert [(m["role"], m.get("tool_call_id"), m["content"]) for m in made[2:]] == [
        ("tool", "w1", "one"),
        ("tool", "w2", "two"),
    ]


def test_a_result_nobody_asked_for_is_told_as_a_remark() -> None:
    assert _messages(ResultTurn("gone", "add", "5"))[0]["role"] == "user"


def test_unreadable_arguments_go_back_as_json() -> None:
    bad = CallTurn(id="c", name="a b", args_text='{"te', error="cut", wire_id="w")
    (message,) = _messages(AssistantTurn(calls=(bad,)))
    function = message["tool_calls"][0]["function"]
    assert json.loads(function["arguments"]) == {"unreadable": '{"te'}
    assert function["name"] == "a_b"


@pytest.mark.parametrize("name", ["", "a\u202eb", "x" * 99, "../x"])
def test_names_on_the_wire_are_safe(name: str) -> None:
    made = safe_name(name)
    assert 0 < len(made) <= 64
    assert made.isascii()


def test_text_that_cannot_be_encoded_is_mended() -> None:
    assert _messages(UserTurn("a\ud800b"))[0]["content"] == "a\ufffdb"


# ---------------------------------------------------------------- ids


def test_T16_an_id_that_repeats_in_the_history_is_replaced_by_ours() -> None:
    first = AssistantTurn(calls=(_call("ours-1", "functions.add:0"),))
    again = AssistantTurn(calls=(_call("ours-2", "functions.add:0"),))
    made = _messages(first, ResultTurn("ours-1", "add", "x"), again, ResultTurn("ours-2", "add", "y"))
    assert [m["tool_call_id"] for m in made if m["role"] == "tool"] == ["functions.add:0", "ours-2"]


def test_T15_mistral_gets_nine_characters_the_same_every_time() -> None:
    turns: list[Turn] = [
        AssistantTurn(calls=(_call("c-long-id", "call_that_is_long"),)),
        ResultTurn("c-long-id", "add", "x"),
    ]
    traits = ModelTraits(id_style="mistral9")
    call, result = _messages(*turns, traits=traits)
    label = call["tool_calls"][0]["id"]
    assert len(label) == 9
    assert label.isalnum()
    assert result["tool_call_id"] == label
    assert _messages(*turns, traits=traits)[0]["tool_calls"][0]["id"] == label


# ---------------------------------------------------------------- echoes


def test_R01_reasoning_goes_back_in_its_field_on_turns_with_calls() -> None:
    (message,) = _messages(_asked(reasoning_field="reasoning_content", provider="p"))
    assert message["reasoning_content"] == "because"
    plain = AssistantTurn(text="done", reasoning="because", echo={"reasoning_field": "reasoning_content"})
    assert "reasoning_content" not in _messages(plain)[0]


def test_R01_always_and_never_are_obeyed() -> None:
    plain = AssistantTurn(text="done", reasoning="because", echo={"reasoning_field": "reasoning"})
    assert _messages(plain, traits=ModelTraits(echo_reasoning="always"))[0]["reasoning"] == "because"
    assert (
        "reasoning" not in _messages(_asked(reasoning_field="reasoning"), traits=ModelTraits(echo_reasoning="never"))[0]
    )


def test_R02_a_model_that_insists_gets_an_empty_field_where_there_was_no_reasoning() -> None:
    traits = ModelTraits(reasoning_field="reasoning_content", echo_reasoning="always")
    (message,) = _messages(AssistantTurn(calls=(_call(),)), traits=traits)
    assert message["reasoning_content"] == ""


def test_R03_details_go_back_unchanged_and_alone() -> None:
    details = [{"type": "reasoning.text", "text": "a"}, {"type": "reasoning.encrypted", "data": "Z"}]
    (message,) = _messages(_asked(reasoning_field="reasoning", reasoning_details=details, provider="p"))
    assert message["reasoning_details"] == details
    assert "reasoning" not in message


def test_R04_what_stood_beside_a_call_goes_back_with_it() -> None:
    turn = AssistantTurn(calls=(_call(extra={"google": {"thought_signature": "S"}}),), echo={"provider": "p"})
    (message,) = _messages(turn)
    assert message["tool_calls"][0]["extra_content"] == {"google": {"thought_signature": "S"}}


@pytest.mark.parametrize("content", ["<think>x</think>y", [{"type": "thinking", "thinking": []}]])
def test_R08_R11_raw_content_goes_back_raw(content: object) -> None:
    (message,) = _messages(AssistantTurn(text="y", reasoning="x", echo={"content": content, "provider": "p"}))
    assert message["content"] == content


def test_another_provider_gets_no_echo() -> None:
    turn = AssistantTurn(
        text="y",
        reasoning="x",
        calls=(_call(extra={"google": {}}),),
        echo={"content": [1], "reasoning_details": [{}], "reasoning_field": "reasoning", "provider": "other"},
    )
    (message,) = _messages(turn)
    assert message["content"] == "y"
    assert not {"reasoning", "reasoning_details"} & set(message)
    assert "extra_content" not in message["tool_calls"][0]


# ---------------------------------------------------------------- parameters


def _body(
    request: ModelRequest | None = None, traits: ModelTraits | None = None, learned: EndpointQuirks | None = None
) -> Any:
    request = request or ModelRequest([UserTurn("q")], TOOLS, temperature=0.3, max_output_tokens=50)
    learned = learned or EndpointQuirks()
    return build_body(request, learned.applied(traits or ModelTraits()), learned, provider="p")


def test_the_usual_parameters_are_sent() -> None:
    body = _body()
    assert body["temperature"] == 0.3
    assert body["max_tokens"] == 50
    assert body["stream_options"] == {"include_usage": True}
    assert body["tools"][0]["function"]["name"] == "add"
    assert "tool_choice" not in body


def test_R13_traits_drop_and_rename_parameters() -> None:
    traits = ModelTraits(drop_params=("temperature",), max_tokens_name="max_completion_tokens", include_usage=False)
    body = _body(traits=traits)
    assert not {"temperature", "max_tokens", "stream_options"} & set(body)
    assert body["max_completion_tokens"] == 50


def test_R12_what_a_provider_needs_beside_goes_along() -> None:
    assert _body(traits=ModelTraits(extra_body={"enable_thinking": True}))["enable_thinking"] is True


def test_tools_off_keeps_the_list_only_where_the_choice_is_understood() -> None:
    request = ModelRequest([UserTurn("q")], TOOLS, tool_choice="none")
    assert _body(request)["tool_choice"] == "none"
    assert "tools" not in _body(request, ModelTraits(tool_choice=False))


def test_T18_a_forced_call_becomes_a_free_one_where_it_is_refused() -> None:
    request = ModelRequest([UserTurn("q")], TOOLS, tool_choice="required")
    assert _body(request)["tool_choice"] == "required"
    assert "tool_choice" not in _body(request, ModelTraits(tool_choice=False))


@pytest.mark.parametrize(
    ("rung", "kind"), [("strict", "json_schema"), ("schema", "json_schema"), ("object", "json_object"), ("none", None)]
)
def test_S25_the_schema_goes_by_the_ladder(rung: Any, kind: str | None) -> None:
    request = ModelRequest([UserTurn("q")], response_schema={"type": "object"})
    body = _body(request, ModelTraits(json_schema=rung))
    assert body.get("response_format", {}).get("type") == kind
    assert ("JSON" in body["messages"][-1]["content"]) == (rung in ("object", "none"))


# ---------------------------------------------------------------- lessons


@pytest.mark.parametrize(
    ("error", "gone", "there"),
    [
        (RequestRefused("Unknown field: stream_options"), "stream_options", None),
        (RequestRefused("unsupported value", param="temperature"), "temperature", None),
        (
            RequestRefused("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
            "max_tokens",
            "max_completion_tokens",
        ),
        (RequestRefused("This model does not support tools"), "tools", None),
        (NotFound("No endpoints found that support tool use", status=404), "tools", None),
    ],
)
def test_S16_S17_a_refused_parameter_is_left_out_or_renamed_next_time(
    error: ModelError, gone: str, there: str | None
) -> None:
    learned = EndpointQuirks()
    body = _body(learned=learned)
    assert gone in body
    assert learned.learn(error, set(body), ModelTraits())
    again = _body(learned=learned)
    assert gone not in again
    assert there is None or there in again
    assert not learned.learn(error, set(again), learned.applied(ModelTraits())), "a lesson is learned once"


def test_T22_a_refused_role_is_changed() -> None:
    learned = EndpointQuirks()
    error = RequestRefused("'messages[0].role' does not support 'developer' with this model.", param="messages[0].role")
    assert learned.learn(error, set(), ModelTraits(system_role="developer"))
    assert learned.applied(ModelTraits(system_role="developer")).system_role == "system"


def test_R01_a_missing_or_refused_echo_is_learned() -> None:
    missing, refused = EndpointQuirks(), EndpointQuirks()
    assert missing.learn(
        RequestRefused("The `reasoning_content` in the thinking mode must be passed back"), set(), ModelTraits()
    )
    assert missing.applied(ModelTraits()).echo_reasoning == "always"
    assert refused.learn(RequestRefused("Extra inputs are not permitted: reasoning_content"), set(), ModelTraits())
    assert refused.applied(ModelTraits()).echo_reasoning == "never"


def test_T21_a_template_that_refuses_text_beside_calls_gets_bare_calls() -> None:
    learned = EndpointQuirks()
    error = ServerFailed("Jinja template: Cannot pass both content and thinking in an assistant message", status=500)
    assert learned.learn(error, set(), ModelTraits())
    turn = AssistantTurn(text="I look", reasoning="r", calls=(_call(),), echo={"reasoning_field": "reasoning"})
    message = _body(ModelRequest([turn]), learned=learned)["messages"][0]
    assert message["content"] is None
    assert "reasoning" not in message


@pytest.mark.parametrize("error", [KeyRefused("bad key"), RequestRefused("messages[3] is wrong"), ServerFailed("x")])
def test_other_errors_teach_nothing(error: ModelError) -> None:
    assert EndpointQuirks().learn(error, {"tools", "temperature", "max_tokens"}, ModelTraits()) == ""
