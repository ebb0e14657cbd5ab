"""The services that agents can ask, as a person sets them up: which one is asked, its address, its key, a test.

Keys go to the key store, bound to the origin they were entered for; another address never gets them.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from app.core.domain import Domain
from app.core.errors import BadInput, ToolError, TriptychError, UnknownName
from app.core.system.clock import CLOCK
from app.core.text.i18n import _, current_language
from app.core.tools.endpoint import CHOSEN, Endpoint
from app.core.tools.tool import ToolContext, ToolResult
from app.storage.config.secrets import Kind, SecretStore

from ..settings.settings import SettingsService
from .search import KeyState, SearchServiceEntry, SearchTest

_KEYS = "service."
_PATIENCE = 45.0


@dataclass(frozen=True, slots=True)
class EndpointGroup:
    """What gives the same; `entries[n].place` is 1 for the one that is asked."""

    title: str
    entries: tuple[SearchServiceEntry, ...]


class EndpointService:
    def __init__(self, settings: SettingsService, secrets: SecretStore) -> None:
        self._settings, self._secrets = settings, secrets
        self._seams: Mapping[str, Any] = {}

    def use(self, seams: Mapping[str, Any]) -> None:
        """What tools have beside their arguments: a test calls one."""
        self._seams = seams

    # ------------------------------------------------------------ what there is

    def groups(self) -> list[EndpointGroup]:
        groups = []
        for base in self._bases():
            asked = base.chosen(self._addresses)
            entries = tuple(
                SearchServiceEntry(
                    one.id, one.name or _(one.label), one.at(self._addresses), one.address, one.needs_key, one.home,
                    _(one.help) if one.help else "", one.credit, int(one is asked),
                )
                for one in base.every()
            )  # fmt: skip
            groups.append(EndpointGroup(_(base.label), entries))
        return groups

    def is_local(self, id: str) -> bool:
        """Whether its address is one of this computer or its network."""
        return _is_local(self._endpoint(id).at(self._addresses))

    def address(self, id: str) -> str:
        return self._endpoint(id).at(self._addresses)

    @property
    def _addresses(self) -> Mapping[str, str]:
        return self._settings.preferences.endpoints

    def _bases(self) -> list[Endpoint]:
        return [endpoint for domain in self._settings.domains() for endpoint in domain.endpoints]

    def _endpoint(self, id: str) -> Endpoint:
        known: list[str] = []
        for domain in sorted(self._settings.domains(), key=_is_missing):  # a tool that asks is of a loaded one
            by_id = {one.id: one for base in domain.endpoints for one in base.every()}
            if id in by_id:
                return by_id[id]
            known += by_id
        raise UnknownName("service", id, known)

    def _origin(self, id: str) -> str:
        parts = urlsplit(self.address(id))
        return f"{parts.scheme}://{parts.netloc}".lower()

    # ------------------------------------------------------------ keys

    async def key_state(self, id: str) -> KeyState:
        try:
            return "there" if await self.key(id) else "missing"
        except TriptychError:
            return "unreadable"

    async def key(self, id: str) -> str:
        """ "" where there is none for the address it has now."""
        secret = await self._secrets.get(_KEYS + id, self._origin(id))
        return secret.reveal() if secret else ""

    def key_names(self) -> list[tuple[str, str]]:
        """As the store of keys knows them."""
        keyed = (one for base in self._bases() for one in base.every() if one.needs_key)
        return [(_KEYS + one.id, self._origin(one.id)) for one in keyed]

    async def set_key(self, id: str, key: str) -> Kind:
        """Where it was kept. Raises BadInput, KeyStorageMissing; "" deletes it."""
        return await self._secrets.set(_KEYS + id, self._origin(id), key)

    # ------------------------------------------------------------ changes

    async def choose(self, id: str, is_asked: bool = True) -> None:
        """Asks it from now on in place of those that give the same; False: the usual one of them again."""
        base = next((one for one in self._bases() if id in {each.id for each in one.every()}), None)
        if base is None:
            raise UnknownName("service", id, [one.id for one in self._bases()])
        await self._store(base.id + CHOSEN, id if is_asked and id != base.id else "")

    async def set_address(self, id: str, address: str, *, local: bool = False) -> None:
        """ "" = the usual one. `local`: the person agreed that it may be this computer or its network.

        Raises BadInput for what is no address, or a local one without `local`.
        """
        self._endpoint(id)
        address = address.strip().rstrip("/")
        parts = urlsplit(address)
        if address and (parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc):
            raise BadInput(
                _("an address begins with http:// or https:// and names a host"), reason="ADDRESS", host=address
            )
        if _is_local(address) and not local:
            raise BadInput(
                _("this is an address of this computer or its network: tick that it may be asked first"),
                reason="LOCAL_ADDRESS",
            )
        await self._store(id, address)

    async def _store(self, name: str, value: str) -> None:
        kept = {key: text for key, text in self._settings.preferences.endpoints.items() if key != name}
        endpoints = {**kept, name: value} if value else kept
        await self._settings.save_preferences(self._settings.preferences.model_copy(update={"endpoints": endpoints}))

    # ------------------------------------------------------------ a test

    async def test(self, id: str) -> SearchTest:
        """Asks the service once, whichever is chosen. Never raises."""
        base = next((one for one in self._bases() if id in {each.id for each in one.every()}), None)
        tool = None
        if base is not None:
            tools = (tool for domain in self._settings.domains() for tool in domain.tools)
            tool = next((tool for tool in tools if tool.endpoint is base), None)
        if base is None or tool is None:
            return SearchTest(False, _("The tool is not there."), "NOT_CONFIGURED")
        today = CLOCK.today()
        args = {name: text.format(today=today.isoformat()) for name, text in self._endpoint(id).trial}
        addresses = {**self._addresses, base.id + CHOSEN: id}
        ctx = ToolContext(**{**self._seams, "addresses": addresses, "language": current_language(), "today": today})
        began = time.monotonic()
        try:
            async with asyncio.timeout(_PATIENCE):
                result = tool.body(ctx, args)
                result = result if isinstance(result, ToolResult) else await result
        except ToolError as error:
            message, hint = error.worded(current_language())
            return SearchTest(False, " ".join(filter(None, [message, hint])), error.tool_code)
        except TimeoutError:
            return SearchTest(False, _("It did not answer in time."), "TIMEOUT")
        ms = int((time.monotonic() - began) * 1000)
        if result.meta.get("substitute"):
            return SearchTest(False, _("It could not be reached."), "NETWORK_OFF", 0, ms)
        first = " ".join(result.summary.split("\n")[:2])
        return SearchTest(result.ok, _("It works: {title}").format(title=first[:80]), "", 1, ms)


def _is_missing(domain: Domain) -> bool:
    return not domain.is_loaded


def _is_local(address: str) -> bool:
    """By what the address itself says: names are looked up when they are asked."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith((".localhost", ".local", ".lan", ".internal")):
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return bool(host) and "." not in host
