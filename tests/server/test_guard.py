"""Who is answered: a token, the name of this computer, a body that can be read; and what a client may do."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2

from app.services.api.clients import ApiClientService
from app.storage.config.api_token import ApiTokenFile
from app.storage.config.settings import SettingsFiles

from .conftest import TOKEN, Served

GOOD = {"Authorization": f"Bearer {TOKEN}"}


async def raw(served: Served, request: bytes) -> bytes:
    """The first bytes of the answer to what no client library would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(served.address.rpartition(":")[2]))
    writer.write(request)
    await writer.drain()
    answer = await asyncio.wait_for(reader.read(4_000), 30)
    writer.close()
    return answer


async def test_strangers_get_no_answer(served: Served) -> None:
    port = served.address.rpartition(":")[2]
    cases: list[tuple[str, int, dict[str, str]]] = [
        ("no token", 401, {}),
        ("a wrong token", 401, {"Authorization": "Bearer no"}),
        ("another scheme", 401, {"Authorization": f"Basic {TOKEN}"}),
        ("a foreign name that points here", 403, {**GOOD, "Host": f"evil.example:{port}"}),
        ("a name that only begins like ours", 403, {**GOOD, "Host": f"localhost.evil.example:{port}"}),
        ("our name at another port", 403, {**GOOD, "Host": "localhost:1"}),
        ("a page of the web", 403, {**GOOD, "Origin": "https://evil.example"}),
        ("a page in a sandbox", 403, {**GOOD, "Origin": "null"}),
        ("a page of another local server", 403, {**GOOD, "Origin": "http://localhost:1"}),
        ("a browser that says so", 403, {**GOOD, "Sec-Fetch-Site": "cross-site"}),
    ]
    faults = []
    async with httpx2.AsyncClient(base_url=served.address) as stranger:
        for name, status, headers in cases:
            for path in ("/api/agents", "/v1/models", "/api/nothing"):
                answer = await stranger.get(path, headers=headers)
                if answer.status_code != status or "assistant" in answer.text:
                    faults.append(f"{name}: {path} answered {answer.status_code}")
        own = await stranger.get("/api/agents", headers={**GOOD, "Origin": served.address})
        assert own.status_code == 200
    assert faults == []
    assert b"403" in (await raw(served, b"GET /api/agents HTTP/1.0\r\n\r\n")).partition(b"\r\n")[0]


async def test_what_cannot_be_read_is_refused_in_the_form_of_its_protocol(served: Served) -> None:
    long = json.dumps({"message": "x" * 1_000_001})
    bodies: list[tuple[str, bytes | str, int]] = [
        ("/api/chat", b"{", 400), ("/api/chat", b"[1]", 400), ("/api/chat", b"\xff\xfe", 400), ("/api/chat", b"", 400),
        ("/api/chat", b"[" * 200_000, 400), ("/api/chat", '{"message": 1}', 400),
        ("/api/chat", '{"message": " "}', 400),
        ("/api/chat", '{"message": "\\ud800"}', 400), ("/api/chat", '{"message": "x", "agent": "nobody"}', 404),
        ("/api/chat", '{"message": "x", "session_id": "none"}', 404), ("/api/chat", long, 413),
        ("/api/chat", '{"message": "x", "mode": "dance"}', 404),
        ("/api/chat", '{"message": "x", "settings": {"max_steps": 900}}', 400),
        ("/api/chat", '{"message": "x", "approve": "maybe"}', 400),
        ("/v1/chat/completions", "{}", 400), ("/v1/chat/completions", '{"model": "no:one", "messages": []}', 400),
        ("/v1/chat/completions", '{"model": "nobody", "messages": [{"role": "user", "content": "x"}]}', 404),
        ("/v1/chat/completions", '{"model": "assistant", "messages": [{"role": "bishop", "content": "x"}]}', 400),
        ("/v1/chat/completions", '{"model": "assistant", "messages": [{"role": "user", "content": 7}]}', 400),
        ("/v1/responses", '{"model": "assistant", "input": [{"type": "computer_call"}]}', 400),
        ("/v1/responses", '{"model": "assistant", "input": "x", "previous_response_id": "r"}', 404),
        ("/v1/embeddings", '{"model": "x", "input": [[1, 2]]}', 400), ("/v1/embeddings", '{"input": "x"}', 503),
    ]  # fmt: skip
    faults = []
    for path, body, status in bodies:
        answer = await served.http.post(path, content=body)
        error: Any = answer.json().get("error", {})
        is_typed = error.keys() >= ({"message", "type", "code"} if path.startswith("/v1") else {"code", "message"})
        if answer.status_code != status or not is_typed:
            faults.append(f"{path} {str(body)[:60]}: {answer.status_code} {answer.text[:200]}")
    assert faults == []
    assert await served.services.sessions.rows() == [], "nothing is left behind by what was refused"
    chunked = (
        b"POST /api/chat HTTP/1.1\r\nHost: localhost:%s\r\nAuthorization: Bearer %s\r\nTransfer-Encoding: chunked\r\n"
    )
    chunk = b"\r\n10000\r\n" + b"x" * 0x10000
    head = chunked % (served.address.rpartition(":")[2].encode(), TOKEN.encode())
    assert b" 413 " in (await raw(served, head + chunk * 20)).partition(b"\r\n")[0]


