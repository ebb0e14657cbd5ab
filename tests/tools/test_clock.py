"""The date and the time."""

from __future__ import annotations

from datetime import date

import pytest

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext, ToolResult
from app.tools.clock import current_time


def ask(**args: str) -> ToolResult:
    result = current_time.body(ToolContext(), dict(args))
    assert isinstance(result, ToolResult)
    return result


def test_here_and_elsewhere() -> None:
    assert date.fromisoformat(ask().data["date"]).year > 2000
    there = ask(zone="Asia/Shanghai").data
    assert there["utc_offset"] == "+0800"
    assert there["date"] in ask(zone="Asia/Shanghai").summary
    assert there["weekday"] in {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "/etc/localtime", "\x00", "Asia", "x" * 5000])
def test_a_zone_nobody_knows_is_named(zone: str) -> None:
    with pytest.raises(ToolError) as caught:
        ask(zone=zone)
    assert caught.value.tool_code == "UNKNOWN_ZONE"


def test_it_is_not_answered_from_a_cache() -> None:
    assert current_time.read_only is False
