"""What a tool result shows: a card kind and its payload, as data.

A payload is JSON. It is stored with the result and drawn again from there, never from model
text. Kinds and the keys every renderer, export and preview can count on:

    table        {title?, columns: [{key, label, align?}], rows: [{key: value}], chart?}
    key_values   {title?, items: [{label, value, note?}]}
    timeline     {title?, groups: [{label, sub?, items: [{time?, end?, title, text?, icon?, warn?}]}], map?}
    map          {title?, points: [{lat, lon, label, group?}], legs?: [{from, to, km}]}
    chart        {title?, kind: pie|bar|line|radar, series: [{label, value}] or [{name, points}]}
    checklist    {title?, items: [{text, state: ok|warn|error|todo, hint?, action?}]}
    diff         {title?, path, hunks: [{id?, old, new, status?}]}
    gallery      {title?, items: [{title, sub?, score?, chips?: [str], text?, image?: att:…}]}
    document     {title?, markdown}
    choice       {title?, question, options: [{id, label, note?}]}
    sources      {title?, items: [{n, title, url?, note?}]}
    progress     {title?, value, total, text?}

To add a kind: one line here, one renderer in ui/cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

CardKind = Literal[
    "table",
    "key_values",
    "timeline",
    "map",
    "chart",
    "checklist",
    "diff",
    "gallery",
    "document",
    "choice",
    "sources",
    "progress",
]
CARD_KINDS: frozenset[str] = frozenset(get_args(CardKind))


@dataclass(frozen=True, slots=True)
class Card:
    kind: CardKind | str
    """A plug-in's tool may name a kind that the same package draws (`triptych.cards`)."""
    payload: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {"card": self.kind, "payload": dict(self.payload)}
