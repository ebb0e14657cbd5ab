"""What a reader keeps of a question for the next ones, as JSON: it travels with the answer (`Understood.state`).

So an earlier wish is known however many questions ago it was said, and "tomorrow" stays the day it was said of. A
state of another book, or none, is no state: then the earlier questions are read again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.core.text.i18n import nearest

from .intents import RuleBook
from .understanding import Understanding

VERSION = 1
LARGEST = 20_000
"""Characters of a state; one that is larger is not kept."""


def state_of(understood: Understanding, key: str) -> dict[str, Any] | None:
    """`key` names the book; None where the values cannot be written."""
    state = {
        "v": VERSION,
        "key": key,
        "language": understood.language,
        "topic": understood.topic.name if understood.topic else "",
        "carried": dict(understood.carried),
        "assumed": dict(understood.assumed),
        "memory": dict(understood.memory),
        "turns": dict(understood.turns),
        "missing": list(understood.missing),
        "last": understood.last.name if understood.last else "",
        "history": [dict(entry) for entry in understood.history],
    }
    try:
        text = json.dumps(state, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        return None
    kept: dict[str, Any] = json.loads(text)
    if len(text) > LARGEST and state["history"]:
        return state_of(replace(understood, history=()), key)
    return kept if len(text) <= LARGEST else None


def restored(state: Mapping[str, Any] | None, book: RuleBook, key: str) -> Understanding | None:
    """The understanding a state was made of, as far as later questions need it."""
    if state is None or state.get("v") != VERSION or state.get("key") != key:
        return None
    language = state.get("language")
    tables = [state.get(name) for name in ("carried", "assumed", "memory", "turns")]
    if not isinstance(language, str) or not all(isinstance(table, Mapping) for table in tables):
        return None
    carried, assumed, memory, turns = (dict(table) for table in tables if isinstance(table, Mapping))
    topic, last = (
        next((intent for intent in book.intents if intent.name == state.get(key)), None) for key in ("topic", "last")
    )
    history = state.get("history")
    return Understanding(
        question="…",
        language=nearest(language),
        slots={**assumed, **carried},
        assumed=assumed,
        said=carried,
        topic=topic,
        memory=memory,
        carried=carried,
        turns={name: turn for name, turn in turns.items() if isinstance(turn, int)},
        missing=tuple(map(str, state.get("missing") or ())),
        last=last,
        history=tuple(entry for entry in history if _is_entry(entry)) if isinstance(history, list) else (),
    )


def _is_entry(entry: object) -> bool:
    return isinstance(entry, Mapping) and all(isinstance(entry.get(key), Mapping) for key in ("carried", "memory"))
