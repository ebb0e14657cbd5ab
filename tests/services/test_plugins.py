"""Plug-ins by entry points: what is good joins, what is broken is named."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint
from typing import Any

from app.agent.modes import Mode
from app.agent.modes.react import react
from app.core.tool import ToolContext, ToolResult, tool
from app.services.plugins import load_plugins


@tool("pure")
def shout(ctx: ToolContext, text: str) -> ToolResult:
    """Say it louder."""
    return ToolResult.success(text.upper())


class Levels:
    """A customer level in one form, and no prices for the model."""

    @staticmethod
    def before_tool_call(name: str, args: dict[str, Any]) -> dict[str, Any] | None:
        return None if name == "forbidden" else {**args, "level": "B"}

    @staticmethod
    def after_tool_call(name: str, args: dict[str, Any], observation: str) -> str:
        return observation.replace("9.99", "***")


SLOW_MODE = Mode("slow", react)


def points(**named: str) -> Any:
    """Entry points of one group each: `tools="module:NAME"`."""

    def find(group: str) -> Iterable[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in named.items() if group.endswith(name.split("_")[0])]

    return find


def test_tools_hooks_and_modes_join() -> None:
    here = __name__
    found = load_plugins(points(tools=f"{here}:shout", hooks=f"{here}:Levels", modes=f"{here}:SLOW_MODE"))
    assert found.faults == []
    assert [each.name for each in found.tools] == ["shout"]
    assert [mode.id for mode in found.modes] == ["slow"]
    assert found.hooks.change_args("match", {"n": 1}) == {"n": 1, "level": "B"}
    assert found.hooks.change_args("forbidden", {}) is None
    assert found.hooks.change_observation("match", {}, "price 9.99") == "price ***"


def test_a_broken_plug_in_is_named_and_the_others_work() -> None:
    here = __name__
    found = load_plugins(
        points(tools_gone="no_such_package:TOOLS", tools_wrong=f"{here}:SLOW_MODE", tools_good=f"{here}:shout")
    )
    assert [each.name for each in found.tools] == ["shout"]
    assert sorted(fault.name for fault in found.faults) == ["tools_gone", "tools_wrong"]
    assert "ModuleNotFoundError" in next(fault.why for fault in found.faults if fault.name == "tools_gone")
