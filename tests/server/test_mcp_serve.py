"""`triptych mcp serve`, started by the client of the official SDK as editors start it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from .conftest import TOKEN, Served

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
