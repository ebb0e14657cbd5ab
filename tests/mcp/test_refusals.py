"""Servers over HTTP that ask for a sign-in or send elsewhere: named, asked no second time, and told nothing."""

from __future__ import annotations

import pytest

from app.mcp import Hub
from app.mcp.connection import StartFailed
from tests.mcp.conftest import plan_of
from tests.rigs.evil_mcp_http import evil_http
from tests.rigs.refusing_http import CASES, refusing_http

TOKEN = "tok-canary-52871"
MOST_REQUESTS = 6
"""Two ways to begin, a notification, a stream, the list of tools, the goodbye."""


async def test_T15_a_refusal_is_named_and_nothing_of_it_is_followed(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: list[str] = []
    async with evil_http() as other:
        elsewhere = other.url.removesuffix("/mcp")
        for number, (name, case) in enumerate(CASES.items()):
            # One of them never ends.
            monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", 0.5 if case.stays_open else 30.0)
            async with refusing_http(case, elsewhere=elsewhere, token=TOKEN) as server:
                plan = plan_of(id=f"web-{number}", url=server.url, headers={"Authorization": f"Bearer {TOKEN}"})
                try:
                    await hub.start(plan)
                except StartFailed as failed:
                    told, code = failed.message, failed.code
                else:
                    told, code = "", "started"
                state, log = hub.state(plan.config.id), "\n".join(hub.log(plan.config.id))
                wrong += [
                    f"{name}: {what}"
                    for what, holds in {
                        f"{code}, not {case.code}": code == case.code,
                        f"told {told!r}": case.told in told and len(told) <= 400,
                        "hidden characters": told.isprintable(),
                        "the token is told": TOKEN not in told + log + repr(state),
                        f"{server.seen} asked": set(server.seen) == {"/mcp"} and len(server.seen) <= MOST_REQUESTS,
                        f"state {state.phase}": state.phase == "failed",
                    }.items()
                    if not holds
                ]
        assert other.seen == []
    assert wrong == []
    assert len(CASES) >= 20


@pytest.mark.parametrize("path", ["/sse", "/sse/", "/v1/sse"])
async def test_an_address_of_the_old_transport_is_called_so(hub: Hub, path: str) -> None:
    async with evil_http("error") as server:
        with pytest.raises(StartFailed) as failed:
            await hub.start(plan_of(id="web", url=server.url.removesuffix("/mcp") + path))
        assert failed.value.code == "sse"
        assert "/mcp" in failed.value.message


async def test_a_token_that_is_not_accepted_is_told_apart_from_a_missing_one(hub: Hub) -> None:
    async with evil_http("auth", elsewhere="http://127.0.0.1:1") as server:
        for headers, told in (({}, "wants a sign-in"), ({"authorization": "Bearer x"}, "does not accept the token")):
            with pytest.raises(StartFailed) as failed:
                await hub.start(plan_of(id="web", url=server.url, headers=headers))
            assert told in failed.value.message
