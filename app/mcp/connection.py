"""One server on the I/O loop: a single task opens, owns and closes it; no other code touches the SDK's contexts.

A connection opened in one task cannot be closed in another. Callers only send requests and wait; the owner ends when
it is asked to, or when the server does.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from app.core.system.network import NetworkPolicy
from app.core.text.i18n import _
from app.core.text.os_errors import os_words

from .config import ServerConfig, fetches_first, host_of, is_loopback
from .environment import passed_to
from .facts import CannotRun, StartFacts, start_facts
from .listing import ToolListing
from .log import ServerLog
from .prompts import ListedPrompt, read_prompts
from .resources import ListedResource, read_resources
from .transport.http import CannotReach, HttpLink
from .transport.refusals import is_old_sse, refusal_words, sign_in_words
from .transport.stdio import StdioLink

if TYPE_CHECKING:
    from mcp.client import ClientSession

T = TypeVar("T")
GREETING_SECONDS: Final = 4.5
"""For each of the two ways to begin."""
FETCH_SECONDS: Final = 45.0
"""The same, where a package may have to be downloaded first."""
SESSION_GONE: Final = "Session terminated"
"""What the SDK says when a server over HTTP no longer knows the session."""
AT_ONCE: Final = 8
"""Calls running at the same time on one server."""


class StartFailed(Exception):
    """`code`: not_found, not_executable, batch, changed, offline, address, silent, ended, protocol, network, often,
    sign_in, sse."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class CallFailed(Exception):
    """`code`: OUTCOME_UNKNOWN (it may have been done), DAMAGED (done, the answer cannot be read), MCP_ERROR."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True)
class StartPlan:
    """Everything a start needs. `fingerprint` is what the person agreed to."""

    config: ServerConfig
    fingerprint: str
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    offline: bool = False


class Connection:
    """`tell` is called when the server ends or announces other tools."""

    def __init__(self, plan: StartPlan, log: ServerLog, network: NetworkPolicy, tell: Callable[[], None]) -> None:
        self.plan, self._log, self._network, self._tell = plan, log, network, tell
        self.listing = ToolListing()
        self.version = ""
        self.list_is_old = False
        """It said so itself. The newer protocol has no such word without a stream of its own: see `listed_at`."""
        self.listed_at = time.monotonic()
        self.why = ""
        """Why it ended by itself; "" while it runs, and when it was told to end."""
        self._link: StdioLink | HttpLink | None = None
        self._session: ClientSession | None = None
        self._stop = asyncio.Event()
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._owner: asyncio.Task[None] | None = None
        self._slots = asyncio.Semaphore(AT_ONCE)

    @property
    def is_open(self) -> bool:
        return self._session is not None and not self._stop.is_set()

    def _is_cut(self, error: Any) -> bool:
        """The way to the server has ended. The code alone does not say so: servers use that number as well."""
        import mcp_types as types

        said_by_the_sdk = error.code == types.CONNECTION_CLOSED and error.message == "Connection closed"
        return said_by_the_sdk or self._session is None or self._stop.is_set()

    @property
    def pid(self) -> int | None:
        return self._link.pid if self._link is not None else None

    async def start(self) -> ToolListing:
        """Returns the server's tools. Raises StartFailed; then nothing of it is left."""
        self._owner = asyncio.create_task(self._own(), name=f"mcp {self.plan.config.id}")
        try:
            await asyncio.shield(self._ready)
        except asyncio.CancelledError:
            await self.stop()
            raise
        return self.listing

    async def stop(self) -> None:
        """Returns when the server is gone."""
        self._stop.set()
        owner = self._owner
        if owner is None or owner.done():
            return
        if not self._ready.done():
            owner.cancel()
        await asyncio.wait([owner])

    async def call(self, name: str, args: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The raw result. Raises CallFailed."""
        from .session import call_tool

        return await self._answered(lambda session: call_tool(session, name, args, seconds), seconds)

    async def resources(self, seconds: float) -> tuple[ListedResource, ...]:
        """What it offers to be read. Raises CallFailed."""
        from .session import list_resources

        return read_resources(await self._answered(lambda session: list_resources(session, seconds), seconds))

    async def read(self, uri: str, seconds: float) -> dict[str, Any]:
        """The raw result. Raises CallFailed."""
        from .session import read_resource

        return await self._answered(lambda session: read_resource(session, uri, seconds), seconds)

    async def prompts(self, seconds: float) -> tuple[ListedPrompt, ...]:
        """What it offers to be asked. Raises CallFailed."""
        from .session import list_prompts

        return read_prompts(await self._answered(lambda session: list_prompts(session, seconds), seconds))

    async def prompt(self, name: str, values: Mapping[str, str], seconds: float) -> dict[str, Any]:
        """The raw result. Raises CallFailed."""
        from .session import get_prompt

        return await self._answered(lambda session: get_prompt(session, name, values, seconds), seconds)

    async def _answered(self, ask: Callable[[ClientSession], Awaitable[T]], seconds: float) -> T:
        from mcp.shared.exceptions import MCPError

        async with self._slots:
            if self._session is None:
                raise CallFailed("OUTCOME_UNKNOWN", self._ended_words())
            try:
                async with asyncio.timeout(seconds + 1):
                    return await ask(self._session)
            except MCPError as error:
                if self._is_cut(error) and self._owner is not None:
                    await asyncio.wait([self._owner], timeout=1)  # it knows why
                raise self._call_failed(error, seconds) from error
            except TimeoutError:
                raise CallFailed("OUTCOME_UNKNOWN", _late(seconds)) from None

    async def relist(self) -> ToolListing:
        """The tools as they are now. Raises CallFailed."""
        from mcp.shared.exceptions import MCPError

        from .session import list_tools

        if self._session is None:
            raise CallFailed("MCP_ERROR", self._ended_words())
        self.list_is_old = False
        self.listed_at = time.monotonic()
        try:
            self.listing = await list_tools(self._session)
        except (MCPError, TimeoutError) as error:
            self.list_is_old = True
            why = _("the list of tools did not come: {error}").format(error=error)
            raise CallFailed("MCP_ERROR", why[:300]) from error
        return self.listing

    # ------------------------------------------------------------ the owner

    async def _own(self) -> None:
        try:
            await self._live()
        except BaseException as error:  # noqa: BLE001 – the owner's last word: every way to fail becomes one sentence
            failed = self._start_failed(error)
            if not self._ready.done():
                self._ready.set_exception(failed)
                self._ready.exception()  # seen, even if the starter has gone
            elif not self._stop.is_set():
                self.why = failed.message
        finally:
            self._session = None
            if not self._stop.is_set():
                self.why = self.why or self._ended_words()
                self._log.say(f"[{self.why}]")
                self._stop.set()
            self._tell()

    async def _live(self) -> None:
        from .session import Lenient, list_tools, negotiate, new_session

        config = self.plan.config
        facts = await self._check()
        self._link = link = self._new_link(facts)
        seconds = FETCH_SECONDS if fetches_first(config) else GREETING_SECONDS
        async with AsyncExitStack() as open_:
            read, write = await open_.enter_async_context(link.open())
            dispatcher = Lenient(read, write)
            session = await open_.enter_async_context(new_session(dispatcher, self._list_changed))
            self.version = await negotiate(session, seconds)
            self.listing = await list_tools(session)
            self._session = session
            words = _("started, protocol {version}, {n} tools")
            self._log.say(f"[{words.format(version=self.version, n=len(self.listing.tools))}]")
            self._ready.set_result(None)
            await self._until_the_end(dispatcher)
            self._session = None

    async def _check(self) -> StartFacts:
        config = self.plan.config
        if self.plan.offline and config.transport == "http" and not is_loopback(host_of(config.url)):
            raise CannotReach("offline", _("Triptych is offline; only servers on this computer are reached"))
        facts = await asyncio.to_thread(start_facts, config)
        if facts.fingerprint != self.plan.fingerprint:
            raise StartFailed("changed", _("what would be started is not what was reviewed"))
        return facts

    def _new_link(self, facts: StartFacts) -> StdioLink | HttpLink:
        plan = self.plan
        if plan.config.transport == "http":
            return HttpLink(plan.config, plan.headers, self._network)
        # A runner that may fetch packages knows these words; others do not mind them.
        quiet = {"npm_config_offline": "true", "UV_OFFLINE": "1", "TRIPTYCH_OFFLINE": "1"} if plan.offline else {}
        ours = passed_to(plan.config, self._network)
        self._log.begin()
        self._log.mask([*plan.env.values(), *ours.passwords])
        if ours.withheld:
            words = _("not passed on, since it holds a password: {names}")
            self._log.say(f"[{words.format(names=', '.join(ours.withheld))}]")
        config = plan.config.with_values(plan.env)
        return StdioLink(config, facts.program, {**ours.values, **quiet, **plan.env}, self._log)

    async def _until_the_end(self, dispatcher: Any) -> None:
        ends = [asyncio.create_task(event.wait()) for event in (self._stop, dispatcher.ended)]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in ends:
                task.cancel()

    def _list_changed(self) -> None:
        """However often it is said, the list is asked for once, before the next call."""
        if not self.list_is_old:
            self.list_is_old = True
            self._tell()

    # ------------------------------------------------------------ words

    def _start_failed(self, error: BaseException) -> StartFailed:
        error = innermost(error)
        if isinstance(error, StartFailed):
            return error
        if isinstance(error, CannotRun | CannotReach):
            return StartFailed(error.code, error.message)
        if isinstance(error, asyncio.CancelledError):
            return StartFailed("ended", _("the start was given up"))
        if (refused := self._refused()) is not None:
            return refused
        if isinstance(error, TimeoutError):
            return StartFailed("silent", self._silent_words())
        if self._link is not None and (self._link.why or self._link.exit_code is not None):
            return StartFailed("ended", self._ended_words())
        reason = self._log.masked(_root(error))[:300]
        if isinstance(error, OSError):
            return StartFailed(
                "not_executable", _("the program could not be started: {why}").format(why=_(os_words(error)))
            )
        kind = "network" if type(error).__module__.startswith(("httpx2", "httpcore2")) else "protocol"
        return StartFailed(kind, reason or type(error).__name__)

    def _call_failed(self, error: Any, seconds: float) -> CallFailed:
        import mcp_types as types

        message = self._log.masked(str(error))[:500]
        if error.code == types.REQUEST_TIMEOUT:
            return CallFailed("OUTCOME_UNKNOWN", _late(seconds))
        if isinstance(self._link, HttpLink) and self._link.unreachable is not None:
            return CallFailed("MCP_ERROR", self._link.unreachable.message)
        if self._is_cut(error):
            return CallFailed("OUTCOME_UNKNOWN", self.why or self._ended_words())
        if (refused := self._refused(only_sign_in=True)) is not None:
            return CallFailed("MCP_ERROR", refused.message)
        if message == SESSION_GONE:
            self._stop.set()
            return CallFailed("MCP_ERROR", _("the server has forgotten us; the next call begins anew"))
        return CallFailed("DAMAGED" if error.code == types.PARSE_ERROR else "MCP_ERROR", message)

    def _refused(self, *, only_sign_in: bool = False) -> StartFailed | None:
        """What the server over HTTP answered instead of an answer."""
        link, url = self._link, self.plan.config.url
        if not isinstance(link, HttpLink):
            return None
        if link.unreachable is not None:
            return StartFailed(link.unreachable.code, link.unreachable.message)
        if link.refusal is None:
            return None
        if link.refusal.wants_sign_in:
            message = self._log.masked(sign_in_words(link.refusal, has_token=link.has_token))
            return StartFailed("sign_in", message)
        if only_sign_in:
            return None
        if is_old_sse(url):
            return StartFailed("sse", _("this is an address of the old SSE transport; use the server's /mcp address"))
        return StartFailed("protocol", self._log.masked(refusal_words(link.refusal, url)))

    def _silent_words(self) -> str:
        told, reason = _("the server did not answer in time"), self._log.reason(only_errors=True)
        return f"{told}: {reason}" if reason else told

    def _ended_words(self) -> str:
        link = self._link
        if link is not None and link.why:
            return _("the server was ended: it sent {what}").format(what=link.why)
        if link is not None and link.exit_code is not None:
            reason = self._log.reason()
            sentence = _("the server has ended (exit code {code})").format(code=link.exit_code)
            return f"{sentence}: {reason}" if reason else sentence
        return _("the connection to the server has ended")


def _late(seconds: float) -> str:
    return _("no answer after {seconds:g} s; whether it was done is not known").format(seconds=seconds)


def _root(error: BaseException) -> str:
    """What the system said, where libraries have wrapped it: a refused connection, not failed attempts."""
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
        cause = innermost(cause) if cause is not None else None
    for one in reversed(chain):
        if isinstance(one, ssl.SSLCertVerificationError):
            return one.verify_message or str(one)
        if isinstance(one, ssl.SSLError):
            return str(one.reason or one)
        if isinstance(one, OSError) and one.errno:
            return _(os_words(one))
    return str(error)


def innermost(error: BaseException) -> BaseException:
    """The cause that says most: task groups wrap it, once for every level."""
    while isinstance(error, BaseExceptionGroup):
        inner = [one for one in error.exceptions if not isinstance(one, asyncio.CancelledError)] or error.exceptions
        error = inner[0]
    return error
