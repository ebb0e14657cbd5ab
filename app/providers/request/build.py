"""A `ModelRequest` → the body of the HTTP request, by the model's traits and what its server refused before."""

from __future__ import annotations

import json
from typing import Any, Literal

from app.core.run.chat_model import Json, ModelRequest, ModelTraits, ToolSpec
from app.providers.http.endpoint_quirks import EndpointQuirks
from app.providers.request.effort import effort_fields, rules_out_sampling
from app.providers.request.messages import Message, safe_name, to_messages, to_text_messages

UsedDialect = Literal["native", "tags", "json"]


def dialect_of(request: ModelRequest, traits: ModelTraits, learned: EndpointQuirks) -> UsedDialect:
    """What the profile wishes; `auto` is native until this model has shown that it needs text."""
    if request.dialect != "auto":
        return request.dialect
    return "tags" if learned.writes_calls or traits.tools == "text" else "native"


def offered_tools(request: ModelRequest, traits: ModelTraits) -> tuple[ToolSpec, ...]:
    """The tools that may be called in the reply to this request."""
    may_not = request.tool_choice == "none" or (traits.tools == "none" and request.dialect == "auto")
    return () if may_not else request.tools


def build_body(
    request: ModelRequest, traits: ModelTraits, learned: EndpointQuirks, *, provider: str = ""
) -> dict[str, Any]:
    """Everything except `model` and `stream`, which the SDK wants as arguments."""
    dialect = dialect_of(request, traits, learned)
    messages = (
        to_messages(request.turns, traits, provider=provider, reasoning_apart=learned.bare_calls)
        if dialect == "native"
        else to_text_messages(
            request.turns,
            traits,
            dialect,
            offered_tools(request, traits),
            provider=provider,
            required=request.tool_choice == "required",
        )
    )
    body: dict[str, Any] = {"messages": messages}
    dropped = {*traits.drop_params, *learned.dropped}
    if traits.include_usage and "stream_options" not in dropped:
        body["stream_options"] = {"include_usage": True}
    thinking = effort_fields(request.effort, traits.effort)
    if rules_out_sampling(request.effort, traits.effort):
        dropped |= {"temperature", "top_p"}
    sampling = {"temperature": request.temperature, "top_p": request.top_p, **thinking}
    body.update({name: value for name, value in sampling.items() if value is not None and name not in dropped})
    if request.max_output_tokens is not None and traits.max_tokens_name not in dropped:
        body[traits.max_tokens_name] = request.max_output_tokens
    if dialect == "native":
        _add_tools(body, request, traits, dropped)
    if request.response_schema is not None:
        _add_schema(
            body, messages, request.response_schema, "none" if "response_format" in dropped else traits.json_schema
        )
    body.update({name: value for name, value in traits.extra_body.items() if name not in dropped})
    return body


def _add_tools(body: dict[str, Any], request: ModelRequest, traits: ModelTraits, dropped: set[str]) -> None:
    if not request.tools or traits.tools == "none" or "tools" in dropped:
        return
    speaks_choice = traits.tool_choice and "tool_choice" not in dropped
    if request.tool_choice == "none" and not speaks_choice:
        return
    body["tools"] = [_tool(tool) for tool in request.tools]
    if request.tool_choice != "auto" and speaks_choice:
        body["tool_choice"] = request.tool_choice
    if not traits.parallel_tools and "parallel_tool_calls" not in dropped:
        body["parallel_tool_calls"] = False


def _tool(tool: ToolSpec) -> dict[str, Json]:
    function = {"name": safe_name(tool.name), "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _add_schema(body: dict[str, Any], messages: list[Message], schema: Json, rung: str) -> None:
    """The ladder: strict schema, schema, any JSON object, words only."""
    if rung in ("strict", "schema"):
        schema_format = {"name": "answer", "schema": schema, **({"strict": True} if rung == "strict" else {})}
        body["response_format"] = {"type": "json_schema", "json_schema": schema_format}
        return
    if rung == "object":
        body["response_format"] = {"type": "json_object"}
    written = json.dumps(schema, ensure_ascii=False)
    sentence = f"Answer with one JSON object and nothing else. It must fit this JSON schema:\n{written}"
    # At the end, not in the system message: the beginning of the conversation stays the same for prompt caches.
    last = messages[-1] if messages else None
    if last is not None and last["role"] == "user" and isinstance(last["content"], str):
        last["content"] += f"\n\n{sentence}"
    else:
        messages.append({"role": "user", "content": sentence})
