"""MCP servers in the composed window: an agent uses one; bad ones beside it never take the window down."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from app.services.container import Services
from app.services.mcp.views import McpServerForm
from app.ui.dialogs import ApprovalCard
from app.ui.widgets.safe_text import SafeLabel
from tests.end2end.conftest import Driver, Open
from tests.floor import Beats, floor

EVIL = str(Path(__file__).parents[1] / "rigs" / "evil_mcp.py")
PATIENCE = 60
"""Seconds a good server may take where many processes share a core."""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", float(PATIENCE))
    monkeypatch.setattr("app.mcp.hub.CLOSE_SECONDS", float(PATIENCE))


async def agreed(services: Services, *modes: str) -> None:
    """Servers the person has looked at and accepted, all of them the assistant's."""
    mcp, ids = services.mcp, []
    for mode in modes:
        form = McpServerForm(name=mode, command=sys.executable, args=(EVIL, mode), timeout=PATIENCE)
        id = await mcp.save_server(form)
        await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
        await mcp.start(id)
        await mcp.reviews.accept_tools(id, mcp.reviews.tools(id).digest)
        ids.append(id)
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"mcp_servers": tuple(ids)}))


def services_of(driver: Driver) -> Services:
    services = driver.services
    assert services is not None
    return services


def calls(*named: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": args} for name, args in named]}


async def test_a_server_of_the_agent_is_asked_after_the_person_was(open_window: Open) -> None:
    driver = await open_window(calls(("good__echo", {"text": "from the server"})), {"content": "It said it."})
    await agreed(services_of(driver), "good")
    driver.ask("Ask the server")
    await driver.until(lambda: driver.window.findChild(ApprovalCard) is not None, "the approval card")
    card = driver.window.findChild(ApprovalCard)
    assert card is not None
    assert any(label.full_text().startswith("good · ") for label in card.findChildren(SafeLabel))  # the server
    await driver.until(card.allow_once.isEnabled, "an end of its deafness")
    card.answered.emit(card._approval.id, "once", "", None)
    await driver.done()
    assert driver.answers() == ["It said it."]


async def test_T18_R30_three_bad_servers_beside_a_good_one_and_the_window_goes_on(open_window: Open) -> None:
    """The good one answers meanwhile, the window's own beat never stops, and the run reaches its end."""
    driver = await open_window(
        calls(("flood__echo", {}), ("dense__echo", {}), ("no-newline__echo", {})),
        {"content": "None of them answered."},
    )
    services = services_of(driver)
    await agreed(services, "good", "flood", "dense", "no_newline")
    for id in ("good", "flood", "dense", "no-newline"):
        await services.mcp.reviews.set_word(id, "echo", "allow")
    answered = 0

    async def ask_the_good_one() -> None:
        nonlocal answered
        while True:
            assert (await services.tools.call("good__echo", {"text": "x"}, "assistant")).ok
            answered += 1
            await asyncio.sleep(0.05)

    limit = floor()
    async with Beats() as beats:
        asking = asyncio.create_task(ask_the_good_one())
        await driver.asked("Ask them all")
    await driver.until(lambda: answered > 0 or asking.done(), "an answer of the good one")
    asking.cancel()
    assert not asking.done()
    assert driver.answers() == ["None of them answered."]
    assert beats.worked(0.95) <= 20 * limit
    assert beats.worked() <= 100 * limit
    assert max(beats.stood) <= 400


async def test_the_window_closes_with_its_servers(open_window: Open) -> None:
    driver = await open_window()
    services = services_of(driver)
    await agreed(services, "good", "stubborn")
    pids = [services.mcp.registry.hub.state(id).pid for id in ("good", "stubborn")]
    async with asyncio.timeout(PATIENCE):
        await driver.closes()
    assert not any(map(is_alive, pids))


def is_alive(pid: int | None) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return False  # or a system without /proc
    return stat.rpartition(")")[2].split()[0] not in "ZX"
