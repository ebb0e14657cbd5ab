"""The date and the time, which no model knows."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.tools.tool import ToolContext, ToolResult, tool


@tool("pure", title=N_("Date and time"), icon="clock", read_only=False)
def current_time(
    ctx: ToolContext,
    zone: Annotated[str, Field(description="IANA name such as Europe/Berlin; empty is the local zone")] = "",
) -> ToolResult:
    """The current date, weekday and time, here or in a time zone."""
    try:
        now = datetime.now(ZoneInfo(zone)) if zone else datetime.now(UTC).astimezone()
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ToolError(
            "UNKNOWN_ZONE",
            ctx.say("there is no time zone {zone}", zone=repr(zone)),
            hint=ctx.say("such as Europe/Berlin"),
        ) from error
    data = {"date": now.date().isoformat(), "time": now.strftime("%H:%M:%S"), "weekday": now.strftime("%A")}
    data["utc_offset"] = now.strftime("%z")
    return ToolResult.success(data, f"{data['date']} {data['time']} ({data['weekday']}, UTC{data['utc_offset']})")
