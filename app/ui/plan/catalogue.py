"""The tools of the agent as the plan needs them: their names, what they take and what they may touch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from app.core.text.i18n import _


class PlanTool(Protocol):
    """What the tool service tells of a tool."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def permission(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...


class ToolCatalogue:
    def __init__(self, tools: Iterable[PlanTool] = ()) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def names(self) -> list[str]:
        return list(self._tools)

    def description(self, name: str) -> str:
        return _(self._tools[name].description) if name in self._tools else ""

    def permission(self, name: str) -> str:
        """The permission class; "" for a tool that is not known, or none."""
        return self._tools[name].permission if name in self._tools else ""

    def parameters(self, name: str) -> Mapping[str, Any]:
        """Empty for a tool that is not known: its arguments are then edited as JSON."""
        return self._tools[name].parameters if name in self._tools else {}

    def takes(self, name: str) -> set[str]:
        return set(self.parameters(name).get("properties") or ())
