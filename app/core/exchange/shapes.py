"""Whether a fact read from a file has the types its class names: nothing else may reach the window."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def misfits(fact: Any) -> str:
    """The first field of the dataclass `fact` that is of another type than declared; "" = none."""
    for name, hint in _hints(type(fact)).items():
        if not _fits(getattr(fact, name), hint):
            return f"{type(fact).__name__}.{name}"
    return ""


_HINTS: dict[type[Any], dict[str, Any]] = {}


def _hints(cls: type[Any]) -> dict[str, Any]:
    if cls not in _HINTS:
        hints = get_type_hints(cls)
        _HINTS[cls] = {field.name: hints[field.name] for field in dataclasses.fields(cls)}
    return _HINTS[cls]


def _fits(value: Any, hint: Any) -> bool:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin in (Union, types.UnionType):
        return any(_fits(value, one) for one in args)
    if origin is Literal:
        return isinstance(value, str) and value in args
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(item, args[0]) for item in value)
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(isinstance(key, str) for key in value)
    if hint is type(None):
        return value is None
    if dataclasses.is_dataclass(hint):
        return isinstance(value, hint if isinstance(hint, type) else type(hint)) and not misfits(value)
    if hint is float:
        return isinstance(value, float | int) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)
