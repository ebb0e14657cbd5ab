"""Waiting for an answer only as long as somebody waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

_T = TypeVar("_T")


async def unless_gone(request: Request, work: Coroutine[Any, Any, _T]) -> _T:
    """Raises ClientDisconnect as soon as the client has gone; `work` is cancelled then."""
    answer, gone = asyncio.ensure_future(work), asyncio.ensure_future(_until_gone(request))
    try:
        await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise ClientDisconnect
        return answer.result()
    finally:
        for task in (answer, gone):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait((answer, gone))


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
