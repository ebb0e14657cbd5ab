"""What of a conversation an export shows; JSON always has everything."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Include:
    reasoning: bool = True
    tools: bool = True
    """That a tool was called, and with what."""
    results: bool = True
    """What it returned."""
    cost: bool = True
    """Model, tokens and seconds of each answer."""
