"""How a run ended: one table from stop reason or error reason to message state and exit code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .events import LoopEnd, Terminal

MessageState = Literal["pending", "streaming", "complete", "stopped", "cut", "filtered", "interrupted", "failed"]
UNFINISHED: tuple[MessageState, ...] = ("pending", "streaming")


@dataclass(frozen=True, slots=True)
class Outcome:
    state: MessageState
    exit_code: int
    can_continue: bool = False
    """Whether "Continue" makes sense: there is text, and it is not whole."""


_ENDS: Mapping[str, Outcome] = {
    "answered": Outcome("complete", 0),
    "enough": Outcome("complete", 0),
    "max_steps": Outcome("complete", 0),
    "max_rounds": Outcome("complete", 0),
    "all_duplicates": Outcome("complete", 0),
    "saturated": Outcome("complete", 0),
    "failures": Outcome("complete", 0),
    "budget": Outcome("complete", 4),
    "user": Outcome("complete", 0),
    "clarification": Outcome("complete", 0),
    "plan_only": Outcome("complete", 0),
    "cut": Outcome("cut", 0, can_continue=True),
    "filtered": Outcome("filtered", 1),
    "fallback": Outcome("complete", 0),
    "damaged": Outcome("interrupted", 1, can_continue=True),
}
INTERRUPTED = "INTERRUPTED"
"""The error code of a run whose process ended before it did."""

_CANCELLED = Outcome("stopped", 4, can_continue=True)
_BUDGET = Outcome("stopped", 4, can_continue=True)
_INTERRUPTED = Outcome("interrupted", 1, can_continue=True)
_FAILED = Outcome("failed", 1)
_REFUSED = Outcome("failed", 5)


def exit_code_of(reason: str) -> int:
    """Of a stop reason; of the code of an error 1."""
    return _ENDS[reason].exit_code if reason in _ENDS else 1


def outcome_of(end: Terminal) -> Outcome:
    if isinstance(end, LoopEnd):
        return _ENDS[end.stop_reason]
    if end.reason == "cancelled":
        return _CANCELLED
    if end.reason == "budget":
        return _BUDGET
    if end.error.code == "DENIED":
        return _REFUSED
    return _INTERRUPTED if end.partial or end.error.code == INTERRUPTED else _FAILED
