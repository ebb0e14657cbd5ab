"""An answer that is there already: of an earlier round of a run, taken by the person. No model is asked."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from app.core.run.events import RunEvent

from ..context import RunContext
from .base import Mode


def adopted_mode(id: str, answer: str) -> Mode:
    """`id`: the mode the run had."""

    async def adopt(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
        for event in ctx.enter("answering"):
            yield event
        ctx.conclude(answer, "user")

    return Mode(id, adopt)
