"""Providers as a person sets them up: address, key, models, and whether it works.

Keys never pass through here into a file of settings: they go to the key store, bound to the
origin they were entered for.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from pydantic import ValidationError

from app.core.errors import BadInput, TriptychError, UnknownName
from app.core.run.chat_model import ModelTraits
from app.core.run.events import Notice
from app.core.setting import Fields, stored_values
from app.core.system.network import NetworkPolicy
from app.core.text.i18n import current_language
from app.core.text.value_faults import value_fault
from app.providers.http.proxies import host_of, is_loopback
from app.providers.registry.catalog import (
    PRESETS,
    EnvironmentProvider,
    ProviderConfig,
    provider_from_environment,
    traits_for,
)
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles
from app.storage.folder.errors import KeyStorageMissing, KeyUnreadable

from ..changes import Changes
from ..settings.settings import problem_notice
from .addresses import checked_config
from .check import CheckResult, Place
from .entries import ProviderEntry, ProviderPreset, entry_of, environment_entry
from .key_storage import KeyStorageService
from .probes import ProviderProbes

PROVIDERS = "providers"
_OF_THE_PERSON = {"currency", "prices", "model_traits"}
"""Of the environment's provider the rest is the environment's word."""


class ProviderService:
    def __init__(
        self,
        files: SettingsFiles,
        secrets: SecretStore,
        *,
        environ: Mapping[str, str],
        network: NetworkPolicy,
        tell: Callable[[Notice], None] | None = None,
    ) -> None:
        """The proxy of `network` is for providers that name none of their own; `tell` hears what is wrong."""
        self._files, self._secrets, self.network = files, secrets, network
        self._changes: Changes[str] = Changes()
        self._environment = provider_from_environment(environ)
        self.bad_address = "" if self._environment is not None else environ.get("OPENAI_BASE_URL", "").strip()
        """What the environment names and cannot be asked."""
        self._unread: list[dict[str, Any]] = []
        """What could not be read of the file: written back as it was."""
        self._tell = tell or (lambda _notice: None)
        self._keys: dict[str, str] = {}
        """By provider the origin its key is kept for: another address never gets it, the same one finds it again."""
        self._for_session: set[str] = set()
        """Whose key is not there any more at the next start."""
        self._configs = self._load()
        self.key_storage = KeyStorageService(secrets, self._keys.items)
        self.probes = ProviderProbes(self)

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """`listener` is called with the id of a provider that changed."""
        return self._changes.listen(listener)

    # ------------------------------------------------------------ what there is

    def presets(self) -> list[ProviderPreset]:
        chinese = current_language() == "zh_CN"
        return [
            ProviderPreset(
                p.id, p.name_zh if chinese else p.name, p.base_url, p.needs_key, p.key_page, p.models, p.local
            )
            for p in PRESETS
        ]

    def providers(self) -> list[ProviderEntry]:
        entries = [entry_of(config, has_key=self._has_key(config)) for id, config in self._configs.items()]
        if self._environment is not None:
            entries.insert(0, environment_entry(self._environment))
        return entries

    def config(self, id: str) -> ProviderConfig:
        """Raises UnknownName."""
        if self._environment is not None and id == self._environment.config.id:
            return self._on_its_way(self._environment.config)
        if id not in self._configs:
            raise UnknownName("provider", id, [entry.id for entry in self.providers()])
        return self._on_its_way(self._configs[id])

    def _on_its_way(self, config: ProviderConfig) -> ProviderConfig:
        """With the proxy its requests take."""
        usual = self.network.proxy
        return config.model_copy(update={"proxy": usual}) if usual and not config.proxy else config

    @property
    def environment(self) -> EnvironmentProvider | None:
        return self._environment

    async def key(self, id: str) -> str:
        """ "" if none was set. Raises KeyUnreadable for one that was, and cannot be read."""
        if self._environment is not None and id == self._environment.config.id:
            return self._environment.key
        return await self._stored_key(self.config(id))

    async def _stored_key(self, config: ProviderConfig) -> str:
        if not self._has_key(config):
            return ""
        try:
            secret = await self._secrets.get(config.id, config.origin)
        except KeyUnreadable as error:
            raise _unreadable(config, error) from None
        if secret is None:
            hint = "enter it again in the settings: Providers; a key kept for one session is gone with it"
            raise _unreadable(config, KeyUnreadable("it is not where it was stored", hint=hint, reason="KEY_GONE"))
        return secret.reveal()

    def _has_key(self, config: ProviderConfig) -> bool:
        return self._keys.get(config.id) == config.origin

    def traits(self, entry: ProviderEntry, model: str) -> ModelTraits:
        """As they would be without what this person typed for that model."""
        config = self._config_of(entry).model_copy(update={"model_traits": {}})
        return traits_for(config, model)

    def is_insecure(self, entry: ProviderEntry) -> bool:
        """Plain http to a host that is not of this network: everything can be read on the way."""
        try:
            return self._config_of(entry).is_insecure
        except BadInput:
            return False

    def is_elsewhere(self, entry: ProviderEntry) -> bool:
        """It has a key, but for another address than the one that is in the entry."""
        try:
            return entry.id in self._keys and not self._has_key(self._config_of(entry))
        except BadInput:
            return False

    def has_key_here(self, entry: ProviderEntry) -> bool:
        """One is kept for the address that is in the entry, whether it is saved or not."""
        try:
            return self._has_key(self._config_of(entry))
        except BadInput:
            return False

    def is_reachable(self, config: ProviderConfig) -> bool:
        """False for what is not on this machine while nothing may go out."""
        return not self.network.offline or is_loopback(host_of(config.address))

    # ------------------------------------------------------------ changing

    async def save_provider(self, entry: ProviderEntry, key: str | None = None) -> None:
        """`key` None leaves it as it is, "" removes it. Of the environment's provider prices and behaviour are kept.

        Raises BadInput (address, name), KeyStorageMissing (no keyring and nothing agreed); then
        nothing has changed.
        """
        if self._environment is not None and entry.id == self._environment.config.id:
            await self._save_environment(entry)
            return
        config = self._config_of(entry)
        keys = self._keys.get(config.id)
        if key is not None:
            kind = await self._secrets.set(config.id, config.origin, key)
            self._keys.pop(config.id, None)
            self._for_session.discard(config.id)
            if key:
                self._keys[config.id] = config.origin
            if key and kind == "session":
                self._for_session.add(config.id)
        before = self._configs.get(config.id)
        self._configs[config.id] = config
        try:
            await self._save()
        except (TriptychError, OSError):
            self._put_back(config.id, before)
            raise
        self._changes.notify(config.id)
        if key is not None and keys not in (None, config.origin):
            with contextlib.suppress(KeyUnreadable):  # nobody could see or remove it any more
                await self._secrets.delete(config.id, str(keys))

    def _put_back(self, id: str, before: ProviderConfig | None) -> None:
        """The disk did not take a change."""
        if before is None:
            self._configs.pop(id, None)
        else:
            self._configs[id] = before

    async def _save_environment(self, entry: ProviderEntry) -> None:
        assert self._environment is not None, "asked only where there is one"
        typed = self._config_of(entry).model_dump(include=_OF_THE_PERSON)
        config = ProviderConfig.model_validate({**self._environment.config.model_dump(), **typed})
        self._environment = replace(self._environment, config=config)
        await self._save()
        self._changes.notify(config.id)

    async def delete_provider(self, id: str) -> None:
        """With its key. Raises KeyUnreadable if that cannot be removed; then nothing has changed."""
        config = self.config(id)
        if id not in self._configs:
            raise BadInput("this provider comes from the environment", reason="ENVIRONMENT")
        try:
            await self._secrets.delete(id, self._keys.get(id, config.origin))
        except KeyUnreadable as error:
            if id in self._keys:
                raise _unreadable(config, error) from None
        self._keys.pop(id, None)
        del self._configs[id]
        try:
            await self._save()
        except (TriptychError, OSError):
            self._put_back(id, config)
            raise
        self._changes.notify(id)

    def free_id(self, preset: str) -> str:
        taken = {entry.id for entry in self.providers()}
        return next(id for n in range(1, 1000) if (id := preset if n == 1 else f"{preset}-{n}") not in taken)

    async def connection(self, entry: ProviderEntry, key: str | None) -> tuple[ProviderConfig, str]:
        """What a request to `entry` as it is would use: its proxy, the typed or the stored key.

        Raises BadInput, KeyUnreadable.
        """
        config = self._config_of(entry)
        return self._on_its_way(config), await self._key_for(config, key)

    # ------------------------------------------------------------ files

    def _load(self) -> dict[str, ProviderConfig]:
        values, problem = self._files.load(PROVIDERS)
        if problem is not None:
            self._tell(problem_notice(problem))
        configs: dict[str, ProviderConfig] = {}
        self._take_typed(values.get("environment"))
        listed = values.get("provider")
        for raw in listed if isinstance(listed, list) else ():
            try:
                config = ProviderConfig.model_validate(raw)
            except ValidationError as error:
                self._leave_out(raw, value_fault(error).sentence())  # it does not hide the others
                continue
            configs[config.id] = config
            if origin := config.origin if raw.get("has_key") else raw.get("key_origin"):
                self._keys[config.id] = str(origin)
        return configs

    def _leave_out(self, raw: Any, why: str) -> None:
        name = str(raw.get("id") or raw.get("name") or "?") if isinstance(raw, dict) else "?"
        self._unread += [raw] if isinstance(raw, dict) else []
        values = {"provider": name, "file": f"{PROVIDERS}.toml", "reason": "provider"}
        self._tell(Notice("settings_reset", f"the provider {name} could not be read and is left out ({why})", values))

    def _take_typed(self, typed: Any) -> None:
        """What the person typed about the models of the environment's provider."""
        if self._environment is None or not isinstance(typed, dict):
            return
        traits = {name: value for name, value in typed.items() if name in _OF_THE_PERSON}
        with contextlib.suppress(ValidationError):
            config = ProviderConfig.model_validate({**self._environment.config.model_dump(), **traits})
            self._environment = replace(self._environment, config=config)

    async def _save(self) -> None:
        listed = [self._stored_entry(config) for config in self._configs.values()]
        values: dict[str, Any] = {"provider": [*listed, *self._unread]}
        if self._environment is not None:
            stored = stored_values(self._environment.config)
            typed = {name: stored[name] for name in sorted(_OF_THE_PERSON)}
            values["environment"] = Fields(typed) if any(value is not None for value in typed.values()) else None
        await asyncio.to_thread(self._files.save, PROVIDERS, values)

    def _stored_entry(self, config: ProviderConfig) -> dict[str, Any]:
        origin = None if config.id in self._for_session else self._keys.get(config.id)
        elsewhere = origin if origin != config.origin else None
        return stored_values(config).also({"has_key": origin == config.origin, "key_origin": elsewhere})

    def _config_of(self, entry: ProviderEntry) -> ProviderConfig:
        config = self._configs.get(entry.id)
        values = config.model_dump() if config is not None else {}
        values |= {
            "id": entry.id,
            "preset": entry.preset,
            "name": entry.name,
            "base_url": entry.base_url,
            "models": entry.models,
            "enabled": entry.enabled,
            "proxy": entry.proxy,
            "ca_file": entry.ca_file,
            "headers": dict(entry.headers),
            "currency": entry.currency,
            "prices": {model: asdict(price) for model, price in entry.prices.items()},
            "model_traits": {model: dict(traits) for model, traits in entry.model_traits.items() if traits},
        }
        return checked_config(values)

    async def _key_for(self, config: ProviderConfig, key: str | None) -> str:
        """What was typed, else the stored one – for the address it was entered for, and no other."""
        if key is not None:
            return key
        if self._environment is not None and config.id == self._environment.config.id:
            return self._environment.key if config.origin == self._environment.config.origin else ""
        return await self._stored_key(config)


def _unreadable(config: ProviderConfig, error: KeyUnreadable) -> KeyUnreadable:
    name = config.name or config.row.name
    message = f"the stored key of {name} cannot be read: {error.message}"
    return KeyUnreadable(message, hint=error.hint, **error.params, provider=name)


__all__ = [
    "CheckResult",
    "KeyStorageMissing",
    "Place",
    "ProviderEntry",
    "ProviderPreset",
    "ProviderService",
]
