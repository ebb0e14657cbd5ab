"""A domain: the tools of a trade, and a folder with the agent that has it and the rules it answers by offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from app.core.domain import Domain
from app.core.errors import ToolError
from app.core.tools.tool import ToolContext, ToolResult, tool

_CARE = {"rose": "full sun, water deeply once a week", "fern": "shade, the soil always moist"}


@tool("pure")
def care_of(ctx: ToolContext, plant: Annotated[str, Field(max_length=80)]) -> ToolResult:
    """What a plant needs."""
    if plant not in _CARE:
        raise ToolError("UNKNOWN_PLANT", f"nothing is known of {plant}", hint=f"known: {', '.join(_CARE)}")
    return ToolResult.success({"plant": plant, "care": _CARE[plant], "where": "secret bed"}, f"{plant}: {_CARE[plant]}")


DOMAIN = Domain("garden", (care_of,), Path(__file__).parent / "resources")
