"""MCP servers from the command line: seen, checked, called – and only those that were agreed to."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from app.compose import build
from app.services.mcp.views import McpServerForm
from tests.cli.conftest import Triptych

EVIL = str(Path(__file__).parents[1] / "rigs" / "evil_mcp.py")


@pytest.fixture
def echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A server that was agreed to, of the agent `tester`; and one nobody has looked at."""

    async def set_up() -> None:
        services = build(os.environ["TRIPTYCH_DATA_DIR"], {})
        await services.open()
        mcp = services.mcp
        await mcp.save_server(McpServerForm(name="new", command=sys.executable, args=(EVIL, "good")))
        id = await mcp.save_server(McpServerForm(name="echo", command=sys.executable, args=(EVIL, "good")))
        await mcp.accept_start(id, (await mcp.review(id)).fingerprint)
        await mcp.start(id)
        await mcp.accept_tools(id, mcp.tools(id).digest)
        profile = services.settings.profile("assistant").model_copy(update={"id": "tester", "mcp_servers": (id, "new")})
        await services.settings.save_profile(profile)
        await services.close()

    monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", 60.0)  # other tests have the processor too
    asyncio.run(set_up())
    return "echo"


def test_the_tools_of_agreed_servers_are_listed_and_called(triptych: Triptych, echo: str) -> None:
    tools = {tool["name"]: tool for tool in triptych("tools", "list", "--agent", "tester", "--json").json}
    assert tools["echo__echo"]["permission"] == "mcp"
    assert tools["echo__echo"]["word"] == "ask"
    assert not any(name.startswith("new__") for name in tools)
    said = triptych("tools", "call", "echo__echo", "--agent", "tester", "--json", json.dumps({"text": "你好"}))
    assert (said.code, said.json["data"]) == (0, "你好")
    assert triptych("tools", "call", "new__echo", "--agent", "tester", "--json", "{}").code == 2


def test_servers_are_listed_and_checked(triptych: Triptych, echo: str) -> None:
    rows = {row["id"]: row for row in triptych("mcp", "list", "--json").json}
    assert (rows["echo"]["state"], rows["new"]["state"]) == ("stopped", "off")
    assert "echo" in triptych("mcp", "list").out
    checked = triptych("mcp", "check", "echo", "--json").json
    assert (checked["state"], checked["tools"], checked["accepted"]) == ("running", ["echo__echo"], True)
    assert "echo__echo" in triptych("mcp", "check", "echo").out
    refused = triptych("mcp", "check", "new")
    assert refused.code == 2
    assert "agreed" in refused.err
    assert triptych("mcp", "check", "nobody").code == 2


def test_without_servers_the_list_is_empty(triptych: Triptych) -> None:
    assert triptych("mcp", "list", "--json").json == []
