"""Patterns of rules and grants, as far as more than the gate needs to know of them."""

from __future__ import annotations

_SPECIAL = frozenset("*?[")


def exactly(text: str) -> str:
    """The pattern that matches this text and no other."""
    return "".join(f"[{char}]" if char in _SPECIAL else char for char in text)
