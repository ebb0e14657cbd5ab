"""A run repeated from one of its calls on: the call runs first with other arguments, then the mode continues."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from app.core.run.chat_model import AssistantTurn, CallTurn
from app.core.run.events import RunEvent
from app.core.tools.tool import canonical_args

from ..context import RunContext
from ..tools.executor import Batch
from .base import Mode

DIALECT = "person"
"""Of the call: nobody but the person wrote it."""


def tried_mode(mode: Mode, tool: str, args: Mapping[str, Any]) -> Mode:
    """Through the same gate as any other call."""

    async def tried(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
        for event in ctx.enter("executing"):
            yield event
        call = CallTurn(next(ctx.services.ids), tool, canonical_args(dict(args)), dict(args))
        ctx.add(AssistantTurn(calls=(call,)))
        batch = Batch(ctx, [call], hooks=ctx.services.hooks, dialect=DIALECT)
        async for event in batch.events():
            yield event
        async with aclosing(mode.run(ctx)) as events:
            async for event in events:
                yield event

    return Mode(mode.id, tried)
