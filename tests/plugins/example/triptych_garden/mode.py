"""A mode is an id and an asynchronous generator of events over the context of a run."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from app.agent.context import RunContext
from app.agent.modes import Mode
from app.core.run.events import RunEvent, Token


async def echo(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    answer = f"You said: {ctx.request.query}"
    yield Token(ctx.state.step, answer)
    ctx.conclude(answer, "answered")


ECHO = Mode("echo", echo, title="Echo")
