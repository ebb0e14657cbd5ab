"""What a mode is: an id and an asynchronous generator of events over a run's context."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from app.core.run.events import RunEvent

from ..context import RunContext


@dataclass(frozen=True, slots=True)
class Mode:
    """`run` appends to the context and ends with `ctx.conclude(…)`, or raises."""

    id: str
    run: Callable[[RunContext], AsyncGenerator[RunEvent, None]]
    title: str = ""
    """Of a plug-in's mode, in its own words; the others have theirs in `core.run.mode`."""
