"""The agent side over our own standard streams, until the editor closes them."""

from __future__ import annotations

import asyncio

from acp.core import AgentSideConnection
from acp.stdio import stdio_streams

from app.core.system.json_lines import JsonLines

from .agent import EditorAgent
from .parts import AcpParts


async def serve_stdio(parts: AcpParts, agent: str = "") -> str:
    """Standard output belongs to the protocol. Returns as `serve`."""
    return await serve(parts, JsonLines(*await stdio_streams()), agent)


async def serve(parts: AcpParts, lines: JsonLines, agent: str = "") -> str:
    """What runs for the editor is stopped when it goes. Returns a sentence where something else ended it."""
    served = EditorAgent(parts, agent)
    connection = AgentSideConnection(served, lines, listening=False)  # type: ignore[arg-type]  # found by method names
    try:
        await connection.listen()
    finally:
        await asyncio.shield(served.close())
        await asyncio.shield(connection.close())
    return lines.why
