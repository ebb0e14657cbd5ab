"""Tools in words: what a person reads, and the icon that is seen, where a model reads a name. The name stays in
tooltips and details."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..text.i18n import N_, _, ngettext

if TYPE_CHECKING:
    from ..tools.tool import PermissionClass, Tool

_sources: list[Mapping[str, Tool]] = []
_looked_up: set[str] = set()
_OF_A_RUN: Mapping[str, tuple[str, str]] = {"task": (N_("Ask another agent"), "fork")}
"""Title and icon of a tool that belongs to no room: each run makes its own, for the helpers of its agent."""
_ICON_OF_CLASS: Mapping[PermissionClass, str] = {
    "pure": "search",
    "app.read": "search",
    "app.write": "pencil",
    "fs.read": "file",
    "fs.write": "pencil",
    "net": "globe",
    "exec": "terminal",
    "user": "question",
}
UNKNOWN_TOOL_ICON = "wrench"
"""Of a server's tool, of one that is not there any more."""


def add_titles(tools: Mapping[str, Tool]) -> None:
    """Called once, when the program has gathered its tools. A server's tool cannot take the title of one of ours."""
    _sources.append(tools)
    _looked_up.clear()


async def look_up(names: Iterable[str]) -> None:
    """Before the window shows tools of these names: what has them is imported in a thread."""
    if new := set(names) - _looked_up:
        import asyncio  # not wanted before the first paint

        await asyncio.to_thread(_look_up, new)
        _looked_up.update(new)


def _look_up(names: Iterable[str]) -> None:
    for name in names:
        _tool(name)


def tool_title(name: str) -> str:
    """In the language of the program; the name itself for a tool that has no title. Of a server's tool the words are
    made of its name, behind the server's: what the server calls it could be the title of one of ours."""
    if name in _OF_A_RUN:
        return _(_OF_A_RUN[name][0])
    tool = _tool(name)
    if tool is not None and tool.title:
        return _(tool.title)
    server, _mark, own = name.partition("__")
    return _("{server}: {tool}").format(server=server, tool=own_words(name)) if server and own else name


def calls_text(names: Sequence[str]) -> str:
    """How many calls there were: what changes something or runs a program is an action."""
    tools = [tool for name in names if (tool := _tool(name)) is not None]
    actions = sum(tool.permission in ("app.write", "fs.write", "exec") for tool in tools)
    look_ups = len(names) - actions
    words = [ngettext("{n} look-up", "{n} look-ups", look_ups).format(n=look_ups)] if look_ups else []
    words += [ngettext("{n} action", "{n} actions", actions).format(n=actions)] if actions else []
    return " · ".join(words)


def own_words(name: str) -> str:
    """Of a server's tool, without the server: `notes__read_note` is "read note"."""
    return name.partition("__")[2].replace("_", " ").strip() or name


def tool_icon(name: str) -> str:
    """A name of resources/icons."""
    if name in _OF_A_RUN:
        return _OF_A_RUN[name][1]
    tool = _tool(name)
    return (tool.icon or _ICON_OF_CLASS.get(tool.permission, "") if tool is not None else "") or UNKNOWN_TOOL_ICON


def _tool(name: str) -> Tool | None:
    return next((tools[name] for tools in _sources if name in tools), None)
