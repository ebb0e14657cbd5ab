"""`/openapi.json`, and the page at `/`: a small chat in plain HTML that shows the API at work."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.core.resources import resource_dir

from .openapi import description

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_FILES = {
    "/": ("chat.html", "text/html"),
    "/page/chat.js": ("chat.js", "text/javascript"),
    "/page/chat.css": ("chat.css", "text/css"),
}


async def _file(request: Request) -> Response:
    name, kind = _FILES[request.url.path]
    return Response((resource_dir() / "server" / name).read_bytes(), 200, _HEADERS, f"{kind}; charset=utf-8")


async def _openapi(_request: Request) -> Response:
    return Response(json.dumps(description()), 200, _HEADERS, "application/json")


ROUTES = (*(Route(path, _file, methods=["GET"]) for path in _FILES), Route("/openapi.json", _openapi, methods=["GET"]))
