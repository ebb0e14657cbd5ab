"""Who may use the local API: the person's own token, and clients with tokens, agents and rights of their own.

Of a client's token only its digest is stored. The token of the person does everything.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final, Literal, get_args

from app.core.errors import BadInput, UnknownName
from app.storage.config.api_token import ApiTokenFile
from app.storage.config.settings import SettingsFiles

ApiRight = Literal["run", "approve", "read"]
RIGHTS: Final[tuple[ApiRight, ...]] = get_args(ApiRight)
"""Ask questions; answer what a run asks, and steer it; read sessions, runs, tools and figures."""
FILE: Final = "api-clients"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_OWNER: Final = "owner"


@dataclass(frozen=True, slots=True)
class ApiClient:
    name: str
    agents: tuple[str, ...] = ("*",)
    """Ids or globs."""
    rights: tuple[ApiRight, ...] = RIGHTS

    @property
    def is_owner(self) -> bool:
        return self.name == _OWNER

    def may(self, right: ApiRight) -> bool:
        return right in self.rights

    def may_use(self, agent: str) -> bool:
        return any(fnmatchcase(agent, one) for one in self.agents)


OWNER: Final = ApiClient(_OWNER)


class ApiClientService:
    def __init__(self, files: SettingsFiles, token_file: ApiTokenFile, environ: Mapping[str, str]) -> None:
        """TRIPTYCH_API_TOKEN of `environ` takes the place of the stored token."""
        self._files, self._file = files, token_file
        self._given = environ.get("TRIPTYCH_API_TOKEN", "").strip()
        self._owner_digest = b""
        self.token = ""
        """Of the person; "" until `open`."""
        self._clients: dict[str, tuple[bytes, ApiClient]] = {}

    async def open(self) -> str:
        """Reads who may come; returns the token of the person. Raises what the disk raises."""
        token = self._given or await asyncio.to_thread(self._file.read_or_make)
        self.token, self._owner_digest = token, _digest(token)
        values, _problem = await asyncio.to_thread(self._files.load, FILE)
        self._clients = dict(filter(None, map(_client, _tables(values))))
        return token

    @property
    def token_path(self) -> str:
        """Where the token is stored; "" where the environment gives it."""
        return "" if self._given else str(self._file.path)

    @property
    def is_token_fixed(self) -> bool:
        """The environment gives it."""
        return bool(self._given)

    async def renew(self) -> str:
        """Another token of the person; the one before is refused from the next request on. Raises BadInput where the
        environment gives it, and what the disk raises."""
        if self._given:
            raise BadInput("the token comes from TRIPTYCH_API_TOKEN", reason="TOKEN_FIXED")
        self.token = await asyncio.to_thread(self._file.renew)
        self._owner_digest = _digest(self.token)
        return self.token

    def client_of(self, token: str) -> ApiClient | None:
        """Takes as long for a wrong token as for a right one."""
        digest, match = _digest(token), None
        for stored, client in ((self._owner_digest, OWNER), *self._clients.values()):
            if hmac.compare_digest(stored, digest):
                match = client
        return match

    def clients(self) -> list[ApiClient]:
        return [client for _digest, client in self._clients.values()]

    async def add(self, name: str, agents: Sequence[str] = (), rights: Sequence[str] = ()) -> str:
        """Returns the token, which is shown once and stored nowhere. Raises BadInput, and what the disk raises."""
        if not _NAME.fullmatch(name) or name == _OWNER:
            raise BadInput(f"{name!r} cannot be the name of a client", hint="a-z, 0-9, - and _", reason="CLIENT_NAME")
        if unknown := [right for right in rights if right not in RIGHTS]:
            raise UnknownName("right", unknown[0], RIGHTS)
        if name in self._clients:
            raise BadInput(f"there is a client {name} already", reason="CLIENT_TAKEN", client=name)
        token = secrets.token_urlsafe(32)
        granted: tuple[ApiRight, ...] = tuple(right for right in RIGHTS if not rights or right in rights)
        client = ApiClient(name, tuple(agents) or ("*",), granted)
        await self._save({**self._clients, name: (_digest(token), client)})
        return token

    async def remove(self, name: str) -> None:
        """Its token is refused from the next request on. Raises UnknownName."""
        if name not in self._clients:
            raise UnknownName("client", name, self._clients)
        await self._save({id: one for id, one in self._clients.items() if id != name})

    async def _save(self, clients: dict[str, tuple[bytes, ApiClient]]) -> None:
        tables = [
            {"name": one.name, "token_sha256": digest.hex(), "agents": list(one.agents), "rights": list(one.rights)}
            for digest, one in clients.values()
        ]
        await asyncio.to_thread(self._files.save, FILE, {"clients": tables})
        self._clients = clients


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _tables(values: Mapping[str, Any]) -> list[Any]:
    tables = values.get("clients", [])
    return list(tables) if isinstance(tables, list) else []


def _client(table: Any) -> tuple[str, tuple[bytes, ApiClient]] | None:
    """None for what is no client: a file edited by hand gives nobody more than it says."""
    try:
        name, digest = str(table["name"]), bytes.fromhex(table["token_sha256"])
        agents = tuple(map(str, table["agents"]))
        rights: tuple[ApiRight, ...] = tuple(right for right in RIGHTS if right in table["rights"])
    except (KeyError, TypeError, ValueError):
        return None
    is_sound = _NAME.fullmatch(name) and name != _OWNER and len(digest) == hashlib.sha256().digest_size
    return (name, (digest, ApiClient(name, agents, rights))) if is_sound else None
