"""A provider as a form shows it, from its stored configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.core.run.price import Price
from app.providers.http.proxies import host_of, is_loopback
from app.providers.registry.catalog import EnvironmentProvider, ProviderConfig, price_of


@dataclass(frozen=True, slots=True)
class ProviderPreset:
    id: str
    name: str
    base_url: str
    needs_key: bool
    key_page: str
    models: tuple[str, ...]
    local: bool

    def entry(self, id: str) -> ProviderEntry:
        """A new provider of this service."""
        return ProviderEntry(
            id, self.id, self.name, self.base_url, self.models, needs_key=self.needs_key, local=self.local
        )


@dataclass(frozen=True, slots=True)
class ProviderEntry:
    """One provider as a form shows it. `proxy` is "" (as the system says), `direct` or an address."""

    id: str
    preset: str = "custom"
    name: str = ""
    base_url: str = ""
    models: tuple[str, ...] = ()
    has_key: bool = False
    needs_key: bool = True
    from_environment: bool = False
    enabled: bool = True
    local: bool = False
    proxy: str = ""
    ca_file: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    currency: str = "CNY"
    prices: Mapping[str, Price] = field(default_factory=dict)
    """By model; what the person typed."""
    model_traits: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By model: what the person knows better than the catalogue."""


def entry_of(config: ProviderConfig, *, has_key: bool) -> ProviderEntry:
    return ProviderEntry(
        config.id,
        config.preset,
        config.name or config.row.name,
        config.address,
        config.suggested_models,
        has_key,
        config.needs_key,
        enabled=config.enabled,
        local=is_loopback(host_of(config.address)),
        proxy=config.proxy,
        ca_file=config.ca_file,
        headers=dict(config.headers),
        currency=config.currency,
        prices=_prices(config),
        model_traits={model: dict(traits) for model, traits in config.model_traits.items()},
    )


def environment_entry(found: EnvironmentProvider) -> ProviderEntry:
    config = found.config
    return ProviderEntry(
        config.id,
        config.preset,
        config.name,
        config.address,
        config.models,
        bool(found.key),
        config.needs_key,
        from_environment=True,
        local=is_loopback(host_of(config.address)),
        currency=config.currency,
        prices=_prices(config),
        model_traits={model: dict(traits) for model, traits in config.model_traits.items()},
    )


def _prices(config: ProviderConfig) -> dict[str, Price]:
    return {model: price for model in config.prices if (price := price_of(config, model)) is not None}
