"""Checks that every slot a rule book uses is filled by one of its readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from .intents import Intent, RuleBook
from .understanding import CONTINUED, UNDONE

_TABLES = frozenset({"said", "own", "assumed"})
"""Before a slot: what the session said, what this question said, what was assumed."""


def first_unknown_slot(book: RuleBook) -> tuple[str, str] | None:
    """Where the book names a slot that is not there, and what is wrong."""
    slots = known_slots(book)
    lists = {"inherit": book.inherit, "asks": book.asks, "follow_up.facts": book.facts, "follow_up.plain": book.plain}
    lists |= {"withdraw.slots": tuple(book.withdraw.names), "follow_up.bound": book.bound}
    uses = [(place, name) for place, names in lists.items() for name in names]
    uses += [(f"intent {intent.name}, {place}", name) for intent in book.intents for place, name in _uses(intent)]
    return next(((place, f"no reader fills the slot {name}") for place, name in uses if name not in slots), None)


def known_slots(book: RuleBook) -> frozenset[str]:
    """What readers fill, what is reckoned and remembered, and what intents put together."""
    names = {*book.shares, *book.recall, "style", "question", CONTINUED, UNDONE}
    for name, table in book.slots.items():
        values = {"name": name, **{key: value for key, value in table.items() if isinstance(value, str)}}
        for pattern in book.kinds[table["kind"]].gives:
            if all(field is None or field in values for _text, field, _spec, _conversion in Formatter().parse(pattern)):
                names.add(pattern.format(**values))
    for intent in book.intents:
        names |= {*intent.lets, *([intent.keeps] if intent.keeps else ())}
    return frozenset(names)


def _uses(intent: Intent) -> Iterator[tuple[str, str]]:
    for place in ("needs", "has", "any", "among", "lacks", "drops"):
        yield from ((place, name) for name in getattr(intent, place))
    yield from (("defaults", name) for name in intent.defaults)
    yield from (("let", name) for name in _heads(intent.lets))
    for call in intent.calls:
        yield from ((f"call {call.name}, args", name) for name in _heads(call.args))
        for place in ("when", "all", "unless"):
            yield from ((f"call {call.name}, {place}", _head(path)) for path in getattr(call, place))


def _heads(value: Any) -> Iterator[str]:
    """The slots that `"{slot.path}"` strings inside `value` name."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _heads(item)
    elif isinstance(value, str) and value.startswith("{") and value.endswith("}"):
        yield _head(value[1:-1])


def _head(path: str) -> str:
    first, _dot, rest = path.partition(".")
    return rest.partition(".")[0] if first in _TABLES and rest else first
