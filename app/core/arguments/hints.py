"""What a signature says beyond its types, for the forgiving reading of arguments.

    Pace = Annotated[Literal["relaxed", "packed"], Words(relaxed=("轻松", "easy"), packed=("紧凑",))]

    def plan(ctx: ToolContext, city: Annotated[str, Also("destination"), Name()], pace: Pace = "relaxed") -> ToolResult

Hints are keys that begin with `x-` in the schema that arguments are read with; the model gets the schema without them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ALSO, WORDS, UNITS, CLOCK, NAME = "x-also", "x-words", "x-units", "x-clock", "x-name"
SINGLE, GATHERS = "x-single", "x-gathers"


class Hint:
    """Metadata of `Annotated`; pydantic asks it for its part of the schema."""

    def entry(self) -> tuple[str, Any]:
        raise NotImplementedError

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        key, value = self.entry()
        return {**handler(core_schema), key: value}


@dataclass(frozen=True)
class _Also(Hint):
    names: tuple[str, ...]

    def entry(self) -> tuple[str, Any]:
        return ALSO, list(self.names)


@dataclass(frozen=True)
class _Words(Hint):
    words: tuple[tuple[str, tuple[str, ...]], ...]

    def entry(self) -> tuple[str, Any]:
        return WORDS, {value: list(words) for value, words in self.words}


@dataclass(frozen=True)
class _Units(Hint):
    units: tuple[str, ...]

    def entry(self) -> tuple[str, Any]:
        return UNITS, list(self.units)


@dataclass(frozen=True)
class _Clock(Hint):
    def entry(self) -> tuple[str, Any]:
        return CLOCK, True


@dataclass(frozen=True)
class _Name(Hint):
    tails: tuple[str, ...]

    def entry(self) -> tuple[str, Any]:
        return NAME, list(self.tails)


@dataclass(frozen=True)
class _Single(Hint):
    field: str

    def entry(self) -> tuple[str, Any]:
        return SINGLE, self.field


@dataclass(frozen=True)
class _Gathers(Hint):
    fields: tuple[str, ...]

    def entry(self) -> tuple[str, Any]:
        return GATHERS, list(self.fields)


def Also(*names: str) -> Hint:  # noqa: N802  written where a class would stand
    """Other names of this field that models use."""
    return _Also(names)


def Words(table: Mapping[str, tuple[str, ...]] | None = None, /, **words: tuple[str, ...]) -> Hint:  # noqa: N802
    """How the values of a choice, or some numbers, are called: labels and synonyms, in any language."""
    return _Words(tuple({**(table or {}), **words}.items()))


def Units(*units: str) -> Hint:  # noqa: N802
    """What may be behind the number, or as a sign before it: 天, days, 元, ¥, %."""
    return _Units(units)


def Clock() -> Hint:  # noqa: N802
    """A time of day as HH:MM."""
    return _Clock()


def Name(*tails: str) -> Hint:  # noqa: N802
    """The name of a thing: spaces around it and full-width letters do not count, nor one of these endings."""
    return _Name(tails)


def Single(field: str) -> Hint:  # noqa: N802
    """A value that is no object is this field of it: `2` for `{"adults": 2}`."""
    return _Single(field)


def Gathers(*fields: str) -> Hint:  # noqa: N802
    """Fields of this object that models write beside it: `adults` for `party.adults`."""
    return _Gathers(fields)


def without_hints(schema: Any) -> Any:
    """The schema as it is offered to a model."""
    if isinstance(schema, list):
        return [without_hints(item) for item in schema]
    if isinstance(schema, dict):
        return {key: without_hints(value) for key, value in schema.items() if not key.startswith("x-")}
    return schema
