"""Signing in to a server with the browser: OAuth 2.1 with PKCE, begun by a person and by nothing else.

The SDK's flow finds the authorization server (RFC 9728, RFC 8414), registers this program with it (RFC 7591) and
exchanges the code; every request goes through the client of `http`, so that only https or near addresses are asked.
The browser comes back to a port of this computer that is open for that one answer. Tokens are the caller's to keep.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlsplit

from app.core.system.network import NetworkPolicy, proxy_address
from app.core.text.i18n import N_, _

from .config import ServerConfig, check_url, host_of, is_near
from .texts import for_model
from .transport.http import CannotReach, check_address, new_client

if TYPE_CHECKING:
    import httpx2
    from mcp.client.auth import OAuthClientProvider

WAIT_SECONDS: Final = 300.0
"""For the person in the browser."""
_EARLY: Final = 60.0
"""A token is renewed so many seconds before it ends."""
_LONGEST: Final = 16_000
_PAGE: Final = N_("You are signed in to Triptych, or not: it says so itself. This page can be closed.")


class SignInFailed(Exception):
    """`code`: refused (by the person or the server), timeout, address, protocol."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True)
class SignIn:
    """What a sign-in gave. `ends` is a time since the epoch, 0 if the server did not say."""

    access: str = field(repr=False)
    refresh: str = field(default="", repr=False)
    ends: float = 0.0
    token_url: str = ""
    client: str = ""
    client_secret: str = field(default="", repr=False)
    resource: str = ""

    @property
    def is_over(self) -> bool:
        return bool(self.ends) and time.time() > self.ends - _EARLY

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> SignIn | None:
        try:
            return cls(**json.loads(text))
        except (TypeError, ValueError):
            return None


async def sign_in(config: ServerConfig, network: NetworkPolicy, open_browser: Callable[[str], None]) -> SignIn:
    """Until the browser has come back and the code is exchanged. Raises SignInFailed."""
    import httpx2
    from mcp.client.auth import OAuthClientProvider, OAuthFlowError
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

    async with _listening() as answers:
        metadata = OAuthClientMetadata(
            client_name="Triptych",
            redirect_uris=[answers.address],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
            token_endpoint_auth_method="none",
        )

        async def to_browser(url: str) -> None:
            try:
                check_url(url)
            except ValueError as error:
                raise SignInFailed("address", str(error)) from None
            answers.state = parse_qs(urlsplit(url).query).get("state", [""])[0]
            open_browser(url)

        async def from_browser() -> AuthorizationCodeResult:
            answer = await answers.wait()
            if error := answer.get("error", ""):
                why = for_model(answer.get("error_description", "") or error, 200)
                raise SignInFailed("refused", _("the sign-in was refused: {why}").format(why=why))
            return AuthorizationCodeResult(
                code=answer.get("code", ""), state=answer.get("state"), iss=answer.get("iss")
            )

        storage = _Kept()
        provider = OAuthClientProvider(config.url, metadata, storage, to_browser, from_browser)
        try:
            async with _client(config, network) as client:
                await client.post(config.url, json=_HELLO, headers=_HELLO_HEADERS, auth=provider)
        except SignInFailed:
            raise
        except (OAuthFlowError, httpx2.HTTPError, CannotReach, ValueError) as error:
            raise SignInFailed("protocol", for_model(str(error), 300) or type(error).__name__) from None
    if storage.tokens is None:
        raise SignInFailed("protocol", _("the server asked for no sign-in"))
    return _taken(provider, storage)


