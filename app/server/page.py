"""`/openapi.json`, and the page at `/`: a small chat in plain HTML that shows the API at work."""

from __future__ import annotations

import json
from html import escape
from string import Template

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.core.resources import resource_dir
from app.core.text.i18n import _, current_language

from .openapi import description
from .page_words import words

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
    "/page/run.js": ("run.js", "text/javascript"),
    "/page/chat.css": ("chat.css", "text/css"),
}


async def _file(request: Request) -> Response:
    name, kind = _FILES[request.url.path]
    text = (resource_dir() / "server" / name).read_text("utf-8")
    if kind == "text/html":
        text = Template(text).substitute({key: escape(value) for key, value in _texts().items()})
    return Response(text, 200, _HEADERS, f"{kind}; charset=utf-8")


def _texts() -> dict[str, str]:
    """In the language of the program, as the window has it."""
    return {
        "lang": current_language().replace("_", "-"),
        "agent": _("Agent"),
        "mode": _("Mode"),
        "token": _("Token"),
        "connect": _("Connect"),
        "message": _("Message"),
        "send": _("Send"),
        "stop": _("Stop"),
    }


async def _words(_request: Request) -> Response:
    return Response(json.dumps(words(), ensure_ascii=False), 200, _HEADERS, "application/json; charset=utf-8")


async def _openapi(_request: Request) -> Response:
    return Response(json.dumps(description()), 200, _HEADERS, "application/json")


ROUTES = (
    *(Route(path, _file, methods=["GET"]) for path in _FILES),
    Route("/page/words.json", _words, methods=["GET"]),
    Route("/openapi.json", _openapi, methods=["GET"]),
)
OPEN_PATHS = tuple(route.path for route in ROUTES)
"""Nothing of the person's stands there; the page asks for the token."""
