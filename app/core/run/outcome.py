"""How a run ended: one table from stop reason or error reason to message state and exit code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .events import LoopEnd, Terminal

MessageState = Literal["pending", "streaming", "complete", "stopped", "cut", "filtered", "interrupted", "failed"]
UNFINISHED: tuple[MessageState, ...] = ("pending", "streaming")


@dataclass(frozen=True, slots=True)
class RunOutcome:
    state: MessageState
    exit_code: int
    can_continue: bool = False
    """Whether "Continue" makes sense: there is text, and it is not whole."""


_ENDS: Mapping[str, RunOutcome] = {
    "answered": RunOutcome("complete", 0),
    "enough": RunOutcome("complete", 0),
    "max_steps": RunOutcome("complete", 0),
    "max_rounds": RunOutcome("complete", 0),
    "all_duplicates": RunOutcome("complete", 0),
    "saturated": RunOutcome("complete", 0),
    "failures": RunOutcome("complete", 0),
    "budget": RunOutcome("complete", 4),
    "user": RunOutcome("complete", 0),
    "clarification": RunOutcome("complete", 0),
    "plan_only": RunOutcome("complete", 0),
    "cut": RunOutcome("cut", 0, can_continue=True),
    "filtered": RunOutcome("filtered", 1),
    "fallback": RunOutcome("complete", 0),
    "damaged": RunOutcome("interrupted", 1, can_continue=True),
}
INTERRUPTED = "INTERRUPTED"
"""The error code of a run whose process ended before it did."""

_CANCELLED = RunOutcome("stopped", 4, can_continue=True)
_BUDGET = RunOutcome("stopped", 4, can_continue=True)
_INTERRUPTED = RunOutcome("interrupted", 1, can_continue=True)
_FAILED = RunOutcome("failed", 1)
_REFUSED = RunOutcome("failed", 5)


def exit_code_of(reason: str) -> int:
    """Of a stop reason; of the code of an error 1."""
    return _ENDS[reason].exit_code if reason in _ENDS else 1


def outcome_of(end: Terminal) -> RunOutcome:
    if isinstance(end, LoopEnd):
        return _ENDS[end.stop_reason]
    if end.reason == "cancelled":
        return _CANCELLED
    if end.reason == "budget":
        return _BUDGET
    if end.error.code == "DENIED":
        return _REFUSED
    return _INTERRUPTED if end.partial or end.error.code == INTERRUPTED else _FAILED
