"""Caches results of tools with a `ttl` across the runs of an agent: in memory, bounded, for as long as the tool says.

Only calls of an untainted run are cached and looked up (`may_keep`): arguments that foreign text may have shaped, or
that hold private text, are always executed. Only successes are cached.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from app.core.system.clock import CLOCK, Clock
from app.core.tools.tool import Tool, ToolResult, canonical_args

from .taint import Taint

MOST = 100
"""Results of one agent; the one that was not asked for longest goes first."""
LONGEST = 100_000
"""Characters of one result."""

_Key = tuple[str, str, str, str]


def may_keep(tool: Tool, args: Mapping[str, Any], taint: Taint) -> bool:
    return tool.ttl > 0 and tool.read_only and not taint.sources and not taint.shared_with(args)


class ResultCache:
    """One for the program; agents do not see each other's."""

    def __init__(self, clock: Clock = CLOCK) -> None:
        self._clock = clock
        self._of: dict[str, OrderedDict[_Key, tuple[float, ToolResult]]] = {}

    def find(self, agent: str, tool: Tool, args: Mapping[str, Any], language: str) -> tuple[ToolResult, float] | None:
        """The result and its age in seconds; None where there is none that is young enough."""
        results = self._of.get(agent, OrderedDict())
        key = _key(tool, args, language)
        if key not in results:
            return None
        since, result = results[key]
        age = max(self._clock.monotonic() - since, 0.0)
        if age >= tool.ttl:
            del results[key]
            return None
        results.move_to_end(key)
        return result, age

    def keep(self, agent: str, tool: Tool, args: Mapping[str, Any], language: str, result: ToolResult) -> None:
        """A later one takes the place of an earlier one. A substitute for what could not be asked is not kept."""
        if not result.ok or result.is_private or result.meta.get("substitute") or len(result.for_model()) > LONGEST:
            return
        results = self._of.setdefault(agent, OrderedDict())
        key = _key(tool, args, language)
        results[key] = (self._clock.monotonic(), result)
        results.move_to_end(key)
        while len(results) > MOST:
            results.popitem(last=False)


def _key(tool: Tool, args: Mapping[str, Any], language: str) -> _Key:
    return tool.name, tool.origin, language, canonical_args(args)
