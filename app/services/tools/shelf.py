"""All tools of the program by name. Those of a built-in domain are imported when one of its names is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.agent.policy.result_reader import READ_RESULT
from app.core.domain import Domain
from app.core.tools.tool import TASK, Tool

from ..settings.settings import SettingsService

SERVER_MARK = "__"
"""In the names of tools of MCP servers, and in none of the program's own."""
_OF_RUNS = (READ_RESULT, TASK)
"""Tools that a run makes for itself: their names are asked for here too, and no domain has them."""
_GLOB = frozenset("*?[")


class ToolShelf(Mapping[str, Tool]):
    """In one order, whatever was imported first: tools of no domain, those of `domains`, those of plug-ins.

    Whoever goes through all names imports all domains. A name that no loaded domain has is looked for in the domain
    whose agents have it, then in the others.
    """

    def __init__(
        self,
        general: Iterable[Tool],
        domains: Sequence[Domain],
        settings: SettingsService,
        addresses: Mapping[str, str],
    ) -> None:
        """`addresses` are those the person chose for services; tools name their hosts when they ask."""
        self._addresses, self._domains, self._settings = addresses, domains, settings
        self._general = self._by_name(general)
        self._of_domains: dict[str, dict[str, Tool]] = {}
        self._further: dict[str, Tool] = {}

    def add(self, tools: Iterable[Tool]) -> None:
        """Those of plug-ins, behind all others; one of the same name takes the place of the first."""
        self._further |= self._by_name(tools)

    def load(self) -> None:
        """Imports what is not imported yet: not for the window's thread."""
        for domain in self._domains:
            self._tools_of(domain)

    def some(self, words: Iterable[str]) -> dict[str, Tool]:
        """Those that names or globs speak of, in the order of all; others may be among them."""
        words = tuple(words)
        if any(_GLOB.intersection(word) for word in words):
            return dict(self)
        for word in words:
            self.get(word)
        return dict(self._loaded())

    def __getitem__(self, name: str) -> Tool:
        for tools in (self._further, self._general, *self._of_domains.values()):
            if name in tools:
                return tools[name]
        if SERVER_MARK not in name and name not in _OF_RUNS:
            for domain in self._likeliest_first(name):
                if name in (tools := self._tools_of(domain)):
                    return tools[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        self.load()
        return iter(dict(self._loaded()))

    def __len__(self) -> int:
        return sum(1 for _name in self)

    def _loaded(self) -> Iterator[tuple[str, Tool]]:
        yield from self._general.items()
        for domain in self._domains:
            yield from self._of_domains.get(domain.id, {}).items()
        yield from self._further.items()

    def _likeliest_first(self, name: str) -> list[Domain]:
        missing = [domain for domain in self._domains if domain.id not in self._of_domains]
        if not missing:
            return []
        having = {profile.domain for profile in self._settings.profiles() if name in profile.tools}
        return sorted(missing, key=lambda domain: domain.id not in having)

    def _tools_of(self, domain: Domain) -> dict[str, Tool]:
        if domain.id not in self._of_domains:
            self._of_domains[domain.id] = self._by_name(domain.tools)
        return self._of_domains[domain.id]

    def _by_name(self, tools: Iterable[Tool]) -> dict[str, Tool]:
        return {tool.name: tool.asking_at(self._addresses) for tool in tools}
