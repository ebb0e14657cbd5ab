"""Readwise's export by its API: GET /api/v2/export/, page after page, with the person's token."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

from app.core.errors import ToolError
from app.core.http import HttpRequest, WebClient, pause_asked, seconds_named
from app.core.text.i18n import N_

from .read import Highlight, of_books

ADDRESS = "https://readwise.io"
MOST_PAGES = 200
LONGEST_PAUSE = 70.0


async def export(
    http: WebClient,
    address: str,
    token: str,
    *,
    since: str = "",
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> list[Highlight]:
    """Raises ToolError AUTH, RATE_LIMITED, UPSTREAM."""
    found: list[Highlight] = []
    cursor, pauses = "", 0
    address = address.rstrip("/")
    for _page in range(MOST_PAGES):
        params = {key: value for key, value in (("pageCursor", cursor), ("updatedAfter", since)) if value}
        url = f"{address}/api/v2/export/" + (f"?{urlencode(params)}" if params else "")
        headers = {"Authorization": f"Token {token}"}
        reply = await http.send(HttpRequest(url, headers, own_address=address != ADDRESS))
        if reply.status == 429 and pauses < 3:
            pauses += 1
            named = seconds_named(reply.retry_after)
            if (seconds := 10.0 if named is None else named) <= LONGEST_PAUSE:
                await sleep(seconds)
                continue
        if reply.status in (401, 403):
            raise ToolError(
                "AUTH", N_("Readwise does not take the token"), hint=N_("a token is had at readwise.io/access_token")
            )
        if reply.status == 429:
            raise pause_asked("Readwise", reply.retry_after, "HTTP 429")
        try:
            body = json.loads(reply.body) if reply.status == 200 else None
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            message = N_("{service} answered with HTTP {status}")
            raise ToolError("UPSTREAM", message, values={"service": "Readwise", "status": reply.status})
        found += of_books(body)
        cursor = str(body.get("nextPageCursor") or "")
        if not cursor:
            break
    return found
