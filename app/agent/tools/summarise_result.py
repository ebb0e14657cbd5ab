"""A digest instead of a cut: what a long tool result says, by the same model, under the limit."""

from __future__ import annotations

from contextlib import aclosing

from app.core.errors import ModelError
from app.core.run.chat_model import Finished, ModelRequest, UserTurn

from ..context import RunContext
from ..request import prompts
from ..request.model_request import ask

LONGEST_INPUT = 60_000
"""Characters of a result that are read for its digest."""


async def summarise_result(ctx: RunContext, name: str, text: str, limit: int) -> str | None:
    """None if the model could not: the result is then cut like any other."""
    request = ModelRequest([UserTurn(prompts.digest_request(name, text[:LONGEST_INPUT], limit))], purpose="summary")
    summary = ""
    try:
        async with aclosing(ask(ctx, request)) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Finished):
                    summary = chunk.turn.text.strip()
                    if chunk.usage is not None:
                        ctx.book(chunk.usage)
    except ModelError:
        return None
    return summary[:limit] or None
