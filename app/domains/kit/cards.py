"""Cards that cannot be built wrong: an answer with its summary and buttons, facts by label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from app.core.tools.card import ANSWER, MOST_ACTIONS, Card, CardAction

SUMMARY_LINES = 2


def key_values_card(title: str, facts: Mapping[str, object] | Iterable[tuple[str, object]]) -> Card:
    """Facts in their order; what is empty is left out."""
    pairs = facts.items() if isinstance(facts, Mapping) else facts
    items = [{"label": label, "value": str(value)} for label, value in pairs if value not in (None, "")]
    return Card("key_values", {"title": title, "items": items})


def as_answer(
    card: Card, summary: str, actions: Iterable[CardAction] = (), shared: Mapping[str, Any] | None = None
) -> Card:
    """What the person asked for. Raises ValueError for a summary of more than two lines, for two buttons of one id,
    for a line of the card that names a button which is not there, and for a button that takes what is not shared."""
    buttons = tuple(actions)
    ids = [action.id for action in buttons]
    lines = summary.splitlines()
    if not 0 < len(lines) <= SUMMARY_LINES:
        raise ValueError(f"an answer has a summary of one or {SUMMARY_LINES} lines, this one {len(lines)}")
    if twice := sorted({id for id in ids if ids.count(id) > 1}):
        raise ValueError(f"two buttons are called {', '.join(twice)}")
    if len(ids) > MOST_ACTIONS:
        raise ValueError(f"a card has at most {MOST_ACTIONS} buttons, this one {len(ids)}")
    if absent := sorted(_named_buttons(card.payload) - set(ids)):
        raise ValueError(f"there is no button {', '.join(absent)}")
    if absent := sorted({name for action in buttons for name in action.takes} - (shared or {}).keys()):
        raise ValueError(f"nothing of the name {', '.join(absent)} is shared by the buttons")
    return replace(card, role=ANSWER, summary=summary, actions=buttons, shared=shared or {})


def _named_buttons(payload: Any) -> set[str]:
    """Ids in the `actions` of its items."""
    if isinstance(payload, list):
        return {id for item in payload for id in _named_buttons(item)}
    if not isinstance(payload, Mapping):
        return set()
    named = payload.get("actions")
    own = {id for id in named if isinstance(id, str)} if isinstance(named, list) else set()
    return own | {id for value in payload.values() for id in _named_buttons(value)}
