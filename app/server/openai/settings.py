"""Fields of a request of the OpenAI protocol that are settings of the agent for this run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import bad_request
from ..request_body import field, number

_EFFORTS = {"none": "off", "minimal": "low", "low": "low", "medium": "medium", "high": "high", "xhigh": "high"}
_NUMBERS = ("temperature", "top_p")
_LIMITS = ("max_completion_tokens", "max_tokens", "max_output_tokens")


def overrides_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """Raises ApiError 400. Fields that have no counterpart are passed over, as clients expect."""
    overrides: dict[str, Any] = {name: value for name in _NUMBERS if (value := number(body, name)) is not None}
    if limits := [limit for name in _LIMITS if (limit := field(body, name, int, 0)) > 0]:
        overrides["max_output_tokens"] = limits[0]
    if body.get("parallel_tool_calls") is False:
        overrides["parallel_tool_calls"] = False
    reasoning = field(body, "reasoning", dict, {})
    effort = body.get("reasoning_effort") or reasoning.get("effort")
    if effort is not None:
        if not isinstance(effort, str) or effort not in _EFFORTS:
            raise bad_request(f"reasoning effort is one of {', '.join(_EFFORTS)}", "reasoning_effort")
        overrides["reasoning_effort"] = _EFFORTS[effort]
    text_format = field(body, "text", dict, {}).get("format")
    if schema := _schema(body.get("response_format") or text_format):
        overrides["output_schema"] = schema
    return overrides


def _schema(wanted: Any) -> dict[str, Any] | None:
    if not isinstance(wanted, dict) or wanted.get("type") in (None, "text"):
        return None
    if wanted["type"] == "json_object":
        return {"type": "object"}
    holder = wanted.get("json_schema", wanted)
    schema = holder.get("schema") if isinstance(holder, dict) else None
    if wanted["type"] != "json_schema" or not isinstance(schema, dict):
        raise bad_request("response_format is text, json_object or json_schema with a schema", "response_format")
    return schema
