"""The text between two delimiters → a call, or the sentence that says why it is none.

Nothing is repaired: incomplete JSON, arguments that are no object and missing names go back to the model as an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.core.run.chat_model import Json, ToolSpec
from app.core.text.i18n import N_, Marked
from app.providers.tool_arguments import read_arguments

_NAMES: Final = ("name", "tool_name", "toolName", "function")
_ARGUMENTS: Final = ("arguments", "parameters")
_ENOUGH: Final = ("has_enough_info", "hasEnoughInfo")
_TOOLS: Final = ("tools_to_call", "toolsToCall")
_MAX_NAME: Final = 200
CALL_KEYS: Final = (*_NAMES, *_ARGUMENTS, "id", "type", "source")
"""A bare object that begins with another key is an answer in JSON."""
THINKING_KEYS: Final = (*_ENOUGH, *_TOOLS, "reasoning")
NAME_KEYS: Final = ("name", "tool_name", "toolName")


_NO_OBJECT = N_("each tool to call is an object")


@dataclass(frozen=True, slots=True)
class FoundCall:
    """A call that was written as text. `args` is None when it cannot be run; then `error` says why."""

    name: str
    args_text: str
    args: dict[str, Any] | None = None
    error: str | None = None
    wire_id: str = ""
    why: str = ""
    raw: str = ""
    """The whole markup, to be shown after all if it turns out to be quoted."""


@dataclass(frozen=True, slots=True)
class ThinkingPayload:
    """The thinking JSON: what the model thinks, and what it wants to know."""

    reasoning: str
    calls: tuple[FoundCall, ...]


def calls_of(text: str, raw: str, named: str = "") -> list[FoundCall]:
    """The calls in one JSON object, or in a list of them. With a name of its own the object is the arguments."""
    if named:
        args, error = read_arguments(text)
        return [FoundCall(named, text, args, error, raw=raw)]
    if text.startswith("["):
        wrapped, error = read_arguments(f'{{"calls":{text}}}')
        items = wrapped["calls"] if wrapped is not None else []
        if items and all(isinstance(item, dict) for item in items):
            return [call_of(item, text, raw if at == 0 else "") for at, item in enumerate(items)]
        return [FoundCall("", text, None, error or N_("the list holds no calls"), raw=raw)]
    value, error = read_arguments(text)
    if value is None:
        return [FoundCall(named_in(text), text, None, _plain(error), raw=raw)]
    return [call_of(value, text, raw)]


def call_of(value: Mapping[str, Json], text: str, raw: str = "") -> FoundCall:
    """`{name, arguments}` in its spellings, `{id, tool_name, arguments, source}` among them."""
    name, inner = name_of(value), value.get("function")
    holder = inner if isinstance(inner, dict) else value
    wire_id, why = _text(value.get("id"))[:_MAX_NAME], _text(value.get("purpose"))
    key = next((key for key in _ARGUMENTS if key in holder), "")
    args_text = text
    error: str | None
    if not name:
        args, error = None, "the call has no name"
    elif not key:
        args, error = None, "the call has no arguments; write an empty object when there are none"
    else:
        raw_args = holder[key]
        args_text = raw_args if isinstance(raw_args, str) else text
        if raw_args is None or isinstance(raw_args, dict):
            args, error = raw_args or {}, None
        elif isinstance(raw_args, str):
            args, error = read_arguments(raw_args)
        else:
            words = N_("the arguments must be one JSON object, not {kind}")
            args, error = None, Marked(words, kind=type(raw_args).__name__)
    return FoundCall(name, args_text, args, error, wire_id, why, raw)


def name_of(value: Mapping[str, Json]) -> str:
    for key in _NAMES:
        raw_name = value.get(key)
        if isinstance(raw_name, dict):
            raw_name = raw_name.get("name")
        if isinstance(raw_name, str) and raw_name.strip():
            return raw_name.strip()[:_MAX_NAME]
    return ""


def has_arguments(value: Mapping[str, Json]) -> bool:
    """Whether an object without marks around it is a call and not, say, the description of a tool."""
    inner = value.get("function")
    holder = inner if isinstance(inner, dict) else value
    return any(key in holder for key in _ARGUMENTS) and "description" not in holder


def thinking_of(value: Mapping[str, Json], text: str) -> ThinkingPayload | None:
    """None: this is another object. With enough known, the wishes for more are dropped."""
    if not any(key in value for key in (*_ENOUGH, *_TOOLS)):
        return None
    wanted = next((value[key] for key in _TOOLS if key in value), None)
    enough = any(value.get(key) is True for key in _ENOUGH)
    items = wanted if isinstance(wanted, list) and not enough else []
    calls = [
        call_of(item, text)
        if isinstance(item, dict)
        else FoundCall("", text, None, N_("each tool to call is an object"))
        for item in items
    ]
    return ThinkingPayload(_text(value.get("reasoning")), tuple(calls))


# ---------------------------------------------------------------- parameters as tags


def typed(parameters: Mapping[str, str], tool: ToolSpec | None) -> dict[str, Any]:
    """Values in the types the tool's schema asks for; what does not fit stays text, and the schema check says so."""
    properties = tool.parameters.get("properties") if tool is not None else None
    schemas = properties if isinstance(properties, Mapping) else {}
    return {key: _typed(text, schemas.get(key)) for key, text in parameters.items()}


def _typed(text: str, schema: Json) -> Any:
    kinds = _kinds(schema)
    if not kinds or "string" in kinds:
        return None if "null" in kinds and text.strip() == "null" else text
    stripped = text.strip()
    if "boolean" in kinds and stripped.lower() in ("true", "false"):
        return stripped.lower() == "true"
    wrapped, _ = read_arguments(f'{{"value":{stripped}}}') if stripped else (None, None)
    if wrapped is None or set(wrapped) != {"value"}:
        return text
    value = wrapped["value"]
    return value if _kind(value) in kinds or (_kind(value) == "integer" and "number" in kinds) else text


def _kinds(schema: Json) -> frozenset[str]:
    """The types a schema allows; those of its alternatives too."""
    if not isinstance(schema, Mapping):
        return frozenset()
    type_given = schema.get("type")
    kinds = (
        {type_given}
        if isinstance(type_given, str)
        else {k for k in type_given if isinstance(k, str)}
        if type_given
        else set()
    )
    for word in ("anyOf", "oneOf"):
        options = schema.get(word)
        for option in options if isinstance(options, list) else ():
            kinds |= _kinds(option)
    if not kinds and "$ref" in schema:
        # What does not read as one of these stays the text it is.
        return frozenset({"object", "array"})
    if not kinds and isinstance(values := schema.get("enum"), list):
        kinds = {_kind(value) for value in values}
    return frozenset(kinds)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    table = {str: "string", int: "integer", float: "number", list: "array", dict: "object"}
    return table.get(type(value), "null")


# ---------------------------------------------------------------- names in what cannot be read


def named_in(text: str) -> str:
    """The name a broken call seems to have, for the sentence that goes back to the model."""
    for key in NAME_KEYS:
        at = text.find(f'"{key}"')
        if at < 0:
            continue
        rest = text[at + len(key) + 2 :][: _MAX_NAME + 20].lstrip()
        if rest.startswith(":") and (rest := rest[1:].lstrip()).startswith('"'):
            end = rest.find('"', 1)
            if end > 0:
                return rest[1:end]
    return ""


def _plain(error: str | None) -> str:
    return error or N_("the call cannot be read")


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
