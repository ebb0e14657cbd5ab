"""`ChatModel` over the openai SDK: one request, its clocks, its lessons – and the one boundary of errors.

The SDK signs and sends; the bytes that come back are read by `stream.py`, because the SDK's own reading
costs three times as much and takes broken answers for whole ones. History goes in by `extra_body`: the
SDK walks every message it is given as an argument.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from app.core.errors import (
    BlockedOffline,
    IncompleteStream,
    KeyRefused,
    ModelError,
    ModelTimeout,
    RequestRefused,
    ToolUseFailed,
)
from app.core.run.chat_model import Alive, Finished, ModelChunk, ModelRequest, ModelTraits, UserTurn
from app.core.system.network import ONLINE, NetworkPolicy
from app.providers.chat.assembler import Assembler, new_call_ids
from app.providers.chat.exchange_recorder import ExchangeRecorder
from app.providers.chat.stream import AnswerReader
from app.providers.http.endpoint_quirks import QuirkStore
from app.providers.http.faults import from_status
from app.providers.http.http_client import Inflater, new_client
from app.providers.http.network_faults import from_exception
from app.providers.http.proxies import address_of, host_of, is_loopback, proxy_for, shown
from app.providers.http.read_ahead import ReadAhead
from app.providers.http.redact import redact
from app.providers.http.timeouts import RequestTimeouts, SleepSense, Watch, limits_for
from app.providers.request.build import build_body, dialect_of, offered_tools
from app.providers.text_calls.select import read_failed, reader_for, tools_just_taken_away

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

_log = logging.getLogger(__name__)
_CLOSE_SECONDS: Final = 0.4
_MAX_LESSONS: Final = 6
_SDK_PART: Final = "openai.resources.chat.completions"
_NO_KEY: Final = "none"


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """Where a model is and how one gets there. `provider` is the first half of its reference."""

    provider: str
    base_url: str
    key: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    proxy: str = ""
    ca_file: str = ""
    """Further certificates to trust, for servers of an own network."""
    network: NetworkPolicy = ONLINE
    """Read before every request."""
    list_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What the list of models is asked with instead of the usual header."""

    @property
    def secrets(self) -> tuple[str, ...]:
        return tuple(secret for secret in (self.key, *self.headers.values()) if secret)


