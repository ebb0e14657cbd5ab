"""Which model answers: references, their order, and the objects behind them (interfaces.md 3).

--model > TRIPTYCH_MODEL > session > profile > the environment's provider > the default >
the offline rules of the agent, if it has any. Otherwise the person has to set one up.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from app.core.acp_program import OWN
from app.core.domain import Domain
from app.core.errors import BadInput, NotConfigured, UnknownName
from app.core.preferences import Preferences
from app.core.profile import AgentProfile
from app.core.run.chat_model import ChatModel, ModelChunk, ModelRequest, ModelTraits
from app.core.run.price import Price
from app.core.text.i18n import _
from app.providers.chat.openai_chat import warm_up
from app.providers.http.endpoint_quirks import QuirkStore
from app.providers.registry.catalog import (
    ENV_PROVIDER,
    PRESETS,
    ProviderConfig,
    base_address,
    create_model,
    price_of,
    traits_for,
)
from app.providers.rules import OFFLINE
from app.providers.scripted import load_script

from ..settings.settings import SettingsService
from .addresses import check_address
from .service import ProviderService

SCRIPT = "script/"
_MOST_KEPT = 16
"""Models whose connections are kept."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A line of the model selector."""

    ref: str
    label: str
    provider: str
    available: bool
    provider_name: str = ""
    is_local: bool = False
    price: Price | None = None
    """As the person typed it."""


