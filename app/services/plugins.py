"""What installed packages add, by entry points: tools, hooks, modes.

    [project.entry-points."triptych.tools"]
    weather = "my_package:TOOLS"        # a Tool or several
    [project.entry-points."triptych.hooks"]
    levels = "my_package:hooks"         # before_tool_call(name, args), after_tool_call(name, args, obs), or both
    [project.entry-points."triptych.modes"]
    debate = "my_package:MODE"          # a Mode

A plug-in that cannot be loaded, or is not what its group says, is named and left out; the
others work. Plug-ins are code the person has installed: they run with the program's rights.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from app.agent.hooks import Hooks
from app.agent.modes import Mode
from app.core.tool import Tool

log = logging.getLogger(__name__)

GROUPS = ("tools", "hooks", "modes")


@dataclass(frozen=True, slots=True)
class PluginFault:
    """A plug-in that was left out, and why."""

    group: str
    name: str
    why: str


@dataclass
class Plugins:
    tools: list[Tool] = field(default_factory=list)
    hooks: Hooks = field(default_factory=Hooks)
    modes: list[Mode] = field(default_factory=list)
    faults: list[PluginFault] = field(default_factory=list)


def load_plugins(find: Callable[[str], Iterable[EntryPoint]] | None = None) -> Plugins:
    """`find` gives the entry points of a group; the installed packages by default."""
    find = find or (lambda group: entry_points(group=group))
    found = Plugins()
    for group in GROUPS:
        for point in find(f"triptych.{group}"):
            try:
                _take(found, group, point.load())
            except Exception as error:  # a plug-in's code may raise anything; it is named and left out
                log.warning("plug-in %s (%s) is left out", point.name, group, exc_info=True)
                found.faults.append(PluginFault(group, point.name, f"{type(error).__name__}: {error}"[:300]))
    return found


def _take(found: Plugins, group: str, value: Any) -> None:
    if group == "tools":
        tools = [value] if isinstance(value, Tool) else list(value)
        if not all(isinstance(tool, Tool) for tool in tools):
            raise TypeError("a tool plug-in is a Tool or several")
        found.tools.extend(tools)
    elif group == "modes":
        if not isinstance(value, Mode):
            raise TypeError("a mode plug-in is a Mode")
        found.modes.append(value)
    else:
        before = getattr(value, "before_tool_call", None)
        after = getattr(value, "after_tool_call", None)
        if before is None and after is None:
            raise TypeError("a hook plug-in has before_tool_call or after_tool_call")
        hooks = found.hooks
        found.hooks = Hooks(
            (*hooks.before, before) if before else hooks.before, (*hooks.after, after) if after else hooks.after
        )
