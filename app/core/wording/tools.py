"""Tools in words: what a person reads where a model reads a name. The name stays in tooltips and details."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..text.i18n import _

if TYPE_CHECKING:
    from ..tools.tool import Tool

_titles: dict[str, str] = {}


def add_titles(tools: Iterable[Tool]) -> None:
    """Called once, when the program has gathered its tools. A server's tool cannot take the title of one of ours."""
    for tool in tools:
        if tool.title:
            _titles.setdefault(tool.name, tool.title)


def tool_title(name: str) -> str:
    """In the language of the program; the name itself for a tool that has no title."""
    title = _titles.get(name)
    return _(title) if title else name
