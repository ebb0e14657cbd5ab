"""Where keys are stored on this computer, and moving them. Providers, MCP servers and search services share it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from app.storage.config.secrets import KeyPlaces, Kind, SecretStore

KeyNames = Callable[[], Iterable[tuple[str, str]]]
"""The keys somebody keeps, each by name and origin."""


class KeyStorageService:
    def __init__(self, secrets: SecretStore, names: KeyNames) -> None:
        self._secrets, self._names = secrets, [names]

    async def kind(self) -> Kind:
        return await self._secrets.kind()

    async def places(self) -> KeyPlaces:
        return await self._secrets.places()

    def choose(self, where: Literal["file", "session"]) -> None:
        """What the person wants where no keyring answers."""
        self._secrets.choose(where)

    def add_names(self, names: KeyNames) -> None:
        """Somebody else who keeps secrets there: `move` takes them along."""
        self._names.append(names)

    async def move(self, to: Literal["keyring", "file"]) -> int:
        """All keys; returns how many. Raises KeyStorageMissing and the faults of the disk; then no key is lost."""
        return await self._secrets.move(to, [name for names in self._names for name in names()])


__all__ = ["KeyPlaces", "KeyStorageService"]
