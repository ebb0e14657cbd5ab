"""The connection with an agent's program, and the one session it has with us.

Whatever it sends is bounded before it is read, and nothing is read faster than it is shown.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from pydantic import BaseModel, ValidationError

from app.core.acp_program import AgentOffers
from app.core.system.version import version

from .launch import LaunchPlan, failed
from .offers import read_offers
from .program import AgentProgram

if TYPE_CHECKING:
    from acp.connection import Connection
    from acp.schema import InitializeResponse, PromptResponse

    from app.core.system.json_lines import JsonLines

START_SECONDS: Final = 60.0
MOST_ASKED: Final = 32
"""Requests of an agent that are open at the same time."""
PER_SECOND: Final = 1_000
"""Messages that are read of one agent, after a second's worth."""
LONGEST_WORDS: Final = 300
_AUTH_REQUIRED: Final = -32000


class Hearer(Protocol):
    """Who shows what an agent sends while it answers, and does what it asks for."""

    @property
    def is_full(self) -> bool: ...

    def update(self, update: Any) -> None:
        """A `SessionUpdate` of the protocol."""

    async def permission(self, request: Any) -> dict[str, Any]: ...

    async def call(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """`fs/…` and `terminal/…`. Raises the SDK's RequestError."""


class AgentLink:
    def __init__(self, plan: LaunchPlan, folder: Path, *, can_work: bool) -> None:
        """`can_work`: the person has picked the folder, so files in it can be asked for, and programs run."""
        self.plan, self.folder, self._can_work = plan, folder, can_work
        self.program = AgentProgram(plan, str(folder))
        self._connection: Connection | None = None
        self._hearer: Hearer | None = None
        self._ending: asyncio.Task[None] | None = None
        self._asked = 0
        self.session = ""
        """The agent's own id of it."""
        self.seen = ""
        """The id of our last message that the agent knows of."""
        self.about: InitializeResponse | None = None
        self.offers = AgentOffers()
        """As its session began."""
        self._ways: Mapping[str, str] = {}
        self._mode = self._model = ""
        """What the person has chosen in this session of it."""
        self.used = 0.0
        """When it was last asked, by the loop's clock."""

    @property
    def is_alive(self) -> bool:
        return self._connection is not None and self._ending is None and self.program.is_alive

    @property
    def sees_images(self) -> bool:
        able = self.about.agent_capabilities if self.about is not None else None
        return bool(able is not None and able.prompt_capabilities and able.prompt_capabilities.image)

    # ------------------------------------------------------------ beginning

    async def open(self, known: str = "") -> bool:
        """Starts it; with `known` it is asked for that session of it again. Whether it remembers it.

        Raises ForeignAgentFailed; nothing is left running then.
        """
        await asyncio.to_thread(import_module, "acp")  # a second of work, which the window's thread has not
        from acp.connection import Connection

        try:
            lines = await self.program.start()
            self._connection = Connection(self._handle, _Paced(lines, self))
            await self._introduce()
            return await self._begin_session(known)
        except BaseException:
            await asyncio.shield(self.close())
            raise

    async def _introduce(self) -> None:
        from acp import PROTOCOL_VERSION
        from acp.schema import (
            ClientCapabilities,
            FileSystemCapabilities,
            Implementation,
            InitializeRequest,
            InitializeResponse,
        )

        can = ClientCapabilities(
            fs=FileSystemCapabilities(read_text_file=self._can_work, write_text_file=self._can_work),
            terminal=self._can_work,
        )
        us = Implementation(name="triptych", title="Triptych", version=version())
        request = InitializeRequest(protocol_version=PROTOCOL_VERSION, client_capabilities=can, client_info=us)
        self.about = await self._ask("initialize", request, InitializeResponse)
        if self.about.protocol_version != PROTOCOL_VERSION:
            words, theirs = "another version of the protocol", self.about.protocol_version
            raise failed(reason="ACP_VERSION", message=words, version=theirs, ours=PROTOCOL_VERSION)

    async def _begin_session(self, known: str) -> bool:
        from acp.schema import (
            LoadSessionRequest,
            LoadSessionResponse,
            NewSessionRequest,
            NewSessionResponse,
        )

        can = self.about.agent_capabilities if self.about is not None else None
        if known and can is not None and can.load_session:
            request = LoadSessionRequest(cwd=str(self.folder), mcp_servers=[], session_id=known)
            with suppress(Exception):  # a session it has forgotten is begun anew
                loaded = await self._ask("session/load", request, LoadSessionResponse)
                self.session = known
                self.offers, self._ways = read_offers(loaded.modes, loaded.config_options)
                return True
        new = NewSessionRequest(cwd=str(self.folder), mcp_servers=[])
        begun = await self._ask("session/new", new, NewSessionResponse)
        self.session = begun.session_id
        self.offers, self._ways = read_offers(begun.modes, begun.config_options)
        return False

    async def choose(self, mode: str, model: str) -> None:
        """Of its own modes and models, for what is asked from now on; "" is the one it began with. What it changes
        itself afterwards stays until the person chooses another. Raises ForeignAgentFailed."""
        if mode != self._mode and (wanted := mode or self.offers.mode):
            await self._set("mode", wanted)
        self._mode = mode
        if model != self._model and (wanted := model or self.offers.model):
            await self._set("model", wanted)
        self._model = model

    async def _set(self, kind: str, value: str) -> None:
        from acp.schema import (
            SetSessionConfigOptionResponse,
            SetSessionConfigOptionSelectRequest,
            SetSessionModeRequest,
            SetSessionModeResponse,
        )

        if (option := self._ways.get(kind)) is not None:
            request = SetSessionConfigOptionSelectRequest(session_id=self.session, config_id=option, value=value)
            await self._ask("session/set_config_option", request, SetSessionConfigOptionResponse)
        elif kind == "mode":
            change = SetSessionModeRequest(session_id=self.session, mode_id=value)
            await self._ask("session/set_mode", change, SetSessionModeResponse)
        else:
            words = "it offers no choice of models"
            raise failed(reason="ACP_ERROR", message=words, why=words)

    # ------------------------------------------------------------ one question

    async def prompt(self, blocks: Sequence[Any], hearer: Hearer) -> PromptResponse:
        """Raises ForeignAgentFailed. It waits as long as the agent takes: limits are the caller's."""
        from acp.schema import PromptRequest, PromptResponse

        self._hearer, self.used = hearer, asyncio.get_running_loop().time()
        self.program.log.begin()  # what it wrote about an earlier question does not explain its end
        try:
            request = PromptRequest(session_id=self.session, prompt=list(blocks))
            end: PromptResponse = await self._ask("session/prompt", request, PromptResponse, seconds=None)
            return end
        finally:
            self._hearer = None

    async def cancel(self) -> None:
        """What is going on is to stop."""
        if self._connection is not None:
            with suppress(ConnectionError):
                await self._connection.send_notification("session/cancel", {"sessionId": self.session})

    async def close(self) -> None:
        """Its process is gone when this returns, with everything it started."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._end(), name="end of an agent")
        await asyncio.shield(self._ending)

    async def _end(self) -> None:
        await self.program.close()
        if self._connection is not None:
            with suppress(Exception):
                await self._connection.close()

    async def _ask(
        self, method: str, params: BaseModel, answer: type[Any], *, seconds: float | None = START_SECONDS
    ) -> Any:
        from acp.exceptions import RequestError

        assert self._connection is not None, "asked after the start"
        body = params.model_dump(mode="json", by_alias=True, exclude_none=True)
        try:
            async with asyncio.timeout(seconds):
                result = await self._connection.send_request(method, body)
            return answer.model_validate(result or {})
        except TimeoutError:
            raise failed(reason="ACP_SILENT", message=f"{method}: no answer", n=round(seconds or 0)) from None
        except ConnectionError:
            words = await self.program.last_words()
            raise failed(reason="ACP_GONE", message=f"its program has ended: {words}", why=words or method) from None
        except ValidationError as error:
            raise failed(reason="ACP_DAMAGED", message=f"{method}: {error.error_count()} faults", why=method) from None
        except RequestError as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception) -> Exception:
        words = said(error)
        if getattr(error, "code", 0) == _AUTH_REQUIRED:
            ways = [one.name for one in (self.about.auth_methods or ())] if self.about is not None else []
            listed = ", ".join(_short(way) for way in ways[:5]) or words
            return failed(reason="ACP_SIGN_IN", message=f"it wants a sign-in: {listed}", ways=listed)
        return failed(reason="ACP_ERROR", message=words, why=words)

    # ------------------------------------------------------------ what it asks for

    async def _handle(self, method: str, params: Any, is_notification: bool) -> Any:
        from acp.exceptions import RequestError
        from acp.schema import RequestPermissionRequest, SessionNotification

        hearer = self._hearer
        if is_notification:
            if method == "session/update" and hearer is not None:
                with suppress(ValidationError):  # a kind of update that is not known here
                    hearer.update(SessionNotification.model_validate(params).update)
            return None
        if hearer is None:
            raise RequestError(-32600, "nothing was asked of the agent now")
        if self._asked >= MOST_ASKED:
            raise RequestError(-32600, "too many requests at once")
        self._asked += 1
        try:
            if method == "session/request_permission":
                return await hearer.permission(RequestPermissionRequest.model_validate(params))
            if method.startswith(("fs/", "terminal/")) and isinstance(params, dict):
                return await hearer.call(method, params)
            raise RequestError.method_not_found(method)
        finally:
            self._asked -= 1


class _Paced:
    """Reads no faster than the hearer takes it, and lets each message be looked at before the next is read. A flood is
    read at a pace that leaves the window its time."""

    def __init__(self, lines: JsonLines, link: AgentLink) -> None:
        self._lines, self._link = lines, link
        self._since, self._count = time.monotonic(), 0

    def _pause(self) -> float:
        self._count += 1
        ahead = self._count / PER_SECOND - (time.monotonic() - self._since)
        if ahead < -1:
            self._since, self._count = time.monotonic(), 0
        return min(ahead - 1, 1.0) if ahead > 1 else 0.0

    async def send(self, message: dict[str, Any]) -> None:
        await self._lines.send(message)

    async def close(self) -> None:
        await self._lines.close()

    async def receive(self) -> dict[str, Any] | None:
        while (hearer := self._link._hearer) is not None and hearer.is_full:  # noqa: SLF001, ASYNC110 - of one pair
            await asyncio.sleep(0.01)
        await asyncio.sleep(self._pause())
        message = await self._lines.receive()
        if message is not None and "method" in message and not isinstance(message["method"], str):
            return {"jsonrpc": "2.0", "method": ""}  # answered by nobody
        return message


def said(error: Exception) -> str:
    """What another program says of its error, short and storable."""
    data = getattr(error, "data", None)
    detail = data.get("details") or data.get("message") if isinstance(data, dict) else data
    texts = [str(error), detail if isinstance(detail, str) else ""]
    return _short(": ".join(dict.fromkeys(filter(None, texts))))


def _short(text: str) -> str:
    from app.mcp.texts import for_model, scrub

    return " ".join(for_model(scrub(text), LONGEST_WORDS).split())
