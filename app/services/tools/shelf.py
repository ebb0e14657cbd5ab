"""All tools of the program by name. Those of a built-in domain are imported when one of its names is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.core.domain import Domain, loaded
from app.core.tools.tool import Tool

from ..settings.settings import SettingsService

_GLOB = frozenset("*?[")


class ToolShelf(Mapping[str, Tool]):
    """In one order, whatever was imported first: tools of no domain, those of `domains`, those of plug-ins.

    Whoever goes through all names imports all domains. A name is looked for in the domain whose agents have it, and
    one that no agent has imports nothing. In the window's thread `loaded` comes first.
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

    async def loaded(self, words: Iterable[str]) -> None:
        """Returns when the tools that names or globs speak of are imported, in a thread where it takes one."""
        words = tuple(words)
        is_any = any(_GLOB.intersection(word) for word in words)
        await loaded(self._domains if is_any else (domain for word in words for domain in self._that_may_have(word)))

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
        for domain in self._that_may_have(name):
            if name in (tools := self._tools_of(domain)):
                return tools[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for domain in self._domains:
            self._tools_of(domain)
        return iter(dict(self._loaded()))

    def __len__(self) -> int:
        return sum(1 for _name in self)

    def _loaded(self) -> Iterator[tuple[str, Tool]]:
        yield from self._general.items()
        for domain in self._domains:
            yield from self._of_domains.get(domain.id, {}).items()
        yield from self._further.items()

    def _that_may_have(self, name: str) -> Iterator[Domain]:
        """None for a tool of no domain, which agents of several name."""
        is_known = name in self._general or name in self._further
        ids = set() if is_known else {domain.id for domain in self._settings.domains_with(name)}
        return (domain for domain in self._domains if domain.id in ids)

    def _tools_of(self, domain: Domain) -> dict[str, Tool]:
        if domain.id not in self._of_domains:
            self._of_domains[domain.id] = self._by_name(domain.tools)
        return self._of_domains[domain.id]

    def _by_name(self, tools: Iterable[Tool]) -> dict[str, Tool]:
        return {tool.name: tool.asking_at(self._addresses) for tool in tools}
