"""Servers over HTTP: the good ones of both eras, and those that tempt, cut, overfill and redirect."""

from __future__ import annotations

import asyncio

import pytest

from app.mcp import Hub
from app.mcp.config import ServerConfig, check_url, is_near
from app.mcp.connection import CallFailed, StartFailed
from app.mcp.results import envelope
from app.mcp.transport.http import CannotReach, check_address
from tests.mcp.conftest import call, plan_of
from tests.rigs.evil_mcp_http import evil_http


async def test_a_server_over_http_answers_and_gets_its_headers(hub: Hub) -> None:
    async with evil_http() as server:
        plan = plan_of(id="web", url=server.url, headers={"Authorization": "Bearer tok-canary"})
        assert envelope("web", await call(hub, plan, text="hello")).data == "hello"
        assert all("tok-canary" in headers for headers in server.headers)
        assert hub.state("web").version == "2025-11-25"
        await hub.stop("web")


@pytest.mark.parametrize("mode", ["html", "error", "redirect", "wrong_type"])
async def test_C18_what_is_no_server_is_a_typed_failure(hub: Hub, mode: str) -> None:
    async with evil_http(mode, elsewhere="http://127.0.0.1:1") as server:
        with pytest.raises(StartFailed) as failed:
            await hub.start(plan_of(id="web", url=server.url))
        assert failed.value.code == "protocol"
        assert "<" not in failed.value.message
        assert hub.state("web").phase == "failed"


async def test_T15_a_server_that_wants_a_sign_in_says_so(hub: Hub) -> None:
    async with evil_http("auth", elsewhere="http://127.0.0.1:1") as server:
        plan = plan_of(id="web", url=server.url)
        with pytest.raises(StartFailed) as failed:
            await hub.start(plan)
        assert failed.value.code == "sign_in"
        assert "wants a sign-in" in failed.value.message
        server.mode = "good"
        assert envelope("web", await call(hub, plan, text="a")).data == "a"
        server.mode = "expired"
        with pytest.raises(CallFailed) as refused:
            await call(hub, plan, text="b")
        assert (refused.value.code, "sign-in" in refused.value.message) == ("MCP_ERROR", True)
        await hub.stop("web")


async def test_C13_C14_C15_addresses_that_a_server_names_are_never_asked(hub: Hub) -> None:
    async with evil_http() as other:
        elsewhere = other.url.removesuffix("/mcp")
        for mode in ("auth", "redirect"):
            async with evil_http(mode, elsewhere=elsewhere) as server:
                with pytest.raises(StartFailed):
                    await hub.start(plan_of(id=mode, url=server.url))
                assert set(server.seen) == {"/mcp"}
        assert other.seen == []


@pytest.mark.parametrize("mode", ["cut", "endless", "bomb"])
async def test_C18_a_cut_or_endless_answer_fails_the_call_and_the_next_one_is_tried(hub: Hub, mode: str) -> None:
    async with evil_http(mode) as server:
        plan = plan_of(id="web", url=server.url, timeout=8)
        async with asyncio.timeout(60):
            with pytest.raises(CallFailed):
                await call(hub, plan, text="a")
        server.mode = "good"
        assert envelope("web", await call(hub, plan, text="b")).data == "b"
        await hub.stop("web")


async def test_C18_a_tool_that_would_smuggle_headers_is_left_out(hub: Hub) -> None:
    async with evil_http("header") as server:
        listing = await hub.start(plan_of(id="web", url=server.url))
        assert [tool.name for tool in listing.tools] == ["echo"]
        assert "HTTP headers" in listing.left_out[0].why
        assert hub.state("web").version == "2026-07-28"
        assert not any("evil" in headers.lower().replace("evil_", "") for headers in server.headers)
        await hub.stop("web")


async def test_a_server_of_the_handshake_may_answer_with_the_number_of_a_closed_connection(
    hub: Hub,
) -> None:
    async with evil_http("stateful") as server:
        plan = plan_of(id="web", url=server.url)
        assert envelope("web", await call(hub, plan, text="a")).data == "a"
        await hub.stop("web")


async def test_a_server_that_forgets_its_session_is_greeted_again(hub: Hub) -> None:
    async with evil_http("forgets") as server:
        plan = plan_of(id="web", url=server.url)
        with pytest.raises(CallFailed, match="forgotten us"):
            await call(hub, plan, text="a")
        server.mode = "good"
        assert envelope("web", await call(hub, plan, text="b")).data == "b"
        await hub.stop("web")


async def test_nobody_there_is_a_network_failure(hub: Hub) -> None:
    with pytest.raises(StartFailed) as failed:
        await hub.start(plan_of(id="web", url="http://127.0.0.1:9/mcp"))
    assert failed.value.code == "network"
    assert failed.value.message == "the connection was refused"


async def test_offline_only_this_machine_is_reached(hub: Hub) -> None:
    with pytest.raises(StartFailed) as failed:
        await hub.start(plan_of(id="far", url="https://example.org/mcp", offline=True))
    assert failed.value.code == "offline"
    async with evil_http() as server:
        await hub.start(plan_of(id="near", url=server.url, offline=True))
        await hub.stop("near")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/mcp", "ftp://127.0.0.1/x", "https://user:pw@example.org/", "https:///mcp", "mcp", "",
        "http://127.0.0.1\\@example.org/", "https://exa mple.org/", "http://93.184.216.34/", "https://h/#part",
        "http://169.254.169.254/latest",
    ],
)  # fmt: skip
def test_addresses_that_are_refused(url: str) -> None:
    with pytest.raises(ValueError):
        check_url(url)
    with pytest.raises(ValueError):
        ServerConfig(id="x", transport="http", url=url)


@pytest.mark.parametrize(
    "url", ["https://example.org/mcp", "http://localhost:8000/mcp", "http://192.168.1.4:3000/", "http://nas.local/mcp"]
)
def test_addresses_that_are_taken(url: str) -> None:
    check_url(url)


def test_a_link_local_address_is_not_near() -> None:
    assert is_near("10.0.0.7")
    assert is_near("::1")
    assert not is_near("169.254.169.254")
    assert not is_near("8.8.8.8")


async def test_a_private_name_that_stands_for_a_public_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(self: object, host: str, port: int, **_named: object) -> list[object]:
        return [(2, 1, 6, "", ("93.184.216.34", port))]

    monkeypatch.setattr(type(asyncio.get_running_loop()), "getaddrinfo", resolve)
    with pytest.raises(CannotReach) as failed:
        await check_address("http://printer.local/mcp")
    assert failed.value.code == "address"
    await check_address("https://example.org/mcp")
