"""`triptych mcp serve`, started by the client of the official SDK as editors start it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Mapping
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from .conftest import TOKEN, Served, until

ROOT = Path(__file__).resolve().parents[2]


async def test_agents_are_tools_and_sessions_resources(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    call = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}
    script.write_text(json.dumps({"turns": [call, {"content": "It is 42."}, {"content": "As said, 42."}]}), "utf-8")
    environment = {
        **os.environ, "TRIPTYCH_DATA_DIR": str(tmp_path / "data"), "TRIPTYCH_MODEL": f"script/{script.as_posix()}",
    }  # fmt: skip
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "app", "mcp", "serve"], env=environment, cwd=ROOT
    )
    told: list[str] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    async with Client(stdio_client(parameters)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"assistant", "travel"} <= tools.keys()
        assert tools["assistant"].input_schema["required"] == ["question"]
        first = await client.call_tool("assistant", {"question": "6*7?", "mode": "react"}, progress_callback=note)
        assert not first.is_error
        answer = first.structured_content or {}
        assert answer["answer"] == "It is 42."
        assert any("alc" in text for text in told), told
        again = await client.call_tool("assistant", {"question": "again?", "session": answer["session"]})
        assert (again.structured_content or {})["session"] == answer["session"]
        refused = [
            await client.call_tool("assistant", args)
            for args in ({}, {"question": " "}, {"question": "x", "mode": "dance"}, {"question": 7},
                         {"question": "x", "y": 1},
                         {"question": "x", "session": "none"})
        ]  # fmt: skip
        assert [one.is_error for one in refused] == [True] * len(refused)
        with pytest.raises(MCPError):
            await client.call_tool("nobody", {"question": "x"})
        (resource,) = (await client.list_resources()).resources
        text = (await client.read_resource(resource.uri)).contents[0]
        assert "It is 42." in getattr(text, "text", "")
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template.format(session=answer["session"]) == resource.uri
        with pytest.raises(MCPError):
            await client.read_resource("triptych://sessions/none")


async def test_the_same_over_http_for_the_token_of_the_person_alone(served: Served) -> None:
    token = await served.services.api_clients.add("editor")
    address = f"{served.address}/mcp"
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        answered = await client.call_tool("assistant", {"question": "hi", "mode": "direct"})
        assert (answered.structured_content or {})["answer"] == "yes"
    for headers, status in (({}, 401), ({"Authorization": f"Bearer {token}"}, 403)):
        async with httpx2.AsyncClient(headers=headers) as http:
            assert (await http.post(address, json={})).status_code == status
    assert (await served.http.post("/mcp/further", json={})).status_code == 404


async def test_the_command_serves_over_http_and_nothing_beside(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"turns": [{"content": "over HTTP"}]}), "utf-8")
    environment = {
        **os.environ, "TRIPTYCH_DATA_DIR": str(tmp_path / "data"), "TRIPTYCH_MODEL": f"script/{script.as_posix()}",
        "TRIPTYCH_API_TOKEN": TOKEN, "TRIPTYCH_LANG": "en",
    }  # fmt: skip
    command = [sys.executable, "-m", "app", "mcp", "serve", "--http", "--port", "0"]
    program = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment, stdout=PIPE, stderr=PIPE)
    try:
        assert program.stdout is not None
        address = (await program.stdout.readline()).decode().split()[-1]
        assert address.endswith("/mcp")
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            assert "assistant" in {tool.name for tool in (await client.list_tools()).tools}
            answered = await client.call_tool("assistant", {"question": "hi", "mode": "direct"})
            assert (answered.structured_content or {})["answer"] == "over HTTP"
            (resource,) = (await client.list_resources()).resources
            assert "over HTTP" in getattr((await client.read_resource(resource.uri)).contents[0], "text", "")
            foreign = {"Host": "agents.example:80"}, {"Origin": "https://agents.example"}
            assert [(await http.post(address, json={}, headers=one)).status_code for one in foreign] == [403, 403]
            elsewhere = [
                await http.get(address.removesuffix("/mcp") + path) for path in ("/", "/api/health", "/v1/models")
            ]
            assert [one.status_code for one in elsewhere] == [404, 404, 404]
        async with httpx2.AsyncClient() as http:
            assert (await http.post(address, json={})).status_code == 401
    finally:
        if program.returncode is None:
            program.send_signal(signal.SIGINT)
        await program.communicate()
    assert program.returncode == 0


async def test_a_client_over_http_that_goes_ends_its_run_whichever_protocol_it_speaks(served: Served) -> None:
    served.plays({"chunks": ["word "] * 4_000, "delay": 0.05})
    running = served.services.chat.running_sessions
    accepts = {"Accept": "application/json, text/event-stream"}
    call = {"name": "assistant", "arguments": {"question": "long", "mode": "direct"}, "_meta": {"progressToken": 1}}
    opening = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    for version in ("2025-11-25", "2026-07-28"):
        headers = {**accepts, "MCP-Protocol-Version": version}
        if version == "2025-11-25":
            opened = await served.http.post("/mcp", headers=accepts, json=_request("initialize", opening))
            headers["Mcp-Session-Id"] = opened.headers["mcp-session-id"]
        else:
            call["_meta"] |= {  # type: ignore[operator]
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientInfo": opening["clientInfo"],
                "io.modelcontextprotocol/clientCapabilities": {},
            }
            headers |= {"Mcp-Method": "tools/call", "Mcp-Name": "assistant"}
        async with httpx2.AsyncClient(base_url=served.address, headers=served.http.headers) as http:
            calling = asyncio.create_task(http.post("/mcp", headers=headers, json=_request("tools/call", call)))
            await until(running, f"a run of {version}")
            (session,) = running()
            run = served.services.chat.running(session)
            assert run is not None
            calling.cancel()
        await until(lambda: not running(), f"the end of the run of {version}")
        assert getattr(await run.result(), "reason", "") == "cancelled"


async def test_refusals_over_http_are_json(served: Served) -> None:
    accepts = {"Accept": "application/json, text/event-stream"}
    bodies = (
        b"",
        b"{",
        b"[]",
        b"7",
        b"\xff",
        b"[" * 50_000,
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": 7}',
    )
    faults = []
    for version in ("", "2025-11-25", "2026-07-28", "9999-01-01", "x"):
        for more in ({}, accepts, {**accepts, "Content-Type": "text/plain"}, {**accepts, "Mcp-Session-Id": "none"}):
            headers = {**more, **({"MCP-Protocol-Version": version} if version else {})}
            for body in bodies:
                answer = await served.http.post("/mcp", content=body, headers=headers)
                if not 400 <= answer.status_code < 500 or "message" not in answer.json()["error"]:
                    faults.append(f"{version} {more} {body[:40]!r}: {answer.status_code} {answer.text[:200]}")
            got = await served.http.get("/mcp", headers={"Accept": "text/plain", **headers, "Mcp-Session-Id": "none"})
            if not 400 <= got.status_code < 500 or "error" not in got.json():
                faults.append(f"GET {version}: {got.status_code} {got.text[:200]}")
    assert faults == []


def _request(method: str, params: Mapping[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
