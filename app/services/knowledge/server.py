"""The server of shared knowledge bases: its address in the preferences, its password in the key store, a test."""

from __future__ import annotations

import time
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import parse_qs, quote, unquote, urlsplit, urlunsplit

from app.core.errors import BadInput, KnowledgeServerFailed, TriptychError
from app.core.system.network import NetworkPolicy
from app.core.text.i18n import _
from app.core.wording.errors import error_text
from app.storage.config.secrets import Kind, SecretStore
from app.storage.knowledge.server.connection import Server, is_installed

from ..settings.settings import SettingsService

_KEY = "knowledge.server"


@dataclass(frozen=True, slots=True)
class ServerTest:
    ok: bool
    text: str
    """For a person."""


class SharedServer:
    def __init__(self, settings: SettingsService, secrets: SecretStore, network: NetworkPolicy) -> None:
        self._settings, self._secrets, self._network = settings, secrets, network
        self._server: tuple[str, Server] | None = None

    @property
    def address(self) -> str:
        """As it is kept, without the password; "" = none is set up."""
        return self._settings.preferences.knowledge_server

    @property
    def is_set(self) -> bool:
        return bool(self.address)

    async def close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            await server[1].close()

    async def connection(self) -> Server | None:
        """To the address that is set; another one's is closed."""
        address = self.address
        if self._server is not None and self._server[0] != address:
            await self.close()
        if self._server is None and address:
            self._server = (address, self._to(address))
        return self._server[1] if self._server is not None else None

    async def set_address(self, address: str) -> Kind | None:
        """ "" = none. A password in it goes to the key store; returns where it was kept, if there was one.

        Raises BadInput, KeyStorageMissing.
        """
        plain, password = _without_password(address.strip())
        kind = await self._secrets.set(_KEY, _origin(plain), _kept_form(password)) if password else None
        await self._settings.save_preferences(self._settings.preferences.model_copy(update={"knowledge_server": plain}))
        await self.close()
        return kind

    async def set_password(self, password: str) -> Kind:
        """ "" deletes it. Raises BadInput, KeyStorageMissing."""
        kind = await self._secrets.set(_KEY, _origin(self.address), _kept_form(password))
        await self.close()
        return kind

    async def has_password(self) -> bool:
        try:
            return bool(self.address) and await self._secrets.get(_KEY, _origin(self.address)) is not None
        except TriptychError:
            return False

    def key_names(self) -> list[tuple[str, str]]:
        """As the store of keys knows them."""
        return [(_KEY, _origin(self.address))] if self.address else []

    async def test(self) -> ServerTest:
        """Connects anew and makes the tables if need be. Never raises."""
        if not self.address:
            return ServerTest(True, _("No server: knowledge bases are kept on this computer."))
        began = time.monotonic()
        server = self._to(self.address)
        try:
            version = await server.version()
        except TriptychError as error:
            return ServerTest(False, error_text(error.code, error.message, error.params).what)
        finally:
            await server.close()
        ms = round((time.monotonic() - began) * 1000)
        if not server.has_vectors:
            lacking = KnowledgeServerFailed(reason="SERVER_VECTORS")
            return ServerTest(False, error_text(lacking.code, "", lacking.params).what)
        await self.close()  # what failed before is asked anew
        return ServerTest(True, _("It works: PostgreSQL {version}, in {ms} ms.").format(version=version, ms=ms))

    def at(self, address: str) -> Server:
        """To any address, for who closes it himself; a password in the address goes before one that is kept.

        Raises BadInput.
        """
        plain, password = _without_password(address.strip())
        return self._to(plain, password)

    def _to(self, address: str, typed: str = "") -> Server:
        async def password() -> str:
            if typed:
                return typed
            secret = await self._secrets.get(_KEY, _origin(address))
            return unquote(secret.reveal()) if secret is not None else ""

        def check() -> None:
            if not is_installed():
                raise KnowledgeServerFailed("asyncpg is not installed", reason="SERVER_LIBRARY")
            if self._network.offline and not _is_here(address):
                raise KnowledgeServerFailed("offline", reason="SERVER_OFFLINE")

        return Server(address, password, check)


def _kept_form(password: str) -> str:
    """A key has no spaces and no letters but ASCII; a password may."""
    return quote(password, safe="")


def _without_password(address: str) -> tuple[str, str]:
    """Raises BadInput for what is no address."""
    if not address:
        return "", ""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    is_socket = parts.query.startswith("host=") or "&host=" in parts.query
    if parts.scheme not in ("postgresql", "postgres") or not (host or is_socket) or len(address) > 1_000:
        raise BadInput("this is no address of a PostgreSQL server", reason="SERVER_ADDRESS")
    name = f"[{host}]" if ":" in host else host
    user = f"{quote(unquote(parts.username), safe='')}@" if parts.username else "@" if is_socket and not host else ""
    place = f"{user}{name}{f':{port}' if port else ''}"
    query = "&".join(piece for piece in parts.query.split("&") if piece and not piece.lower().startswith("password="))
    password = unquote(parts.password or "") or (parse_qs(parts.query).get("password") or [""])[0]
    return urlunsplit(("postgresql", place, parts.path or "/", query, "")), password


def _origin(address: str) -> str:
    """What a password is bound to: another server, user or database never gets it."""
    parts = urlsplit(address)
    return f"postgresql://{parts.netloc}{parts.path}".lower()


def _is_here(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return not host or host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
