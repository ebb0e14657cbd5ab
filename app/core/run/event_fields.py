"""Checks the fields of a stored event: a damaged disk or an imported file may hold anything.

Code that shows events looks words up in tables and adds numbers, so it relies on their types.
"""

from __future__ import annotations

import ast
import dataclasses
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin

Check = Callable[[Any], bool]
_MOST = 1e15
"""Of a number: more is no count, no time and no amount."""


def check_fields(cls: type[Any], values: Mapping[str, Any]) -> None:
    """Raises TypeError for one that is of another kind than the dataclass says."""
    for name, fits in _checks(cls):  # type: ignore[arg-type]  # a class is hashable
        if name in values and not fits(values[name]):
            raise TypeError(f"{cls.__name__}.{name} cannot be {values[name]!r}"[:200])


@cache
def _checks(cls: type[Any]) -> tuple[tuple[str, Check], ...]:
    names = vars(sys.modules[cls.__module__])
    checks = ((field.name, _check(str(field.type), names)) for field in dataclasses.fields(cls))
    return tuple((name, check) for name, check in checks if check is not None)


def _check(annotation: str, names: Mapping[str, Any]) -> Check | None:
    """By annotations, which are texts in every module of ours; None for what may hold anything."""
    if annotation.endswith(" | None"):
        fits = _check(annotation.removesuffix(" | None"), names)
        return None if fits is None else lambda value: value is None or fits(value)
    if annotation in _KINDS:
        return _KINDS[annotation]
    if annotation.startswith("tuple[") and annotation.endswith(", ...]"):
        one_fits = _check(annotation[len("tuple[") : -len(", ...]")], names)
        return lambda value: isinstance(value, tuple | list) and (one_fits is None or all(map(one_fits, value)))
    if annotation.startswith("Mapping["):
        return lambda value: isinstance(value, Mapping)
    if annotation.startswith("Literal["):
        words = ast.literal_eval(f"({annotation[8:-1]},)")
    elif get_origin(names.get(annotation)) is Literal:
        words = get_args(names[annotation])
    else:
        return None
    allowed = frozenset(words)
    return lambda value: isinstance(value, str) and value in allowed


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and -_MOST < value < _MOST


_KINDS: Mapping[str, Check] = {
    "str": lambda value: isinstance(value, str),
    "ModeName": lambda value: isinstance(value, str),
    "int": _is_number,
    "float": _is_number,
    "bool": lambda value: isinstance(value, bool),
}
