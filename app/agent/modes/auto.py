"""Auto: chooses a mode by the words of the question, reports which and why, and runs it."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from app.core.run.events import ModeSelected, RunEvent

from ..context import RunContext
from .base import Mode
from .direct import DIRECT
from .intent import choose_mode
from .plan import PLAN
from .react import REACT

_BY_ID = {mode.id: mode for mode in (DIRECT, REACT, PLAN)}


async def auto(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    choice = choose_mode(ctx.request.query, ctx.request.profile.default_mode, ctx.request.mode_words)
    mode = _BY_ID.get(choice.mode, REACT)
    yield ModeSelected(mode.id, choice.reason, choice.matched)
    async for event in mode.run(ctx):
        yield event


AUTO = Mode("auto", auto)
