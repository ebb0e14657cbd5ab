"""What can be read: agents, tools, sessions, the events of a session, health and figures."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from app.core.profile import in_language
from app.core.run.mode import mode_ids
from app.core.session.summary import SessionRow
from app.core.system.version import version
from app.services.api.clients import ApiClient

from .access import check_agent, check_right, check_session, client_of
from .errors import bad_request, json_response
from .parts import ServerParts
from .run_hub import event_id
from .sse import EventStream, frame

MOST_SESSIONS = 500


async def agents(request: Request, parts: ServerParts) -> Response:
    client = client_of(request)
    listed = [
        {
            "id": one.id,
            "name": dict(one.name),
            "description": in_language(one.description),
            "default_mode": one.default_mode,
            "modes": list(mode_ids()),
            "is_default": one.id == parts.settings.preferences.default_agent,
        }
        for one in parts.settings.profiles()
        if client.may_use(one.id)
    ]
    return json_response({"agents": listed})


async def tools(request: Request, parts: ServerParts) -> Response:
    """`?agent=ID`: those it has, with the word of its profile; else all, or those of the agents a client may use."""
    client = client_of(request)
    check_right(client, "read")
    if agent := request.query_params.get("agent", ""):
        entries = await parts.tools.tools(check_agent(client, parts.settings, agent).id)
    elif client.agents == ("*",):
        await parts.settings.loaded_domains()
        entries = parts.tools.all_tools()
    else:
        usable = [one.id for one in parts.settings.profiles() if client.may_use(one.id)]
        entries = list({entry.name: entry for id in usable for entry in await parts.tools.tools(id)}.values())
    listed = [
        {
            "name": one.name,
            "description": one.description,
            "permission": one.permission,
            "word": one.word,
            "parameters": one.parameters,
        }
        for one in entries
    ]
    return json_response({"tools": listed})


async def sessions(request: Request, parts: ServerParts) -> Response:
    """`?q=words&limit=n`, newest first."""
    client = client_of(request)
    check_right(client, "read")
    limit = request.query_params.get("limit", "100")
    if not limit.isascii() or not limit.isdecimal() or len(limit) > 9:
        raise bad_request("limit is no number", "limit")
    rows = await parts.sessions.rows(request.query_params.get("q", ""))
    own = [row for row in rows if client.may_use(row.agent)][: min(int(limit), MOST_SESSIONS)]
    return json_response({"sessions": [_row(row, parts) for row in own]})


async def session(request: Request, parts: ServerParts) -> Response:
    client = client_of(request)
    check_right(client, "read")
    row = await check_session(client, parts.sessions, request.path_params["id"])
    messages = [
        {
            "id": one.id,
            "role": one.role,
            "created": one.created,
            "text": one.text if one.role == "user" else one.answer,
            "state": one.state,
            "run": one.run,
        }
        for one in await parts.sessions.messages(row.id)
    ]
    return json_response({"session": _row(row, parts), "messages": messages})


async def session_events(request: Request, parts: ServerParts) -> Response:
    """Every event of every run of the session, live; `Last-Event-ID` goes on behind one that was seen."""
    client = client_of(request)
    check_right(client, "read")
    row = await check_session(client, parts.sessions, request.path_params["id"])
    after = request.headers.get("last-event-id") or request.query_params.get("after", "")
    return EventStream(_following(parts, row.id, after))


async def _following(parts: ServerParts, session: str, after: str) -> AsyncGenerator[bytes, None]:
    yield b": following\n\n"
    events = parts.hub.follow(session, after)
    try:
        async for stamped in events:
            yield frame(stamped.to_json(), id=event_id(stamped))
    finally:
        await events.aclose()


async def health(request: Request, parts: ServerParts) -> Response:
    client: ApiClient = client_of(request)
    return json_response({
        "ok": True, "version": version(), "client": client.name, "running": parts.hub.active(),
    })  # fmt: skip


async def metrics(request: Request, parts: ServerParts) -> Response:
    check_right(client_of(request), "read")
    return PlainTextResponse(parts.metrics.text(parts.hub.active()), media_type="text/plain; version=0.0.4")


def _row(row: SessionRow, parts: ServerParts) -> dict[str, Any]:
    return {
        "id": row.id,
        "title": row.title,
        "agent": row.agent,
        "mode": row.mode,
        "created": row.created,
        "updated": row.updated,
        "pinned": row.pinned,
        "folder": row.folder,
        "running": parts.chat.running(row.id) is not None,
    }
