"""How a model that is no server streams: a text in small pieces, and what it has said so far.

Used by the scripted and the rule model; the pieces are small enough to be seen arriving.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

from app.core.ids import new_id
from app.core.run.chat_model import CallTurn, ReasoningDelta, TextDelta

from .tool_arguments import read_arguments

PIECE = 12
"""Characters of a piece; a piece ends early behind a line break."""


def pieces(text: str, size: int = PIECE) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        line_end = text.find("\n", start, end)
        if line_end != -1:
            end = line_end + 1
        yield text[start:end]
        start = end


async def say(text: str, *, pace: float = 0.0) -> AsyncIterator[TextDelta]:
    async for piece in _paced(text, pace):
        yield TextDelta(piece)


async def think(text: str, *, pace: float = 0.0) -> AsyncIterator[ReasoningDelta]:
    async for piece in _paced(text, pace):
        yield ReasoningDelta(piece)


async def _paced(text: str, pace: float) -> AsyncIterator[str]:
    for piece in pieces(text):
        yield piece
        # Also a pace of 0 lets others run, so that a long answer can be stopped.
        await asyncio.sleep(pace)


def make_call(name: str, arguments: dict[str, Any] | str) -> CallTurn:
    """A call as a provider would read it: arguments that are no JSON object carry an error."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    args, error = read_arguments(text)
    return CallTurn(id=new_id(), name=name, args_text=text, args=args, error=error)