class ModelService:
    def __init__(self, settings: SettingsService, providers: ProviderService, *, wanted: str = "") -> None:
        """`wanted` is TRIPTYCH_MODEL."""
        self._settings, self._providers, self._wanted = settings, providers, wanted
        self._learned = QuirkStore()
        self._made: dict[str, tuple[ProviderConfig, str, ChatModel]] = {}

    @property
    def is_given(self) -> bool:
        """The environment names the model, or a provider of its own."""
        return bool(self._wanted) or self._providers.environment is not None

    def reference(self, profile: AgentProfile, *, session: str = "", wanted: str = "") -> str:
        """The reference that would be used now; "" if there is none."""
        if profile.acp is not None:
            own = f"{OWN}{profile.id}"
            return next((ref for ref in (wanted, session) if ref.startswith(f"{own}/")), own)
        if session.startswith(OWN):  # of another program's agent, which the session had before
            session = ""
        ref = wanted or self._wanted or session or profile.model or self._by_default()
        return ref or (OFFLINE if self._has_rules(profile) else "")

    def default_agent(self) -> str:
        """Whom a new session begins with: an agent that can answer, unless the person has chosen one."""
        chosen = self._settings.preferences.default_agent
        profiles = {profile.id: profile for profile in self._settings.profiles()}
        is_own_choice = chosen in profiles and chosen != Preferences().default_agent
        if is_own_choice or (chosen in profiles and self.reference(profiles[chosen])):
            return chosen
        flagship = next((profile for profile in profiles.values() if profile.flagship), None)
        return flagship.id if flagship is not None and self.reference(flagship) else chosen

    def agent_that_answers(self, last: str = "") -> str:
        """Whom a new session begins with: the last agent, else the default one, else any that has a model; "" if none.

        An agent that the person made the default one comes first.
        """
        profiles = {profile.id: profile for profile in self._settings.profiles()}
        default = self.default_agent()
        own = [default] if self._settings.preferences.default_agent not in ("", Preferences().default_agent) else []
        for id in (*own, last, default, *profiles):
            if id in profiles and self.reference(profiles[id]):
                return id
        return ""

    async def choose(self, profile: AgentProfile, *, session: str = "", wanted: str = "") -> ChatModel:
        """The model itself. Raises NotConfigured, UnknownName, BadInput."""
        if profile.acp is not None:
            return _NoModel(self.reference(profile, session=session, wanted=wanted))
        ref = self.reference(profile, session=session, wanted=wanted)
        environment = self._providers.environment
        if not ref and environment is not None and not environment.model:
            hint = "name the model of that address in OPENAI_MODEL"
            raise NotConfigured("OPENAI_MODEL is not set", hint=hint, reason="ENV_MODEL")
        if not ref and (address := self._providers.bad_address):
            hint = "it begins with https:// or http://"
            message = f"OPENAI_BASE_URL is no address: {address}"
            raise NotConfigured(message, hint=hint, reason="ENV_ADDRESS", address=address)
        if not ref:
            raise NotConfigured(
                "no model is set up",
                hint="add a provider in the settings, set OPENAI_API_KEY, or choose an agent with offline rules",
            )
        return await self._model(ref, profile)

    def choices(self, agent: str = "") -> list[ModelChoice]:
        """What the selector offers for an agent: every model of every provider, then the rules."""
        choices = [
            ModelChoice(
                f"{entry.id}/{model}",
                model,
                entry.id,
                entry.has_key or not entry.needs_key,
                entry.name,
                entry.local,
                entry.prices.get(model),
            )
            for entry in self._providers.providers()
            if entry.enabled
            for model in entry.models
        ]
        agents = [self._settings.profile(agent)] if agent else self._settings.profiles()
        if any(map(self._has_rules, agents)):
            choices.append(ModelChoice(OFFLINE, _("Offline rules"), "offline", True, _("Without a model")))
        return choices

    def price(self, ref: str) -> Price | None:
        """What the person typed for this model; None if nothing. What is no service costs nothing."""
        if ref == OFFLINE or ref.startswith(SCRIPT):
            return Price(0.0, 0.0, currency="")
        provider, _slash, model = ref.partition("/")
        try:
            return price_of(self._providers.config(provider), model)
        except UnknownName:
            return None

    def has_effort(self, ref: str) -> bool:
        """Whether the service of this model can be told how long to think."""
        provider, _slash, model = ref.partition("/")
        try:
            return bool(traits_for(self._providers.config(provider), model).effort)
        except UnknownName:
            return False

    def shortened_above(self, profile: AgentProfile, ref: str) -> int:
        """Characters from which this model's requests carry older results shortened; 0 = never, or no model."""
        if not ref or ref == OFFLINE:
            return 0
        provider, _slash, model = ref.partition("/")
        try:
            traits = ModelTraits() if ref.startswith(SCRIPT) else traits_for(self._providers.config(provider), model)
        except UnknownName:
            return 0
        return traits.shortened_above(profile.context_limit)

    async def probe(self) -> dict[str, str]:
        """For each provider "ok" or the code of what is wrong."""
        entries = [entry for entry in self._providers.providers() if entry.enabled]
        reports = await asyncio.gather(*(self._providers.probes.check(entry) for entry in entries))
        return {e.id: "ok" if report.ok else report.code for e, report in zip(entries, reports, strict=True)}

    async def warm_up(self) -> None:
        """Loads the SDK in a thread, if a question may need it: the first one need not wait for it then."""
        if any(entry.enabled for entry in self._providers.providers()):
            await asyncio.to_thread(warm_up)

    async def close(self) -> None:
        for _config, _key, model in self._made.values():
            await model.aclose()
        self._made.clear()

    def _has_rules(self, profile: AgentProfile) -> bool:
        domain = self._settings.domain_of(profile)
        return domain is not None and domain.rules is not None

    def _by_default(self) -> str:
        ref = self._providers.environment
        if ref is not None and ref.model and self._providers.is_reachable(ref.config):
            return f"{ref.config.id}/{ref.model}"
        if default := self._settings.preferences.default_model:
            return default
        for entry in self._providers.providers():
            ready = entry.enabled and entry.models and (entry.has_key or not entry.needs_key)
            if ready and not entry.from_environment and self._providers.is_reachable(self._providers.config(entry.id)):
                return f"{entry.id}/{entry.models[0]}"
        return ""

    async def _model(self, ref: str, profile: AgentProfile) -> ChatModel:
        if ref.startswith(SCRIPT):
            return await asyncio.to_thread(load_script, ref.removeprefix(SCRIPT))
        if ref == OFFLINE:
            domain = self._settings.domain_of(profile)
            rules = await asyncio.to_thread(_offline_model, domain) if domain is not None else None
            if rules is None:
                message = f"the agent {profile.id} has no offline rules"
                raise NotConfigured(message, hint="choose a model for it", reason="NO_RULES", agent=profile.id)
            return rules
        provider, slash, model = ref.partition("/")
        if not slash or not model:
            hint = "write provider/model, such as ollama/qwen3:8b"
            raise BadInput(f"{ref!r} is no model reference", hint=hint, reason="MODEL_REFERENCE", ref=ref)
        try:
            config = self._providers.config(provider)
        except UnknownName as unknown:
            if provider == ENV_PROVIDER:
                hint = "set it for the provider env"
                raise NotConfigured("OPENAI_API_KEY is not set", hint=hint, reason="ENV_KEY") from unknown
            if any(provider == row.id for row in PRESETS):
                hint = "add it in the settings: Providers"
                message = f"{provider} is not set up"
                raise NotConfigured(message, hint=hint, reason="NOT_SET_UP", provider=provider) from unknown
            raise UnknownName("model", ref, [choice.ref for choice in self.choices()]) from unknown
        hint = f"set OPENAI_BASE_URL={base_address(config.address)}" if provider == ENV_PROVIDER else ""
        check_address(config.address, hint)
        key = await self._providers.key(provider)
        if not key and config.needs_key:
            name = config.name or provider
            hint = "enter it in the settings"
            raise NotConfigured(f"{name} has no key yet", hint=hint, reason="NO_KEY", provider=name)
        return await self._made_once(ref, config, model, key)

    async def _made_once(self, ref: str, config: ProviderConfig, model: str, key: str) -> ChatModel:
        """One object per model, so that its connection is kept; a new one when the settings changed."""
        cached = self._made.pop(ref, None)
        if cached is None or cached[:2] != (config, key):
            if cached is not None:
                await cached[2].aclose()
            new = create_model(config, model, key, learned=self._learned, network=self._providers.network)
            cached = (config, key, new)
        self._made[ref] = cached
        while len(self._made) > _MOST_KEPT:
            _config, _key, oldest = self._made.pop(next(iter(self._made)))
            await oldest.aclose()
        return cached[2]


def _offline_model(domain: Domain) -> ChatModel | None:
    """In a thread: the engine and the rule book are read at the first question without a model."""
    from app.providers.rules.model import offline_model

    return offline_model(domain)


class _NoModel:
    """Stands where a context needs a model and none is ever asked."""

    traits = ModelTraits(vision=True)

    def __init__(self, ref: str = "") -> None:
        self.ref = ref

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:  # noqa: ARG002
        raise NotConfigured("this context has no model")
        yield  # makes it a generator

    async def aclose(self) -> None:
        return


NO_MODEL: ChatModel = _NoModel()
