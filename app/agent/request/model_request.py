"""Every request to a model goes through here and is recorded, so that a person can inspect it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from app.core.errors import ModelError
from app.core.run.chat_model import (
    AssistantTurn,
    Finished,
    ModelChunk,
    ModelRequest,
    ResultTurn,
    SystemTurn,
    TextDelta,
    Turn,
    Usage,
    UserTurn,
)
from app.core.run.model_call import ModelCall, bounded

from ..context import RunContext
from ..policy.privacy import WithNames, without_names

_NO_ANSWER = frozenset({"title", "summary"})
"""Purposes whose text no person reads as an answer."""


async def ask(ctx: RunContext, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
    """The stream of `ctx.services.model`. Whatever becomes of it, its calls are noted in the context.

    A guard of the agent's domain may answer in its place; names that may not leave are stand-ins in what is sent and
    in what is noted (`policy/privacy.py`).
    """
    privacy = ctx.services.privacy
    # The conversation, not the request: what the program adds to a request is no word of the person.
    if (reply := await privacy.reply_to(ctx.state.turns, ctx.request.profile)) is not None:
        text = "" if request.purpose in _NO_ANSWER else reply.text
        if text:
            yield TextDelta(text)
        yield Finished(AssistantTurn(text), "stop", Usage())
        return
    scrub = None if ctx.services.model.traits.reads_everything else await privacy.scrub()
    if scrub is None:
        async with aclosing(_noted(ctx, request)) as chunks:
            async for chunk in chunks:
                yield chunk
        return
    restored = WithNames(scrub)
    # Beside the loop: a long conversation is read by many patterns.
    async with aclosing(_noted(ctx, await asyncio.to_thread(without_names, request, scrub))) as chunks:
        async for chunk in chunks:
            for piece in restored.pieces(chunk):
                yield piece


async def _noted(ctx: RunContext, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
    model, sent, began = ctx.services.model, list[ModelCall](), time.monotonic()
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
            sent.append(_plain_call(request, finished, error=error, ms=int((time.monotonic() - began) * 1000)))
        for call in sent:
            ctx.note_model_call(replace(call, step=ctx.state.step, purpose=request.purpose, model=model.ref))


def _plain_call(request: ModelRequest, finished: Finished | None, *, error: str = "", ms: int = 0) -> ModelCall:
    """Of a model without a wire."""
    request_body = {"messages": [_told(turn) for turn in request.turns], "tools": [tool.name for tool in request.tools]}
    body, cut = bounded(json.dumps(request_body, ensure_ascii=False, default=str))
    response_body = json.dumps(_told(finished.turn), ensure_ascii=False, default=str) if finished else ""
    response, also_cut = bounded(response_body)
    finish = finished.raw_finish or finished.finish if finished else ""
    return ModelCall(body=body, response=response, finish=finish, error=error, ms=ms, cut=cut or also_cut)


def _told(turn: Turn) -> dict[str, Any]:
    match turn:
        case SystemTurn(text):
            return {"role": "system", "content": text}
        case UserTurn(text, images):
            return {"role": "user", "content": text, **({"images": len(images)} if images else {})}
        case AssistantTurn(text, reasoning, calls):
            named = [{"id": call.id, "name": call.name, "arguments": call.args} for call in calls]
            told: dict[str, Any] = {"role": "assistant", "content": text}
            return {**told, **({"reasoning": reasoning} if reasoning else {}), **({"calls": named} if named else {})}
        case ResultTurn(call_id, name, text):
            return {"role": "tool", "call_id": call_id, "name": name, "content": text}
