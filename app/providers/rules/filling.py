"""Values put into the arguments of a rule book: `"{slot}"` becomes what the slot holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.arguments.references import parse_reference

from .template import walk

Numbers = Mapping[int | str, int]
"""The number in the plan, by the number in the book and by the name of the result."""


def names_in(value: Any) -> list[str]:
    """The results that `$name.path` strings inside `value` refer to."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        return [name for item in value for name in names_in(item)]
    name = named_reference(value)[0] if isinstance(value, str) else ""
    return [name] if name else []


def named_reference(text: str) -> tuple[str, tuple[str, ...]]:
    """`"$list.data.items"` → ("list", ("data", "items")); an empty name if it is none."""
    head, *path = text[1:].split(".")
    is_name = text.startswith("$") and head.isidentifier() and head.isascii()
    return (head, tuple(path)) if is_name else ("", ())


def fill(value: Any, slots: Mapping[str, Any], numbers: Numbers) -> Any:
    """`"{slot}"` becomes the slot's value, a list inside a list is joined to it; the unknown is left out."""
    if isinstance(value, Mapping):
        filled = {key: fill(item, slots, numbers) for key, item in value.items()}
        return {key: item for key, item in filled.items() if item is not None} or None
    if isinstance(value, list):
        items: list[Any] = []
        for one in value:
            item = fill(one, slots, numbers)
            items += item if isinstance(item, list) else [] if item is None else [item]
        return items or None
    if not isinstance(value, str):
        return value
    if value.startswith("{") and value.endswith("}"):
        return walk(slots, value[1:-1].split("."))
    name, path = named_reference(value)
    if name in numbers:
        return ".".join((f"${numbers[name]}", *path))
    parsed = parse_reference(value)
    return ".".join((f"${numbers[parsed[0]]}", *parsed[1])) if parsed else value
