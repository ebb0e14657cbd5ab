"""The domains of this program: those of our own and those of plug-ins, by one door."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from app.agent.policy.hooks import Hooks
from app.agent.policy.privacy import Privacy
from app.core.domain import Domain, Scrub, ServerAdapter
from app.core.errors import BadInput, NotConfigured
from app.core.memory import OWN_MEMORY
from app.core.profile import AgentProfile
from app.core.run.mode_words import ModeWords
from app.core.setting import read_leniently
from app.core.slots import SlotArgument
from app.core.stores import DocumentStore
from app.core.tools.endpoint import Endpoint

from ..settings.settings import SettingsService
from .plugins import Plugins


class ChosenAddresses(Mapping[str, str]):
    """The addresses the person has put in place of services, as the preferences have them at that moment."""

    def __init__(self, settings: SettingsService) -> None:
        self._settings = settings

    def __getitem__(self, id: str) -> str:
        return self._settings.preferences.endpoints[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._settings.preferences.endpoints)

    def __len__(self) -> int:
        return len(self._settings.preferences.endpoints)


class HostPaces(Mapping[str, float]):
    """Seconds between two requests, by host: those of the program's own services, and of the domains that are loaded.

    Who asks for a domain's service has loaded it: none is imported for this.
    """

    def __init__(self, general: Iterable[Endpoint], domains: Sequence[Domain], further: Mapping[str, float]) -> None:
        self._general, self._further = general, further
        self._missing = list(domains)
        self._known = {endpoint.host({}): endpoint.pace for endpoint in general} | dict(further)

    @property
    def _paces(self) -> Mapping[str, float]:
        if new := [domain for domain in self._missing if domain.is_loaded]:
            self._missing = [domain for domain in self._missing if not domain.is_loaded]
            endpoints = [one for domain in new for endpoint in domain.endpoints for one in endpoint.every()]
            self._known = {endpoint.host({}): endpoint.pace for endpoint in endpoints} | self._known
        return self._known

    def __getitem__(self, host: str) -> float:
        return self._paces[host]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paces)

    def __len__(self) -> int:
        return len(self._paces)


class DomainAdapters(Iterable[ServerAdapter]):
    """Those of all domains: whoever goes through them imports all."""

    def __init__(self, domains: Sequence[Domain]) -> None:
        self._domains = domains

    def __iter__(self) -> Iterator[ServerAdapter]:
        return (adapter for domain in self._domains for adapter in domain.adapters)


def take_domains(builtin: Sequence[Domain], plugins: Plugins, settings: SettingsService) -> list[Domain]:
    """Those whose agents could be taken; one of a plug-in that could not is left out whole, and named."""
    for domain in builtin:
        settings.add_domain(domain)
    for domain in tuple(plugins.domains):
        try:
            settings.add_domain(domain)
        except BadInput as error:
            plugins.leave_out(domain, error.message)
    return [*builtin, *plugins.domains]


def hooks_of_domain(domain: Domain | None) -> Hooks:
    hooks = domain.hooks if domain is not None else ()
    before = tuple(hook.before for hook in hooks if hook.before is not None)
    return Hooks(before, tuple(hook.after for hook in hooks if hook.after is not None))


async def privacy_of(
    settings: SettingsService, documents: DocumentStore | None, profile: AgentProfile, others: Collection[str] = ()
) -> Privacy:
    """The guards of the agent's own domain; the private names of all domains whose agents have a part in the run.

    `others` are agents that have spoken before. What an agent that is gone has said is kept as private as any.
    """
    own, known = await settings.loaded_domain(profile), {one.id: one for one in settings.profiles()}
    parts = {*others, *profile.subagents, *([profile.then] if profile.then else [])} - {profile.id}
    domains = [own, *[await settings.loaded_domain(known[id]) for id in sorted(parts) if id in known]]
    if parts - known.keys():
        domains += await settings.loaded_domains()
    scrubs = tuple(dict.fromkeys(one.scrub for one in domains if one is not None and one.scrub is not None))
    if scrubs and documents is None:
        raise NotConfigured("this agent needs the store of documents", reason="NO_STORE")
    return Privacy(own.guards, scrubs, documents, own.unguarded) if own is not None else Privacy((), scrubs, documents)


async def names_to_keep(settings: SettingsService, documents: DocumentStore) -> list[Scrub]:
    """Of all domains that have some stored: for what goes out on behalf of no agent."""
    domains = await settings.loaded_domains()
    scrubs = [await domain.scrub(documents) for domain in domains if domain.scrub is not None]
    return [scrub for scrub in scrubs if scrub.is_needed]


def settings_seam(settings: SettingsService, profile: AgentProfile) -> dict[str, Any]:
    """`ToolContext.settings` of an agent whose domain has settings; a wrong value falls back to its default."""
    domain = settings.domain_of(profile)
    if domain is None or domain.settings is None:
        return {}
    return {"settings": read_leniently(domain.settings, profile.domain_settings)[0]}


def memory_seam(settings: SettingsService, profile: AgentProfile, seams: Mapping[str, Any]) -> dict[str, Any]:
    """`seams` with the documents of its domain as the agent's memory, where the domain has one of its own."""
    domain, documents = settings.domain_of(profile), seams.get("documents")
    resources = {name: seam for name, seam in seams.get("resources", {}).items() if name != OWN_MEMORY}
    if domain is not None and domain.recall is not None and documents is not None:
        resources[OWN_MEMORY] = partial(domain.recall, documents)
    return {**seams, "resources": resources}


def slot_arguments(settings: SettingsService, profile: AgentProfile) -> tuple[SlotArgument, ...]:
    """What arguments of this agent's calls say of the question."""
    domain = settings.domain_of(profile)
    return domain.slot_arguments if domain is not None else ()


def mode_words(settings: SettingsService, profile: AgentProfile) -> ModeWords:
    """What Auto looks for in a question to this agent."""
    words, domain = settings.preferences.mode_words(), settings.domain_of(profile)
    return words.with_trade(domain.mode_words) if domain is not None else words
