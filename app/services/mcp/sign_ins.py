"""Sign-ins to MCP servers: started by a person, stored with the keys, renewed when they expire."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from app.core.errors import BadInput
from app.core.text.i18n import _
from app.mcp.config import ServerConfig, host_of, is_loopback
from app.mcp.sign_in import SignIn, SignInFailed, renewed, sign_in

from .registry import ServerRegistry
from .store import ServerSecrets


class SignIns:
    def __init__(self, secrets: ServerSecrets, registry: ServerRegistry) -> None:
        self._secrets, self._registry = secrets, registry
        self._running: dict[str, asyncio.Future[SignIn]] = {}

    async def begin(self, id: str, open_browser: Callable[[str], None]) -> None:
        """Until the tokens are kept; `open_browser` is called in the loop of the caller.

        Raises BadInput with what went wrong, KeyStorageMissing.
        """
        config = self._registry.stored(id).config
        if self._registry.network.offline and not is_loopback(host_of(config.url)):
            raise BadInput(_("Triptych stays offline; only servers on this computer are reached."))
        loop = asyncio.get_running_loop()

        def to_browser(url: str) -> None:
            """On the hub's thread."""
            loop.call_soon_threadsafe(open_browser, url)

        self.cancel(config.id)
        task = asyncio.ensure_future(self._registry.hub.run(sign_in(config, self._registry.network, to_browser)))
        self._running[config.id] = task
        try:
            tokens = await task
        except SignInFailed as error:
            raise BadInput(_("Not signed in: {why}").format(why=error.message)) from None
        except asyncio.CancelledError:
            if not task.cancelled():
                raise
            raise BadInput(_("The sign-in was given up.")) from None
        finally:
            if self._running.get(config.id) is task:
                del self._running[config.id]
        await self._secrets.keep_sign_in(config, tokens)

    def cancel(self, id: str) -> None:
        if (task := self._running.get(id)) is not None:
            task.cancel()

    async def is_done(self, id: str) -> bool:
        """Whether tokens of a sign-in are kept."""
        config = self._registry.stored(id).config
        return config.transport == "http" and await self._secrets.sign_in(config) is not None

    async def forget(self, id: str) -> None:
        await self._secrets.keep_sign_in(self._registry.stored(id).config, None)

    async def header(self, config: ServerConfig) -> dict[str, str]:
        """Of a sign-in, renewed where its time is over; none once it cannot be. A typed header goes before it."""
        if config.transport != "http" or any(name.lower() == "authorization" for name in config.headers):
            return {}
        sign_in = await self._secrets.sign_in(config)
        if sign_in is not None and sign_in.is_over and not self._registry.network.offline:
            try:
                sign_in = await self._registry.hub.run(renewed(sign_in, config, self._registry.network))
            except SignInFailed as error:
                if error.code == "refused":
                    sign_in = None
            await self._secrets.keep_sign_in(config, sign_in)
        return {"Authorization": f"Bearer {sign_in.access}"} if sign_in is not None else {}