async def renewed(before: SignIn, config: ServerConfig, network: NetworkPolicy) -> SignIn:
    """With a new token in exchange for the refresh token. Raises SignInFailed: the person has to sign in again."""
    import httpx2

    if not before.refresh:
        raise SignInFailed("refused", _("the sign-in has ended"))
    fields = {
        "grant_type": "refresh_token", "refresh_token": before.refresh, "client_id": before.client,
        **({"client_secret": before.client_secret} if before.client_secret else {}),
        **({"resource": before.resource} if before.resource else {}),
    }  # fmt: skip
    try:
        check_url(before.token_url)
        async with _client(config, network) as client:
            response = await client.post(before.token_url, data=fields)
            body = response.json() if response.status_code == 200 else {}
    except (httpx2.HTTPError, CannotReach, ValueError) as error:
        raise SignInFailed("protocol", for_model(str(error), 300)) from None
    access = body.get("access_token") if isinstance(body, dict) else None
    if not isinstance(access, str) or not access:
        raise SignInFailed("refused", _("the sign-in has ended"))
    again = body.get("refresh_token")
    return SignIn(
        access, again if isinstance(again, str) and again else before.refresh, _end(body.get("expires_in")),
        before.token_url, before.client, before.client_secret, before.resource,
    )  # fmt: skip


_HELLO: Final = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "Triptych", "version": "1"},
    },
}  # fmt: skip
_HELLO_HEADERS: Final = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}


class _Kept:
    """The SDK's storage, for the length of one sign-in: nothing of it touches the disk."""

    def __init__(self) -> None:
        self.tokens: Any = None
        self.client: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


def _taken(provider: OAuthClientProvider, kept: _Kept) -> SignIn:
    context, tokens, client = provider.context, kept.tokens, kept.client
    metadata = context.oauth_metadata
    token_url = str(metadata.token_endpoint) if metadata is not None else f"{_origin(context.server_url)}/token"
    resource = context.get_resource_url() if context.should_include_resource_param(context.protocol_version) else ""
    return SignIn(
        tokens.access_token, tokens.refresh_token or "", _end(tokens.expires_in), token_url,
        client.client_id or "" if client else "", client.client_secret or "" if client else "", resource,
    )  # fmt: skip


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _end(seconds: object) -> float:
    return time.time() + float(seconds) if isinstance(seconds, int | float) and seconds > 0 else 0.0


@asynccontextmanager
async def _client(config: ServerConfig, network: NetworkPolicy) -> AsyncIterator[httpx2.AsyncClient]:
    async def see(_response: httpx2.Response) -> None:
        """Nothing to note: the flow reads its answers itself."""

    parts = urlsplit(config.url)
    way = None if is_near(host_of(config.url)) else proxy_address(network, parts.scheme, parts.hostname or "")
    async with new_client({}, way, see, check_address, signs_in=True) as client:
        yield client


# ---------------------------------------------------------------- the way back from the browser


class _Answers:
    """One answer with the right `state`; what else knocks is turned away."""

    def __init__(self) -> None:
        self.address = ""
        self.state = ""
        self._found: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    async def wait(self) -> dict[str, str]:
        try:
            return await asyncio.wait_for(self._found, WAIT_SECONDS)
        except TimeoutError:
            raise SignInFailed("timeout", _("nobody came back from the browser")) from None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            line = (await asyncio.wait_for(reader.readline(), 10)).decode("latin-1")[:_LONGEST]
            method, _space, rest = line.partition(" ")
            parts = urlsplit(rest.partition(" ")[0])
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            is_ours = method == "GET" and parts.path == "/callback" and self.state and query.get("state") == self.state
            if is_ours and not self._found.done():
                self._found.set_result(query)
            text = _(_PAGE).encode() if is_ours else b"Not found"
            head = f"HTTP/1.1 {'200 OK' if is_ours else '404 Not Found'}\r\nContent-Type: text/plain; charset=utf-8\r\n"
            writer.write(f"{head}Content-Length: {len(text)}\r\nConnection: close\r\n\r\n".encode() + text)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def _listening() -> AsyncIterator[_Answers]:
    answers = _Answers()
    server = await asyncio.start_server(answers.serve, "127.0.0.1", 0, limit=_LONGEST)
    answers.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/callback"
    try:
        yield answers
    finally:
        server.close()
