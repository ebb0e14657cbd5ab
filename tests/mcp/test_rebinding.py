"""A server the person has named whose name begins to stand for something else: checked at each request."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from app.mcp import Hub
from app.mcp.connection import CallFailed, StartFailed
from tests.mcp.conftest import call, plan_of
from tests.rigs.evil_mcp_http import EvilHttp
from tests.rigs.name_server import NameServer, connects

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there all of 127/8 is this machine")
OUTSIDE, INSIDE = "127.0.0.2", "127.0.0.3"
METADATA, PUBLIC = "169.254.169.254", "93.184.216.34"
SERVERS: dict[str, tuple[str, Sequence[Sequence[str]], str]] = {
    "moves to the internet": ("http", [[OUTSIDE], [OUTSIDE], [PUBLIC]], "address"),
    "is in the internet as well": ("http", [[OUTSIDE, PUBLIC]], "address"),
    "moves to the cloud's own": ("http", [[OUTSIDE], [OUTSIDE], [METADATA]], "address"),
    "is the cloud's own": ("https", [[METADATA]], "address"),
    "is link-local": ("https", [["fe80::1"]], "address"),
    "is mapped to the cloud's own": ("https", [[f"::ffff:{METADATA}"]], "address"),
    "is everybody": ("https", [["224.0.0.1"]], "address"),
    "is nobody": ("https", [["0.0.0.0"]], "address"),
    "is gone": ("http", [[OUTSIDE], [OUTSIDE], []], "not_found"),
}


async def test_T20_a_server_is_asked_at_addresses_that_were_checked_and_no_others(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = EvilHttp("good")
    server = await asyncio.start_server(made.serve, "0.0.0.0", 0)
    made.port = server.sockets[0].getsockname()[1]
    wrong: list[str] = []
    for number, (name, (scheme, turns, code)) in enumerate(SERVERS.items()):
        with NameServer({"box.local": turns}) as names, connects() as reached:
            monkeypatch.setattr("app.mcp.transport.http.resolve", names.resolve)
            try:
                await hub.start(plan_of(id=f"box-{number}", url=f"{scheme}://box.local:{made.port}/mcp"))
                told = "started"
            except StartFailed as failed:
                told = failed.code
        if told != code:
            wrong.append(f"{name}: {told}")
        if set(reached) - {OUTSIDE}:
            wrong.append(f"{name}: reached {sorted(set(reached))}")
    server.close()
    await server.wait_closed()
    assert wrong == []


async def test_T20_a_server_that_moves_while_it_runs_is_not_followed(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    made = EvilHttp("good")
    server = await asyncio.start_server(made.serve, "0.0.0.0", 0)
    made.port = server.sockets[0].getsockname()[1]
    turns: list[Any] = [[OUTSIDE]]
    with NameServer({"box.local": turns}) as names, connects() as reached:
        monkeypatch.setattr("app.mcp.transport.http.resolve", names.resolve)
        plan = plan_of(id="box", url=f"http://box.local:{made.port}/mcp", headers={"Authorization": "Bearer canary-1"})
        assert (await call(hub, plan, text="a"))["content"][0]["text"] == "a"
        names.change("box.local", [[PUBLIC]])
        with pytest.raises(CallFailed, match="not in a private network"):
            await call(hub, plan, text="b")
        names.change("box.local", [[INSIDE]])
        assert (await call(hub, plan, text="c"))["content"][0]["text"] == "c"  # another machine of the same network
    await hub.stop("box")
    server.close()
    await server.wait_closed()
    assert set(reached) == {OUTSIDE, INSIDE}
