"""The metadata of a result: its source, its date, and whether it is an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.core.tools.tool import ToolContext


def origin(sources: Sequence[str], *, estimate: bool, as_of: str | None = None, **more: Any) -> dict[str, Any]:
    """The `meta` of a result: `ToolResult.success(data, summary, **origin(["triptych"], estimate=True))`."""
    dated = {"as_of": as_of} if as_of else {}
    return {"estimate": estimate, "source": list(sources), **dated, **more}


def reference_note(ctx: ToolContext, as_of: str) -> str:
    """The line below facts that may have changed."""
    return ctx.say("Reference · {as_of} · check the official source", as_of=as_of)
