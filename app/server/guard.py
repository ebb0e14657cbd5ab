"""Who may speak to the server: only programs of this computer that know a token.

In this order: the head, the Host it is spoken to by, the Origin it is spoken to from, the token, the length of the
body. A page of the web in a browser of this computer fails at Host or Origin, whatever name it makes point here (DNS
rebinding).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.services.api.clients import ApiClientService

from .bounded_body import BoundedBody
from .errors import OPENAI_PATHS, ApiError, error_response
from .page import OPEN_PATHS

LONGEST_BODY: Final = 1_000_000
LONGEST_OPENAI_BODY: Final = 32_000_000
"""Pictures are part of it (ruling 50)."""
LONGEST_TARGET: Final = 8_192
LONGEST_HEAD: Final = 32_768
MOST_HEADERS: Final = 100


class RequestGuard:
    """ASGI middleware; puts the client into `scope["state"]["client"]`."""

    def __init__(self, app: ASGIApp, *, clients: ApiClientService, port: int) -> None:
        self._app, self._clients = app, clients
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        if port == 80:
            self._hosts |= {"127.0.0.1", "localhost", "[::1]"}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # no websocket is spoken; the life of the server is not a request
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        body = BoundedBody(headers, receive, send)
        try:
            _check_head(scope, headers)
            self._check_address(headers)
            if scope["path"] not in OPEN_PATHS:
                scope.setdefault("state", {})["client"] = self._client_of(headers)
            body.limit(headers, LONGEST_OPENAI_BODY if scope["path"].startswith(OPENAI_PATHS) else LONGEST_BODY)
        except ApiError as error:
            more = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
            await error_response(error, scope["path"], more)(scope, body.receive, body.send)
            return
        await self._app(scope, body.receive, body.send)

    def _check_address(self, headers: Mapping[str, str]) -> None:
        if headers.get("host", "").lower() not in self._hosts:
            raise ApiError(403, "HOST", "this server is spoken to by the name of this computer only")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._origins:
            raise ApiError(403, "ORIGIN", "pages of other places are not answered")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise ApiError(403, "ORIGIN", "pages of other places are not answered")

    def _client_of(self, headers: Mapping[str, str]) -> object:
        kind, _space, token = headers.get("authorization", "").partition(" ")
        client = self._clients.client_of(token.strip()) if kind.lower() == "bearer" else None
        if client is None:
            raise ApiError(401, "AUTH", "the token is missing or wrong", hint="send it as Authorization: Bearer …")
        return client


def _check_head(scope: Scope, headers: Headers) -> None:
    """Two programs must not read different requests from the same bytes, and a head holds no load."""
    if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > LONGEST_TARGET:
        raise ApiError(414, "URI_TOO_LONG", f"the address is longer than {LONGEST_TARGET:,} bytes")
    if len(headers.raw) > MOST_HEADERS or sum(len(name) + len(value) for name, value in headers.raw) > LONGEST_HEAD:
        limits = f"more than {MOST_HEADERS} headers, or {LONGEST_HEAD:,} bytes of them"
        raise ApiError(431, "HEADERS_TOO_LARGE", limits)
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers and "content-length" in headers:
        raise ApiError(400, "BAD_REQUEST", "Content-Length and Transfer-Encoding exclude each other")
    if not length.isascii() or not length.isdigit():
        raise ApiError(400, "BAD_REQUEST", "Content-Length is no number")
    if twice := [name for name in ("host", "origin", "authorization") if len(headers.getlist(name)) > 1]:
        raise ApiError(400, "BAD_REQUEST", f"the header {twice[0]} stands there twice")
