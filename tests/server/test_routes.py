"""Every route there is, with every client there may be: a new one is walked without a line here."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import pytest
from starlette.routing import Route

from app.server.application import make_application
from app.server.page import OPEN_PATHS
from app.server.parts import parts_of

from .conftest import TOKEN, Served
from .malformed import BODIES

_OWNER_ONLY = {"/mcp"}
_NEEDS: dict[str, str] = {
    "/api/chat": "run", "/api/query/stream": "run", "/v1/chat/completions": "run", "/v1/responses": "run",
    "/v1/embeddings": "run", "/api/runs/{id}/cancel": "run", "/api/runs/{id}/approve": "approve",
    "/api/runs/{id}/answer": "approve", "/api/runs/{id}/plan": "approve", "/api/runs/{id}/control": "run",
    "/api/tools": "read", "/api/sessions": "read", "/api/sessions/{id}": "read", "/api/sessions/{id}/events": "read",
    "/api/metrics": "read",
    "/api/agents": "", "/api/health": "", "/v1/models": "", "/v1/models/{name:path}": "",
}  # fmt: skip
"""The right a route asks for; "" for those that name only what the client may use."""


@pytest.fixture
def routes(served: Served) -> list[Route]:
    """Of the application as it is made."""
    parts = parts_of(served.services.local_api._served)
    application = make_application(parts, 1)
    assert all(isinstance(route, Route) for route in application.routes)
    return [route for route in application.routes if isinstance(route, Route)]


def asked(route: Route, id: str) -> list[tuple[str, str, Any]]:
    """Each method, the address with `id` in it, and a good body."""
    path = route.path.replace("{id}", id).replace("{name:path}", "travel:plan")
    good = BODIES.get(route.path.replace("{id}", "none"))
    methods = sorted((route.methods or {"POST", "GET", "DELETE"}) - {"HEAD"})
    return [(method, path, good if method == "POST" else None) for method in methods]


async def test_strangers_are_refused_at_every_route_that_is_not_open(served: Served, routes: list[Route]) -> None:
    port = served.address.rpartition(":")[2]
    good = {"Authorization": f"Bearer {TOKEN}"}
    cases: dict[str, tuple[int, dict[str, str]]] = {
        "no token": (401, {}), "a wrong token": (401, {"Authorization": f"Bearer {TOKEN}x"}),
        "half a token": (401, {"Authorization": f"Bearer {TOKEN[:-1]}"}),
        "another scheme": (401, {"Authorization": f"Basic {TOKEN}"}),
        "a token in the address": (401, {}),
        "a name that points here": (403, {**good, "Host": f"evil.example:{port}"}),
        "our name and more": (403, {**good, "Host": f"localhost.evil.example:{port}"}),
        "another port": (403, {**good, "Host": "localhost:1"}), "no port": (403, {**good, "Host": "localhost"}),
        "a page of the web": (403, {**good, "Origin": "https://evil.example"}),
        "a page in a sandbox": (403, {**good, "Origin": "null"}),
        "our page over TLS": (403, {**good, "Origin": f"https://localhost:{port}"}),
        "a browser that says so": (403, {**good, "Sec-Fetch-Site": "cross-site"}),
        "a socket of a page": (403, {**good, "Origin": "https://evil.example", "Connection": "Upgrade",
                                     "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                                     "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}),
    }  # fmt: skip
    assert {"/", "/openapi.json", "/mcp", "/v1/responses"} <= {route.path for route in routes}
    more = [Route(path, lambda: None) for path in ("/docs", "/ws", "/api/nothing", "/page/../api/agents")]
    faults = []
    async with httpx2.AsyncClient(base_url=served.address) as stranger:

        async def walk(name: str, status: int, headers: dict[str, str]) -> None:
            for route in (*routes, *more):
                if route.path in OPEN_PATHS and status == 401:
                    continue
                for method, path, body in asked(route, "none"):
                    address = f"{path}?token={TOKEN}" if "address" in name else path
                    answer = await stranger.request(method, address, json=body, headers=headers)
                    if answer.status_code != status or "error" not in answer.json():
                        faults.append(f"{name}: {method} {path} answered {answer.status_code} {answer.text[:80]}")

        await asyncio.gather(*(walk(name, *case) for name, case in cases.items()))
    assert faults == []
    assert await served.services.sessions.rows() == []


async def test_each_route_asks_for_its_right_and_its_agent(served: Served, routes: list[Route]) -> None:
    clients = served.services.api_clients
    other = (await served.services.sessions.create("travel")).id
    run = await served.services.chat.send(other, "hello")
    await run.result()
    tokens = {
        right: await clients.add(f"without-{right}", (), [one for one in ("run", "read", "approve") if one != right])
        for right in ("run", "read", "approve")
    }
    stranger = await clients.add("of-research", ["research"])
    walked, faults = set(), []
    for route in routes:
        if route.path in OPEN_PATHS:
            continue
        walked.add(route.path)
        for method, path, good in asked(route, run.id if "/runs/" in route.path else other):
            body = _for_travel(route.path, good, other)
            wanted = {f"without-{right}": 403 for right in tokens if _NEEDS.get(route.path) == right}
            wanted |= {"of-research": 404} if "{" in route.path or "travel" in json.dumps(body) else {}
            if route.path in _OWNER_ONLY:
                wanted = dict.fromkeys(("without-run", "of-research"), 403)
            for name, status in wanted.items():
                token = stranger if name == "of-research" else tokens[name.removeprefix("without-")]
                headers = {"Authorization": f"Bearer {token}"}
                answer = await served.http.request(method, path, json=body, headers=headers)
                if answer.status_code != status or "hello" in answer.text:
                    faults.append(f"{name}: {method} {path} answered {answer.status_code} {answer.text[:150]}")
    assert faults == []
    assert walked == set(_NEEDS) | _OWNER_ONLY
    headers = {"Authorization": f"Bearer {stranger}"}
    for path in ("/api/agents", "/api/sessions", "/v1/models", "/api/tools"):
        listed = await served.http.get(path, headers=headers)
        assert "travel" not in listed.text, path
        assert "plan_journey" not in listed.text, path
    assert (await served.http.get("/api/tools?agent=travel", headers=headers)).status_code == 404
    unknown = await served.http.get("/v1/models/travel:dance", headers=headers)
    assert "travel:plan" not in unknown.text
    known = (await served.http.get("/v1/models/travel:dance")).json()["error"]["message"]
    assert all(f"travel:{mode}" in known for mode in ("auto", "direct", "react", "plan")), known


def _for_travel(path: str, good: Any, session: str) -> Any:
    if good is None or "/runs/" in path or path == "/v1/embeddings":
        return good
    if path.startswith("/v1/"):
        return {**good, "model": "travel:direct"}
    return {**good, "agent": "travel", "session_id": session}