class OpenAIChat:
    """One model. The client is made at the first request, in the loop that makes it."""

    def __init__(
        self,
        endpoint: ModelEndpoint,
        model: str,
        traits: ModelTraits | None = None,
        *,
        learned: QuirkStore | None = None,
        limits: RequestTimeouts | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._place = {"address": address_of(endpoint.base_url)}  # for the person, in every error
        self._model = model
        self._traits = traits or ModelTraits()
        self._learned = (learned or QuirkStore()).of(endpoint.base_url, model)
        self._limits = limits or limits_for(self._traits)
        self._client: AsyncOpenAI | None = None
        self._streams = 0
        self._is_closed = False
        self._proxy = ""
        self._sense = SleepSense()

    @property
    def ref(self) -> str:
        return f"{self._endpoint.provider}/{self._model}"

    @property
    def traits(self) -> ModelTraits:
        return self._traits

    async def aclose(self) -> None:
        """Gives the connections up; one that brings an answer just now, when the answer has come."""
        self._is_closed = True
        if not self._streams:
            await self._close_client()

    async def _close_client(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    # ------------------------------------------------------------ one request, with its lessons

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        self._streams += 1
        try:
            async with aclosing(self._with_lessons(request)) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            self._streams -= 1
            if self._is_closed and not self._streams:
                await self._close_client()

    async def _with_lessons(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        notices: list[str] = []
        was_used = self._client is not None
        for _ in range(_MAX_LESSONS):
            started = False
            sent: set[str] = set()
            try:
                async with aclosing(self._attempt(request, sent)) as chunks:
                    async for chunk in chunks:
                        started = started or not isinstance(chunk, Alive)
                        yield _with_notices(chunk, notices) if isinstance(chunk, Finished) else chunk
            except ModelError as error:
                if not started and isinstance(error, ToolUseFailed) and (heard := self._understood(request, error)):
                    yield _with_notices(heard, notices)
                    return
                lesson = "" if started else self._learned.learn(error, sent, self._learned.applied(self._traits))
                if not lesson and was_used and not started and error.params.get("phase") == "broken":
                    # A connection kept from an earlier request had died meanwhile; a fresh one may work.
                    was_used = False
                    continue
                if not lesson:
                    raise
                _log.info("%s refused a parameter; sent again after learning: %s", self.ref, lesson)
                if lesson == "images":
                    notices.append("images_left_out")
                if lesson == "tools":
                    notices.append(self._without_tools(request))
            else:
                return
        raise RequestRefused("the provider refuses one parameter after the other", reason="PARAMETERS")

    def _understood(self, request: ModelRequest, error: ToolUseFailed) -> Finished | None:
        """A call the server could not read but we can; None: we cannot either, and the model has to say it again."""
        turn = read_failed(request, offered_tools(request, self._traits), error.text, new_call_ids())
        return None if turn is None else Finished(turn, "tool_calls", raw_finish="tool_use_failed", dialect="tags")

    def _without_tools(self, request: ModelRequest) -> str:
        """The server takes no tools. Where the profile leaves it to us, they are described in the text instead."""
        if request.dialect != "auto":
            return "tools_unsupported"
        self._learned.writes_calls = True
        return "dialect_changed"

    async def _attempt(self, request: ModelRequest, sent: set[str]) -> AsyncGenerator[ModelChunk, None]:
        """The boundary: whatever the SDK, the network or the parser raises leaves as a `ModelError`."""
        assembler = self._assembler(request)
        reader = AnswerReader(assembler, self._endpoint.secrets)
        watch = Watch(self._limits)
        recorder = ExchangeRecorder(self._endpoint.secrets)
        reason = "stopped before it was whole"
        try:
            async with aclosing(self._exchange(request, reader, watch, sent, recorder)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, Finished):
                        reason = ""
                    yield chunk
        except ModelError as error:
            error.partial = assembler.text
            error.params = {**error.params, **self._place}
            reason = f"{error.code}: {error.message}"
            raise
        except Exception as error:  # noqa: BLE001 - the stream boundary: a hostile answer may raise anything
            named = self._named(error, begun=reader.began, recorder=recorder)
            named.partial = assembler.text
            named.params, reason = {**named.params, **self._place}, f"{named.code}: {named.message}"
            raise named from None
        finally:
            watch.close()
            if request.record is not None:
                request.record(recorder.call(finish=assembler.raw_finish, error=reason))

    def _assembler(self, request: ModelRequest) -> Assembler:
        dialect = dialect_of(request, self._traits, self._learned)
        return Assembler(
            known_tools=[tool.name for tool in request.tools],
            think_tags=self._traits.think_tags,
            think_prefilled=self._traits.think_prefilled,
            tools_off=tools_just_taken_away(request),
            written=reader_for(request, dialect, offered_tools(request, self._traits)),
            dialect=dialect,
            goes_on=request.goes_on,
        )

    async def _exchange(
        self, request: ModelRequest, reader: AnswerReader, watch: Watch, sent: set[str], recorder: ExchangeRecorder
    ) -> AsyncGenerator[ModelChunk, None]:
        if _SDK_PART not in sys.modules:
            await asyncio.to_thread(warm_up)
        if self._sense.slept():
            await self._close_client()  # connections kept from before are most likely dead
        client = self._ready_client()
        traits = self._learned.applied(self._traits)
        body = build_body(request, traits, self._learned, provider=self._endpoint.provider)
        sent.update(body)
        if traits.vision and any(isinstance(turn, UserTurn) and turn.images for turn in request.turns):
            sent.add("images")
        call = client.chat.completions.with_streaming_response.create(
            model=self._model,
            messages=[],
            stream=True,
            extra_body=body,
            extra_headers=_no_key_header(self._endpoint),
        )
        if request.record is not None:
            self._tell_sent(recorder, body)
        with watch:
            response = await call.__aenter__()
        recorder.answered(response.http_response.status_code, response.http_response.headers)
        try:
            async with aclosing(self._read(response.http_response, reader, watch, recorder)) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            await _close(response.http_response)
        for chunk in reader.close():
            yield chunk
        yield self._noted(request, reader.assembler, self._signed(reader.finish()))

    async def _read(
        self, response: httpx2.Response, reader: AnswerReader, watch: Watch, recorder: ExchangeRecorder
    ) -> AsyncGenerator[ModelChunk, None]:
        """Chunks of every read, until the answer, the body or a clock has ended."""
        inflater = Inflater(response.headers.get("content-encoding", ""))
        read_ahead = ReadAhead(response.aiter_raw())
        try:
            while not reader.ended:
                try:
                    with watch:
                        data = await read_ahead.take()
                except _broken_reads():
                    if reader.assembler.raw_finish:
                        return
                    for chunk in reader.close():
                        yield chunk
                    raise
                if data is None:
                    return
                recorder.read(data)
                for chunk in _read_pieces(data, inflater, reader, watch):
                    yield chunk
            if reader.assembler.done:
                await read_ahead.settle()
        finally:
            await read_ahead.close()

    def _tell_sent(self, recorder: ExchangeRecorder, body: Mapping[str, Any]) -> None:
        headers = {"Content-Type": "application/json", **self._endpoint.headers}
        if self._endpoint.key:
            headers["Authorization"] = f"Bearer {self._endpoint.key}"
        url = f"{self._endpoint.base_url.rstrip('/')}/chat/completions"
        recorder.sent("POST", url, headers, {"model": self._model, "stream": True, **body})

    def _signed(self, finished: Finished) -> Finished:
        """The echo says whose it is: another provider must not get it."""
        turn = finished.turn
        echo = {**(turn.echo or {}), "provider": self._endpoint.provider} if turn.echo or turn.calls else None
        return replace(finished, turn=replace(turn, echo=echo))

    def _noted(self, request: ModelRequest, assembler: Assembler, finished: Finished) -> Finished:
        """A model that writes its calls into the text is offered tools in that form from now on."""
        native = dialect_of(request, self._traits, self._learned) == "native"
        if request.dialect != "auto" or not native or not assembler.wrote_calls:
            return finished
        self._learned.writes_calls = True
        return _with_notices(finished, ["dialect_changed"])

    # ------------------------------------------------------------ the client

    def _ready_client(self) -> AsyncOpenAI:
        """Made late, so that a bad environment is an error of a request and never of the start."""
        endpoint = self._endpoint
        if endpoint.network.offline and not is_loopback(host_of(endpoint.base_url)):
            raise BlockedOffline("offline: only this computer may be reached")
        if not all(" " <= c <= "~" for c in endpoint.key):
            raise KeyRefused("the key has characters no key has; was it copied whole?", status=0, reason="not_ascii")
        if self._client is None:
            from openai import AsyncOpenAI

            proxy = proxy_for(endpoint.base_url, endpoint.proxy)
            self._proxy = shown(proxy) if proxy else ""
            self._client = AsyncOpenAI(
                base_url=endpoint.base_url,
                api_key=endpoint.key or _NO_KEY,
                organization="",
                project="",
                default_headers=dict(endpoint.headers),
                max_retries=0,
                http_client=new_client(proxy, connect=self._limits.connect, ca_file=endpoint.ca_file),
            )
        return self._client

    # ------------------------------------------------------------ naming what went wrong

    def _named(self, error: Exception, *, begun: bool, recorder: ExchangeRecorder) -> ModelError:
        import httpx2
        import openai

        if isinstance(error, openai.APIStatusError):
            body = error.response.content if error.response.is_stream_consumed else b""
            recorder.answered(error.status_code, error.response.headers)
            recorder.read(body)
            return from_status(error.status_code, error.response.headers, body, self._endpoint.secrets)
        host = host_of(self._endpoint.base_url) or self._endpoint.base_url[:100]
        if isinstance(error, (openai.APIConnectionError, httpx2.TransportError, OSError)):
            if begun:
                return IncompleteStream(f"the connection to {host} broke while the answer came")
            return from_exception(error, host=host, proxy=self._proxy)
        if isinstance(error, (httpx2.InvalidURL, httpx2.UnsupportedProtocol, UnicodeError)):
            return RequestRefused(
                f"the address {host} cannot be used", param="base_url", reason="ADDRESS", host=host, status=0
            )
        _log.warning("%s: unexpected %s at the stream boundary", self.ref, type(error).__name__)
        reason = redact(str(error), self._endpoint.secrets)[:200]
        return RequestRefused(f"{type(error).__name__}: {reason}", status=0)


def _read_pieces(data: bytes, inflater: Inflater, reader: AnswerReader, watch: Watch) -> list[ModelChunk]:
    """What one read says, and to the clocks that it came."""
    assembler = reader.assembler
    before = assembler.content
    shown: list[ModelChunk] = []
    for piece in inflater.pieces(data):
        shown += reader.feed(piece)
        if reader.ended:
            # The rest of a bomb is not even unpacked.
            break
    watch.saw_bytes(content=assembler.content != before)
    if assembler.raw_finish:
        watch.saw_finish()
    return shown or [Alive()]


def warm_up() -> None:
    """Imports the SDK. Takes most of a second, so call it in a thread, after the window is painted."""
    for name in (_SDK_PART, "truststore"):
        importlib.import_module(name)


def _no_key_header(endpoint: ModelEndpoint) -> dict[str, Any] | None:
    """A server that needs no key gets none; the SDK wants to be told so with every request."""
    from openai import Omit

    named = any(name.lower() == "authorization" for name in endpoint.headers)
    return None if endpoint.key or named else {"Authorization": Omit()}


def _broken_reads() -> tuple[type[Exception], ...]:
    import httpx2

    return (httpx2.TransportError, httpx2.StreamError, OSError, ModelTimeout)


def _with_notices(finished: Finished, notices: list[str]) -> Finished:
    return replace(finished, notices=(*finished.notices, *notices)) if notices else finished


async def _close(response: httpx2.Response) -> None:
    """Promptly, also while we are being cancelled; what cannot be closed in time is left to the collector."""
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await response.aclose()
    except _broken_reads():
        _log.debug("a connection did not close in time")
