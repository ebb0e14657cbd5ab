"""A tool is a typed function; the decorator makes its schema from the signature."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool


@tool("pure")
def frost_risk(ctx: ToolContext, degrees: Annotated[float, Field(ge=-90, le=60)]) -> ToolResult:
    """How likely frost is at a forecast temperature in degrees Celsius."""
    share = min(1.0, max(0.0, (4.0 - degrees) / 8.0))
    card = Card("gauge", {"title": "Frost", "share": share})
    return ToolResult.success({"risk": round(share, 2)}, f"risk of frost {share:.0%}", display=card)


TOOLS = (frost_risk,)
