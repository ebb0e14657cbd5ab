"""Reads a row as the types its class names.

On a failing disk a column of SQLite may hold anything: a flipped bit turns a time into a text, a text into bytes, a
date into one of the year 10^30. A value of the wrong type becomes the empty value of its type, so that one bad row
hides no others and no caller gets a type it does not expect; `check_everything` reports the row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")

_LATEST = 253_402_214_400.0
"""The end of the year 9999, a day early: every time zone can show it."""
_EARLIEST = -62_135_510_400.0
"""The second day of the year 1."""


def row_of(kind: type[T], values: Iterable[Any]) -> T:
    """An instance of the dataclass `kind`; `values` are in the order of its fields, the last ones may be missing."""
    fits: tuple[Callable[[Any], Any], ...] = _fits(kind)  # type: ignore[arg-type]  # a class is hashable
    return kind(*[fit(value) for fit, value in zip(fits, values, strict=False)])


def text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def moment(value: Any) -> float:
    """Seconds since 1970, or a length of time; 0 for what is neither."""
    if isinstance(value, float | int) and _EARLIEST < value < _LATEST:
        return float(value)
    return 0.0


def number(value: Any) -> int:
    if isinstance(value, int):
        return int(value)
    return int(value) if isinstance(value, float) and abs(value) < _LATEST else 0


def _flag(value: Any) -> bool:
    return bool(value)


def _as_it_is(value: Any) -> Any:
    return value


def _or_none(fit: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else fit(value)


_FITS: dict[str, Callable[[Any], Any]] = {"str": text, "float": moment, "int": number, "bool": _flag}
_FITS |= {f"{name} | None": _or_none(fit) for name, fit in _FITS.items()}


@cache
def _fits(kind: Any) -> tuple[Callable[[Any], Any], ...]:
    """By the annotations, which are texts in every module of ours."""
    return tuple(_FITS.get(str(field.type), _as_it_is) for field in fields(kind))
