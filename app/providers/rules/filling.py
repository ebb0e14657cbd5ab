"""Values put into the arguments of a rule book: `"{slot}"` becomes what the slot holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.plan import parse_reference

from .template import walk


def fill(value: Any, slots: Mapping[str, Any], numbers: Mapping[int, int]) -> Any:
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
    parsed = parse_reference(value)
    return ".".join((f"${numbers[parsed[0]]}", *parsed[1])) if parsed else value
