"""Where the backups go: stored without its secrets, which are in the key store, bound to the address."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

from app.core.errors import BadInput, NotConfigured
from app.core.exchange.storage_place import StoragePlace
from app.core.ids import new_id
from app.core.system.network import NetworkPolicy
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles

Kind = Literal["folder", "webdav", "s3"]
FILE = "remote_backup.toml"
_KEYS = "remote-backup."


@dataclass(frozen=True, slots=True)
class BackupPlace:
    kind: Kind = "folder"
    address: str = ""
    """A folder, or an address without the bucket."""
    user: str = ""
    """Name at the server, or the key's id at the store."""
    bucket: str = ""
    region: str = ""
    keep: int = 30
    """So many versions of each computer."""
    every: int = 24
    """Hours after which one is made while the program is open; 0 = only when asked to."""
    computer: str = ""
    name: str = ""
    """Of this computer, for people."""

    @property
    def origin(self) -> str:
        if self.kind == "folder":
            return "folder"
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"


class BackupSettings:
    def __init__(self, files: SettingsFiles, secrets: SecretStore, network: NetworkPolicy) -> None:
        self._files, self._secrets, self._network = files, secrets, network

    def place(self) -> BackupPlace | None:
        values, _problem = self._files.load(FILE)
        options = {one.name: values[one.name] for one in fields(BackupPlace) if one.name in values}
        try:
            place = BackupPlace(**options)
        except TypeError:
            return None
        return place if place.address and place.kind in get_args(Kind) else None

    async def save(self, place: BackupPlace, password: str | None, passphrase: str | None) -> BackupPlace:
        """None leaves a secret as it is. Raises BadInput, PlaceFault, KeyStorageMissing."""
        if place.kind not in get_args(Kind):
            raise BadInput(f"unknown kind of place: {place.kind}", reason="PLACE_ADDRESS")
        before = self.place()
        computer = before.computer if before is not None and before.computer else new_id()[-12:].lower()
        name = place.name.strip()[:60] or socket.gethostname()[:60] or computer
        whole = BackupPlace(
            **{
                **asdict(place),
                "computer": computer,
                "name": name,
                "keep": max(1, min(1_000, place.keep)),
                "every": max(0, min(8_760, place.every)),
            }
        )
        self._checked(whole)
        for secret, value in (("password", password), ("passphrase", passphrase)):
            if value is not None:
                # Spaces are part of a passphrase, and a key store takes visible signs only.
                await self._secrets.set(_KEYS + secret, whole.origin, value.encode().hex())
        await asyncio.to_thread(self._files.save, FILE, asdict(whole))
        return whole

    async def forget(self) -> None:
        place = self.place()
        await asyncio.to_thread(self._files.save, FILE, dict.fromkeys(one.name for one in fields(BackupPlace)))
        if place is not None:
            for secret in ("password", "passphrase"):
                await self._secrets.delete(_KEYS + secret, place.origin)

    async def passphrase(self) -> str:
        """Raises NotConfigured, KeyUnreadable."""
        return await self._secret("passphrase", needed=True)

    async def opened(self) -> tuple[BackupPlace, StoragePlace]:
        """Whoever asks closes it. Raises NotConfigured, PlaceFault, KeyUnreadable."""
        place = self.place()
        if place is None:
            raise NotConfigured("no place for backups is set", hint="`triptych backup place`", reason="NO_BACKUP_PLACE")
        return place, self._opened(place, await self._secret("password", needed=False))

    async def _secret(self, name: str, *, needed: bool) -> str:
        place = self.place()
        key = await self._secrets.get(_KEYS + name, place.origin) if place is not None else None
        if key is None:
            if needed:
                raise NotConfigured("the passphrase is not known here", reason="NO_PASSPHRASE")
            return ""
        return bytes.fromhex(key.reveal()).decode()

    def _checked(self, place: BackupPlace) -> None:
        if place.kind == "folder" and not Path(place.address).expanduser().is_absolute():
            raise BadInput("the folder is no whole path", reason="PLACE_FOLDER", path=place.address)
        self._opened(place, "")

    def _opened(self, place: BackupPlace, password: str) -> StoragePlace:
        # Loaded when they are needed: most people have none.
        if place.kind == "folder":
            from app.net.places.folder import FolderPlace

            return FolderPlace(Path(place.address).expanduser())
        if place.kind == "webdav":
            from app.net.places.webdav import WebDavPlace

            return WebDavPlace(place.address, place.user, password, self._network)
        from app.net.places.s3 import S3Place

        return S3Place(place.address, place.bucket, place.region, place.user, password, self._network)
