"""What a site's robots.txt says of an address. It is only reported: the person asked for the page, not a crawler."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

from app.core.errors import ToolError
from app.core.http import WebClient

AGENT = "Triptych"
LONGEST = 500_000
SECONDS = 5.0


async def asks_not_to(http: WebClient, url: str) -> bool:
    """False also where there is no such file, or none that can be read."""
    parts = urlsplit(url)
    try:
        async with asyncio.timeout(SECONDS):
            reply = await http.get(f"{parts.scheme}://{parts.netloc}/robots.txt", longest=LONGEST)
    except (ToolError, TimeoutError):
        return False
    if reply.status != 200 or b"<html" in reply.body[:500].lower():
        return False
    rules = RobotFileParser()
    rules.parse(reply.body.decode("utf-8", "replace").splitlines()[:5_000])
    return not rules.can_fetch(AGENT, url)
