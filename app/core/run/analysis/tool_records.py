"""What earlier calls of a tool tell of the next one: how long it takes, and what its result holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..messages import Call, Message
from .run_stats import middle

ValueKind = Literal["", "text", "integer", "number", "bool", "list", "object"]
"""Of a value, as JSON has it; "" = not known."""
_MOST_FIELDS = 12
_RAN = ("ok", "error")


@dataclass(frozen=True, slots=True)
class ResultField:
    """A part of a result that a later step can refer to."""

    path: str
    """Behind the number of the step: `data.city.id`."""
    kind: ValueKind


@dataclass(frozen=True, slots=True)
class ToolRecord:
    """`calls` is what the seconds rest on."""

    seconds: float
    calls: int
    fields: tuple[ResultField, ...] = ()


def tool_seconds(messages: Iterable[Message]) -> dict[str, ToolRecord]:
    """Of every tool that ran in these answers; what came from an earlier call did not run."""
    took: dict[str, list[float]] = {}
    for message in messages:
        for part in message.parts:
            result = part.result if isinstance(part, Call) else None
            if result is not None and result.status in _RAN and not result.cached and result.age is None:
                took.setdefault(result.name, []).append(result.ms / 1_000)
    return {name: ToolRecord(middle(seconds), len(seconds)) for name, seconds in took.items()}


def kind_of(value: Any) -> ValueKind:
    match value:
        case bool():
            return "bool"
        case str():
            return "text"
        case int():
            return "integer"
        case float():
            return "number"
        case list() | tuple():
            return "list"
        case Mapping():
            return "object"
        case _:
            return ""


def result_fields(data: Any) -> tuple[ResultField, ...]:
    """The whole, its entries, and the id of a thing in it; in the order of the data."""
    fields = [ResultField("data", kind_of(data))]
    if isinstance(data, Mapping):
        for name, value in data.items():
            if not isinstance(name, str) or not name.isidentifier() or value is None:
                continue
            fields.append(ResultField(f"data.{name}", kind_of(value)))
            if isinstance(value, Mapping) and kind_of(value.get("id")) == "text":
                fields.append(ResultField(f"data.{name}.id", "text"))
    return tuple(fields[:_MOST_FIELDS])
