"""What was understood of a question, for the person to see: one `UnderstoodSlot` for each slot that counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.core.run.understood import UnderstoodSlot
from app.core.text.i18n import say_in, speaks_chinese

from .intents import RuleBook
from .template import plain
from .understanding import Understanding


def slots_of(understood: Understanding, book: RuleBook, values: Mapping[str, Any]) -> tuple[UnderstoodSlot, ...]:
    """`values`: what the templates may use, names in place of ids among them.

    In the order: what is missing, what was said, what is remembered and used, what is assumed.
    """
    return tuple(_slots(understood, book, values))


def _slots(understood: Understanding, book: RuleBook, values: Mapping[str, Any]) -> Iterator[UnderstoodSlot]:
    language, intent = understood.language, understood.intent
    needed = intent.needs if intent is not None else book.asks
    for name in needed:
        if name not in understood.slots:
            yield UnderstoodSlot(
                name,
                _label(name, book, language),
                shown=_typed(name, understood, book),
                source="unknown",
                needed=True,
                **_edited(name, book, language),
            )
    visible = [name for name in understood.said if name not in book.hidden]
    own = [name for name in visible if name in understood.own]
    counts = intent.words_used if intent is not None else frozenset(needed)
    earlier = [name for name in visible if name not in understood.own and name in counts]
    for source, names in (("said", own), ("remembered", earlier), ("assumed", list(understood.assumed))):
        for name in names:
            value = understood.slots[name]
            yield UnderstoodSlot(
                name,
                _label(name, book, language),
                value,
                _shown(values.get(f"{name}_name", value), book, language),
                source,  # type: ignore[arg-type]
                understood.turns.get(name, 0) if source != "assumed" else 0,
                needed=name in needed,
                **_edited(name, book, language, value),
            )


def _label(name: str, book: RuleBook, language: str) -> str:
    return book.words.of(language).get(name, name.replace("_", " "))


def _typed(name: str, understood: Understanding, book: RuleBook) -> str:
    """The name that the question gives and the data do not have."""
    names = (understood.own[key] for key, of in book.unknown_names.items() if of == name and key in understood.own)
    return next((str(each["typed"]) for each in names), "")


def _shown(value: Any, book: RuleBook, language: str) -> str:
    items = value if isinstance(value, list) else [value]
    words = book.words.of(language)
    return say_in(language, "{first}, {next}", first="", next="").join(
        words.get(text := plain(one), text) for one in items
    )


def _edited(name: str, book: RuleBook, language: str, value: Any = None) -> dict[str, Any]:
    """By what it is edited."""
    table = book.slots.get(name, {})
    kind = str(table.get("kind", ""))
    if kind in ("choice", "tags"):
        english = {} if speaks_chinese(language) else table.get("english", {})
        values = [english.get(one, one) for one in table["words"]]
        return {"kind": kind, "choices": tuple((one, _shown(one, book, language)) for one in values)}
    if kind:
        return {"kind": kind}
    kinds = ((bool, "flag"), (int | float, "number"), (list, "list"), (str, "text"))
    return {"kind": next((word for cls, word in kinds if isinstance(value, cls)), "text")}
