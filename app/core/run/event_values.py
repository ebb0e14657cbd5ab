"""The fixed sets of words that events carry, and an error as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ModeName = str
PhaseName = Literal["understanding", "planning", "decomposing", "approval", "executing", "answering"]
StopReason = Literal[
    "answered",
    "enough",
    "max_steps",
    "max_rounds",
    "all_duplicates",
    "saturated",
    "failures",
    "budget",
    "user",
    "clarification",
    "plan_only",
    "cut",
    "filtered",
    "fallback",
    "damaged",
]
ErrorReason = Literal["cancelled", "timeout", "api", "budget", "internal"]
BudgetScope = Literal["run", "session", "day"]
CallStatus = Literal["ok", "error", "denied", "blocked", "repeat", "interrupted", "unknown"]


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    code: str
    message: str
    hint: str = ""
    retryable: bool = False
    params: Mapping[str, Any] = field(default_factory=dict)
