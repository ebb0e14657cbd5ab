"""The calls of agents of other programs by name, loaded when the first of them is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.core.tools.tool import Tool

PREFIX = "acp_"


class AgentCalls(Mapping[str, Tool]):
    def __getitem__(self, name: str) -> Tool:
        if not name.startswith(PREFIX):
            raise KeyError(name)
        return self._loaded()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded())

    def __len__(self) -> int:
        return len(self._loaded())

    def _loaded(self) -> Mapping[str, Tool]:
        from .tools import ALL

        return {tool.name: tool for tool in ALL}
