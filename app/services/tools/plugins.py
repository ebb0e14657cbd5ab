"""What installed packages add, by entry points: tools, hooks, modes, domains; cards are the window's.

    [project.entry-points."triptych.tools"]
    weather = "my_package:TOOLS"        # a Tool or several
    [project.entry-points."triptych.hooks"]
    levels = "my_package:hooks"         # before_tool_call(name, args), after_tool_call(name, args, obs), or both
    [project.entry-points."triptych.modes"]
    debate = "my_package:MODE"          # a Mode
    [project.entry-points."triptych.domains"]
    garden = "my_package:DOMAIN"        # a Domain (app/core/domain.py)
    [project.entry-points."triptych.cards"]
    gauge = "my_package.cards:gauge"    # (payload, theme) -> QWidget, for the card kind of that name (app/ui/cards)

A plug-in that cannot be loaded, is not what its group says, or takes a name that is taken, is named and left
out; the others work. Plug-ins are code the person has installed: they run with the program's rights.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from app.agent.modes import MODES, Mode
from app.agent.policy.hooks import Hooks
from app.core.detached import DetachedLoop, contained
from app.core.domain import Domain
from app.core.run.events import Notice
from app.core.text.i18n import _
from app.core.tools.tool import Tool

from .plugin_calls import beside_the_loop

log = logging.getLogger(__name__)

GROUPS: Final = ("tools", "hooks", "modes", "domains")
Find = Callable[[str], Iterable[EntryPoint]]


@dataclass(frozen=True, slots=True)
class PluginFault:
    """A plug-in that was left out, and why."""

    group: str
    name: str
    why: str


@dataclass
class Plugins:
    tools: list[Tool] = field(default_factory=list)
    """Those of domains included."""
    hooks: Hooks = field(default_factory=Hooks)
    modes: list[Mode] = field(default_factory=list)
    domains: list[Domain] = field(default_factory=list)
    cards: list[EntryPoint] = field(default_factory=list)
    """Not loaded yet: what draws needs a window."""
    faults: list[PluginFault] = field(default_factory=list)

    def leave_out(self, domain: Domain, why: str) -> None:
        """Whole: its tools go with its agents."""
        self.domains.remove(domain)
        names = {tool.name for tool in domain.tools}
        self.tools = [tool for tool in self.tools if tool.name not in names]
        self.faults.append(PluginFault("domains", domain.id, why))


def load_plugins(find: Find | None = None, *, taken: Iterable[str] = ()) -> Plugins:
    """`find` gives the entry points of a group, the installed packages by default; `taken` are names of
    tools, which nobody goes through where no plug-in is installed."""
    plugins = Plugins()
    try:
        find = find or _installed()
        plugins.cards = list(find("triptych.cards"))
    except Exception as error:  # the list of some package cannot be read, and the library names none of them
        log.warning("no plug-in can be looked up", exc_info=True)
        plugins.faults.append(_fault("", _("all plug-ins"), error))
        return plugins
    names: set[str] = set()
    for group in GROUPS:
        for name, value in loaded(group, plugins.faults, find):
            if group in ("tools", "domains"):
                names = names or set(taken)
            try:
                with contained():
                    _take(plugins, group, name, value, names)
            except Exception as error:  # what it points to is code of the plug-in, too
                log.warning("plug-in %s (%s) is left out", name, group, exc_info=True)
                plugins.faults.append(_fault(group, name, error))
    return plugins


def loaded(group: str, faults: list[PluginFault], find: Find) -> list[tuple[str, Any]]:
    """Name and object of every entry point of a group; what cannot be loaded goes into `faults`."""
    values: list[tuple[str, Any]] = []
    for point in find(f"triptych.{group}"):
        try:
            values.append((point.name, point.load()))
        except (Exception, SystemExit) as error:  # a plug-in's code may raise anything; it is named and left out
            log.warning("plug-in %s (%s) is left out", point.name, group, exc_info=True)
            faults.append(_fault(group, point.name, error))
    return values


def is_mode_id(id: Any) -> bool:
    return isinstance(id, str) and re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,31}", id) is not None


def fault_notice(fault: PluginFault) -> Notice:
    """What the person is told of it."""
    params = {"name": fault.name, "group": fault.group, "why": fault.why}
    return Notice("plugin_left_out", f"{fault.name} ({fault.group}): {fault.why}", params)


def _installed() -> Find:
    """Those of every installed package, looked through once for all groups: that is felt at the start."""
    points = entry_points()
    return lambda group: points.select(group=group)


def _fault(group: str, name: str, error: BaseException) -> PluginFault:
    return PluginFault(group, name, f"{type(error).__name__}: {error}"[:300])


def _take(found: Plugins, group: str, name: str, value: Any, taken: set[str]) -> None:
    loop = DetachedLoop(f"plug-in {name}")
    match group:
        case "tools":
            tools = [value] if isinstance(value, Tool) else list(value)
            found.tools += [beside_the_loop(tool, loop) for tool in _free(tools, taken)]
        case "modes":
            run: Any = getattr(value, "run", None)
            if not isinstance(value, Mode) or not callable(run) or not is_mode_id(value.id):
                raise TypeError("a mode plug-in is a Mode with an id of small letters and a function to run")
            if value.id in {mode.id for mode in (*MODES, *found.modes)}:
                raise ValueError(f"there is a mode {value.id} already")
            found.modes.append(value)
        case "domains":
            if not isinstance(value, Domain):
                raise TypeError("a domain plug-in is a Domain")
            if value.resources is not None and not value.resources.is_dir():
                raise ValueError(f"the folder {value.resources.name} is not there")
            found.tools += [beside_the_loop(tool, loop) for tool in _free(value.tools, taken)]
            found.domains.append(value)
        case _:
            found.hooks = found.hooks.then(_hooks_of(value))


def _free(tools: Iterable[Any], taken: set[str]) -> list[Tool]:
    """All of them, or none: half a plug-in is no plug-in."""
    tool_list = list(tools)
    if not all(isinstance(tool, Tool) for tool in tool_list):
        raise TypeError("a tool plug-in is a Tool or several")
    names: set[str] = set()
    for tool in tool_list:
        if tool.name in taken or tool.name in names:
            raise ValueError(f"there is a tool {tool.name} already")
        names.add(tool.name)
    taken |= names
    return tool_list


def _hooks_of(value: Any) -> Hooks:
    before, after = getattr(value, "before_tool_call", None), getattr(value, "after_tool_call", None)
    hooks = [hook for hook in (before, after) if hook is not None]
    if not hooks or not all(map(callable, hooks)):
        raise TypeError("a hook plug-in has the functions before_tool_call or after_tool_call")
    return Hooks((before,) if before else (), (after,) if after else ())
