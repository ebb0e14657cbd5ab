"""Tools in words: what a person reads, and the icon that is seen, where a model reads a name. The name stays in
tooltips and details."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..text.i18n import _

if TYPE_CHECKING:
    from ..tools.tool import PermissionClass, Tool

_titles: dict[str, str] = {}
_icons: dict[str, str] = {}
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


def add_titles(tools: Iterable[Tool]) -> None:
    """Called once, when the program has gathered its tools. A server's tool cannot take the title of one of ours."""
    for tool in tools:
        if tool.title:
            _titles.setdefault(tool.name, tool.title)
        _icons.setdefault(tool.name, tool.icon or _ICON_OF_CLASS.get(tool.permission, UNKNOWN_TOOL_ICON))


def tool_title(name: str) -> str:
    """In the language of the program; the name itself for a tool that has no title."""
    title = _titles.get(name)
    return _(title) if title else name


def tool_icon(name: str) -> str:
    """A name of resources/icons."""
    return _icons.get(name, UNKNOWN_TOOL_ICON)
