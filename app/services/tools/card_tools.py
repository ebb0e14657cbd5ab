"""Which tools a button of a card may ask for: a payload may come from anywhere, and can offer no other."""

from __future__ import annotations

from functools import cache

from app.domains import BUILTIN


@cache
def tools_for_cards() -> frozenset[str]:
    return frozenset(tool.name for domain in BUILTIN for tool in domain.tools if tool.by_card)