async def test_a_client_has_its_agents_and_its_rights_and_no_more(served: Served) -> None:
    clients = served.services.api_clients
    token = await clients.add("reader", ["assistant"], ["read"])
    asker = await clients.add("asker", ["assistant"], ["run"])
    other = (await served.services.sessions.create("travel")).id
    own = (await served.services.sessions.create("assistant")).id
    cases = [
        (token, "GET", "/api/agents", None, 200), (token, "GET", f"/api/sessions/{own}", None, 200),
        (token, "GET", f"/api/sessions/{other}", None, 404), (token, "POST", "/api/chat", {"message": "x"}, 403),
        (asker, "GET", "/api/sessions", None, 403), (asker, "GET", "/api/metrics", None, 403),
        (asker, "POST", "/api/chat", {"message": "x", "agent": "travel"}, 404),
        (asker, "POST", "/api/chat", {"message": "x", "session_id": other}, 404),
        (asker, "POST", "/api/chat", {"message": "x", "approve": "all"}, 403),
        (asker, "POST", "/api/chat", {"message": "x", "model": "script/a.json"}, 403),
        (asker, "POST", "/api/chat", {"message": "x", "settings": {"model": "script/a.json"}}, 403),
        (asker, "POST", "/v1/chat/completions",
         {"model": "travel", "messages": [{"role": "user", "content": "x"}]}, 404),
        (asker, "POST", "/api/chat", {"message": "x"}, 200),
    ]  # fmt: skip
    faults = []
    for held, method, path, body, status in cases:
        answer = await served.http.request(method, path, json=body, headers={"Authorization": f"Bearer {held}"})
        if answer.status_code != status:
            faults.append(f"{path} {body}: {answer.status_code} {answer.text}")
    assert faults == []
    listed = await served.http.get("/api/agents", headers={"Authorization": f"Bearer {token}"})
    assert [one["id"] for one in listed.json()["agents"]] == ["assistant"]
    await clients.remove("reader")
    gone = await served.http.get("/api/agents", headers={"Authorization": f"Bearer {token}"})
    assert gone.status_code == 401
    stored = (served.folder / "data" / "api-clients.toml").read_text("utf-8")
    assert asker not in stored
    again = ApiClientService(
        SettingsFiles(served.folder / "data"), ApiTokenFile(served.folder / "data" / "api-token"), {}
    )
    made = await again.open()
    assert again.client_of(asker) == clients.client_of(asker)
    assert (served.folder / "data" / "api-token").stat().st_mode & 0o77 == 0
    assert await again.open() == made, "the token stays"


async def test_the_page_and_its_description_are_open_and_hold_nothing_of_the_person(served: Served) -> None:
    async with httpx2.AsyncClient(base_url=served.address) as stranger:
        page = await stranger.get("/")
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert '<script type="module" src=' in page.text
        assert "onclick" not in page.text
        for path in ("/page/chat.js", "/page/chat.css"):
            assert (await stranger.get(path)).status_code == 200
        described = (await stranger.get("/openapi.json")).json()
    missing = []
    for path, methods in described["paths"].items():
        for method in methods:
            answer = await served.http.request(method, path.replace("{id}", "none").replace("/events", ""))
            if answer.status_code == 405 or '"there is no such path"' in answer.text:
                missing.append(f"{method} {path}: {answer.status_code}")
    assert missing == []
