"""What a single value is, and whether two are the same, as JSON Schema counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeGuard

from .work import WorkLimit

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (dict,), "array": (list, tuple), "string": (str,), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


def is_of(name: Any, value: Any) -> bool:
    if name == "integer":
        return is_number(value) and (isinstance(value, int) or value.is_integer())
    if name == "number":
        return is_number(value)
    expected = _TYPES.get(name) if isinstance(name, str) else None
    return expected is None or isinstance(value, expected)


def is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_multiple(value: float, step: float) -> bool:
    if isinstance(value, int) and isinstance(step, int):
        return value % step == 0
    try:
        parts = value / step
    except (OverflowError, ZeroDivisionError):
        return True
    return abs(parts) > 1e15 or parts == int(parts)


def type_of(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}
    return names.get(type(value), "null")


def short(value: Any, most: int) -> str:
    """The beginning of it as JSON; a long list is not written out for that."""
    if isinstance(value, list):
        value = value[:20]
    if isinstance(value, str):
        value = value[:most]
    return json.dumps(value, ensure_ascii=False, default=str)[:most]


def same(one: Any, other: Any, work: WorkLimit) -> bool:
    """1 is 1.0, and true is not 1. Raises TooMuchWork."""
    work.spend()
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(inner, other[key], work) for key, inner in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(same(a, b, work) for a, b in zip(one, other, strict=True))
    if isinstance(one, str) and isinstance(other, str):
        work.spend(min(len(one), len(other)) // 1_000)
    return bool(one == other)


def canonical(value: Any, work: WorkLimit) -> Any:
    """Something hashable, the same for values that are the same. Raises TooMuchWork."""
    work.spend()
    if isinstance(value, Mapping):
        return ("object", frozenset((key, canonical(inner, work)) for key, inner in value.items()))
    if isinstance(value, list | tuple):
        return ("array", tuple(canonical(inner, work) for inner in value))
    return (isinstance(value, bool), value)
