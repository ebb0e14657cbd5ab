"""The connection to the server: opened at the first call, again after the server was gone, closed with the program."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from app.core.errors import DataNewer, KnowledgeServerFailed

from .schema import VERSION, prepare

if TYPE_CHECKING:
    from asyncpg import Connection, Pool

log = logging.getLogger(__name__)
T = TypeVar("T")
SECONDS = 60.0
"""For one statement."""
_CONNECTING = 8.0
_SILENT = 5.0
_PAUSES = (0.0, 0.5, 2.0)
"""Before each further try of work that a lost connection cut off."""


def is_installed() -> bool:
    """Whether the library that speaks to the server is there: the extra `postgres`."""
    return importlib.util.find_spec("asyncpg") is not None


class Server:
    """`work` of a call runs in one transaction, which the server keeps whole or not at all."""

    def __init__(self, address: str, password: Callable[[], Awaitable[str]], check: Callable[[], None]) -> None:
        """`address` is postgresql://user@host:port/database?options; `check` raises where it may not be asked now."""
        self._address, self._password, self._check = address, password, check
        self._pool: Pool | None = None
        self._opening = asyncio.Lock()
        self._lost: KnowledgeServerFailed | None = None
        self._lost_at = 0.0
        self.has_vectors = False

    async def close(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.terminate()

    async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Who only looks does not wait again for a server that was not there a moment ago."""
        if self._lost is not None and time.monotonic() - self._lost_at < _SILENT:
            raise KnowledgeServerFailed(self._lost.message, **self._lost.params)
        return await self._on(work, _PAUSES[:1])

    async def write(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """`work` may be done twice: the connection may be lost after the server has kept it."""
        return await self._on(work, _PAUSES)

    async def version(self) -> str:
        """What the server says of itself."""

        async def ask(connection: Connection) -> str:
            return str(await connection.fetchval("SHOW server_version"))

        return await self.read(ask)

    async def _on(self, work: Callable[[Connection], Awaitable[T]], pauses: tuple[float, ...]) -> T:
        for pause in pauses:
            try:
                return await self._once(work)
            except KnowledgeServerFailed as error:
                if error.params.get("reason") != "SERVER_LOST":
                    raise
                await asyncio.sleep(pause)
        try:
            return await self._once(work)
        except KnowledgeServerFailed as error:
            if error.params.get("reason") == "SERVER_LOST":
                self._lost, self._lost_at = error, time.monotonic()
            raise

    async def _once(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        self._check()
        import asyncpg

        try:
            pool = await self._opened()
            async with pool.acquire(timeout=_CONNECTING) as connection, connection.transaction():
                result = await work(connection)
            self._lost = None
            return result
        except asyncpg.InvalidAuthorizationSpecificationError as error:
            raise _failed(error, reason="SERVER_AUTH") from error
        except (
            asyncpg.PostgresConnectionError, asyncpg.CannotConnectNowError, asyncpg.AdminShutdownError,
            asyncpg.CrashShutdownError, asyncpg.InterfaceError, OSError, TimeoutError,
        ) as error:  # fmt: skip
            await self.close()
            raise _failed(error, reason="SERVER_LOST") from error
        except (asyncpg.PostgresError, ValueError) as error:
            raise _failed(error, reason="SERVER_REFUSED") from error

    async def _opened(self) -> Pool:
        async with self._opening:
            if self._pool is None:
                self._pool, self.has_vectors = await self._open()
        return self._pool

    async def _open(self) -> tuple[Pool, bool]:
        import asyncpg

        async def set_up(connection: Connection) -> None:
            await connection.execute("SET search_path = triptych, public")

        pool = await asyncpg.create_pool(
            self._address, password=await self._password() or None, min_size=0, max_size=4, timeout=_CONNECTING,
            command_timeout=SECONDS, setup=set_up, server_settings={"application_name": "Triptych"},
        )  # fmt: skip
        try:
            async with pool.acquire(timeout=_CONNECTING) as connection, connection.transaction():
                version, has_vectors = await prepare(connection)
        except BaseException:
            pool.terminate()
            raise
        if version > VERSION:
            pool.terminate()
            raise DataNewer(f"the knowledge bases are of version {version}", hint="use the newer program")
        return pool, has_vectors


def _failed(error: BaseException, *, reason: str) -> KnowledgeServerFailed:
    log.info("the server of the knowledge bases: %s: %s", type(error).__name__, error)
    detail = " ".join(str(error).split())[:200] or type(error).__name__
    return KnowledgeServerFailed(detail, reason=reason, detail=detail)


def rows_of(records: Any) -> list[tuple[Any, ...]]:
    """Records of the library as plain tuples."""
    return [tuple(record) for record in records]
