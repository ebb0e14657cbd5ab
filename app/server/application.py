"""The ASGI application: routes, the guard before them, and errors as HTTP."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.core.errors import TriptychError
from app.services.api.activity import REFUSED

from . import listings, page, queries, run_control
from .access import check_owner
from .errors import ApiError, as_api_error, error_response
from .guard import RequestGuard
from .openai.answering import Answering
from .openai.completions import completions
from .openai.embeddings import embeddings
from .openai.models import model, models
from .openai.responses import Responses
from .parts import ServerParts

log = logging.getLogger(__name__)


def make_application(parts: ServerParts, port: int, *, only_mcp: bool = False) -> Starlette:
    answering = Answering(parts)
    mcp = parts.served_agents.http_application()
    mcp_route = Route("/mcp", _OwnerOnly(mcp))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None, None]:
        async with mcp.router.lifespan_context(mcp):
            yield
        await answering.close()
        await parts.hub.close()

    return Starlette(
        routes=[mcp_route] if only_mcp else [*_routes(parts, answering), mcp_route],
        middleware=[
            Middleware(_Counted, parts=parts),
            Middleware(RequestGuard, clients=parts.clients, port=port),
            Middleware(_Present, parts=parts),
        ],
        exception_handlers={
            TriptychError: _failed,
            HTTPException: _unknown,
            ClientDisconnect: _gone,
            Exception: _broken,
        },
        lifespan=lifespan,
    )


def _routes(parts: ServerParts, answering: Answering) -> list[Route]:
    responses = Responses(answering)
    return [
        Route("/api/chat", partial(queries.chat, parts=parts), methods=["POST"]),
        Route("/api/query/stream", partial(queries.query_stream, parts=parts), methods=["POST"]),
        *(
            Route(f"/api/runs/{{id}}/{name}", partial(handler, parts=parts), methods=["POST"])
            for name, handler in (
                ("cancel", run_control.cancel),
                ("approve", run_control.approve),
                ("answer", run_control.answer),
                ("plan", run_control.plan),
                ("control", run_control.control),
            )
        ),
        *(
            Route(path, partial(handler, parts=parts), methods=["GET"])
            for path, handler in (
                ("/api/agents", listings.agents),
                ("/api/tools", listings.tools),
                ("/api/sessions", listings.sessions),
                ("/api/sessions/{id}", listings.session),
                ("/api/sessions/{id}/events", listings.session_events),
                ("/api/health", listings.health),
                ("/api/metrics", listings.metrics),
                ("/v1/models", models),
            )
        ),
        Route("/v1/models/{name:path}", partial(model, parts=parts, answering=answering), methods=["GET"]),
        Route("/v1/chat/completions", partial(completions, answering=answering), methods=["POST"]),
        Route("/v1/responses", responses.create, methods=["POST"]),
        Route("/v1/embeddings", partial(embeddings, parts=parts), methods=["POST"]),
        *page.ROUTES,
    ]


class _OwnerOnly:
    """The agents over MCP know no clients of their own: only the token of the person reaches them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        check_owner(scope["state"]["client"])
        await self._app(scope, receive, send)


class _Counted:
    """Counts answers by the head of their path, for the metrics, and notes the last ones for the person."""

    def __init__(self, app: ASGIApp, *, parts: ServerParts) -> None:
        self._app, self._metrics, self._activity = app, parts.metrics, parts.activity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.time()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                path, status = scope["path"], message["status"]
                head = "/".join(path.split("/")[:3])
                is_api = path.startswith(("/api/", "/v1/")) and status != 404
                self._metrics.answered(head if is_api else "other", status)
                client = scope["state"].get("client")
                name = client.name if client is not None else REFUSED
                self._activity.answered(name, scope["method"], path, status, began)
            await send(message)

        scope.setdefault("state", {})
        await self._app(scope, receive, counted)


class _Present:
    """Behind the guard: a client is there as long as one of its requests is open."""

    def __init__(self, app: ASGIApp, *, parts: ServerParts) -> None:
        self._app, self._activity = app, parts.activity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope["state"].get("client") if scope["type"] == "http" else None
        if client is None:
            await self._app(scope, receive, send)
            return
        self._activity.began(client.name)
        try:
            await self._app(scope, receive, send)
        finally:
            self._activity.ended(client.name)


async def _failed(request: Request, error: Exception) -> Response:
    failure = as_api_error(error) if isinstance(error, TriptychError) else ApiError(500, "INTERNAL", str(error))
    if failure.status == 500:
        log.warning("%s %s: %s", request.method, request.url.path, error)
    return error_response(failure, request.url.path)


async def _unknown(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    code, text = ("METHOD", "this path is asked otherwise") if status == 405 else ("NOT_FOUND", "there is no such path")
    return error_response(ApiError(status, code, text), request.url.path)


async def _gone(_request: Request, _error: Exception) -> Response:
    """Nobody reads it."""
    return Response(status_code=499)


async def _broken(request: Request, error: Exception) -> Response:
    return error_response(ApiError(500, "INTERNAL", type(error).__name__), request.url.path)
