"""Every request to a model goes through here, so that each one can be looked at afterwards."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from app.core.chat_model import Finished, ModelChunk, ModelRequest
from app.core.errors import ModelError
from app.core.model_call import ModelCall, plain_call

from .context import RunContext


async def ask(ctx: RunContext, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
    """The stream of `ctx.model`. Whatever becomes of it, its calls are noted in the context."""
    model, sent, began = ctx.model, list[ModelCall](), time.monotonic()
    finished: Finished | None = None
    error = "stopped before it was whole"
    try:
        async with aclosing(model.stream(replace(request, record=sent.append))) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Finished):
                    finished, error = chunk, ""
                yield chunk
    except ModelError as failure:
        error = f"{failure.code}: {failure.message}"
        raise
    finally:
        if not sent:
            sent.append(plain_call(request, finished, error=error, ms=int((time.monotonic() - began) * 1000)))
        for call in sent:
            ctx.note_model_call(replace(call, step=ctx.step, purpose=request.purpose, model=model.ref))
