"""The reference servers of other hands, where somebody has put them: NPM_MCP_SERVERS=…/node_modules/.bin"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from app.mcp import Hub
from app.mcp.results import envelope
from tests.mcp.conftest import call, plan_of

BIN = Path(os.environ.get("NPM_MCP_SERVERS", "/nowhere"))

pytestmark = pytest.mark.skipif(
    not shutil.which("node") or not (BIN / "mcp-server-everything").exists(),
    reason="no npm servers (NPM_MCP_SERVERS names their folder)",
)


async def test_the_everything_server(hub: Hub) -> None:
    plan = plan_of(id="everything", command=str(BIN / "mcp-server-everything"), args=("stdio",))
    listing = await hub.start(plan)
    assert hub.state("everything").version == "2025-11-25"
    assert listing.left_out == ()
    assert "你好" in envelope("e", await call(hub, plan, "echo", message="你好")).data
    assert "image/png" in envelope("e", await call(hub, plan, "get-tiny-image")).data
    weather = envelope("e", await call(hub, plan, "get-structured-content", location="New York")).data
    assert set(weather) == {"temperature", "conditions", "humidity"}


async def test_the_file_system_server(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello from a file", "utf-8")
    plan = plan_of(id="files", command=str(BIN / "mcp-server-filesystem"), args=(str(tmp_path),))
    await hub.start(plan)
    read = envelope("f", await call(hub, plan, "read_text_file", path=str(tmp_path / "note.txt")))
    assert read.data == "hello from a file"
    refused = envelope("f", await call(hub, plan, "read_text_file", path="/etc/hostname"))
    assert not refused.ok
