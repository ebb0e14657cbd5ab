"""MCP servers in the composed window: an agent uses one; bad ones beside it never take the window down."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

from app.services.all import Services
from app.services.mcp_views import McpServerForm
from app.ui.dialogs import ApprovalCard
from app.ui.widgets.safe_text import SafeLabel
from tests.end2end.conftest import Driver, Open

EVIL = str(Path(__file__).parents[1] / "rigs" / "evil_mcp.py")


async def agreed(services: Services, *modes: str) -> None:
    """Servers the person has looked at and accepted, all of them the assistant's."""
    mcp, ids = services.mcp, []
    for mode in modes:
        id = await mcp.save_server(McpServerForm(name=mode, command=sys.executable, args=(EVIL, mode), timeout=8))
        await mcp.accept_start(id, (await mcp.review(id)).fingerprint)
        await mcp.start(id)
        await mcp.accept_tools(id, mcp.tools(id).digest)
        ids.append(id)
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"mcp_servers": tuple(ids)}))


def services_of(driver: Driver) -> Services:
    services = driver.application._services
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
    await asyncio.sleep(0.6)  # a card that has just appeared is deaf
    card.answered.emit(card._approval.id, "once", "", None)
    await driver.done()
    assert driver.answers() == ["It said it."]


async def test_T18_R30_three_bad_servers_beside_a_good_one_and_the_window_goes_on(open_window: Open) -> None:
    """The good one answers within a second, the window's own beat never stops, and the run reaches its end."""
    driver = await open_window(
        calls(("flood__echo", {}), ("dense__echo", {}), ("no-newline__echo", {})),
        {"content": "None of them answered."},
    )
    services = services_of(driver)
    await agreed(services, "good", "flood", "dense", "no_newline")
    for id in ("good", "flood", "dense", "no-newline"):
        await services.mcp.set_word(id, "echo", "allow")
    gaps: list[float] = []
    waits: list[float] = []

    async def beat() -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.005)
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    async def ask_the_good_one() -> None:
        while True:
            began = time.perf_counter()
            assert (await services.tools.call("good__echo", {"text": "x"}, "assistant")).ok
            waits.append(time.perf_counter() - began)
            await asyncio.sleep(0.05)

    others = [asyncio.create_task(beat()), asyncio.create_task(ask_the_good_one())]
    await driver.asked("Ask them all")
    for task in others:
        task.cancel()
    assert driver.answers() == ["None of them answered."]
    assert waits
    assert max(waits) < 1
    gaps.sort()
    assert gaps[int(len(gaps) * 0.95)] < 0.1
    assert gaps[-1] < 0.5  # on a machine of its own below 0.1; the suite shares its cores


async def test_the_window_closes_with_its_servers(open_window: Open) -> None:
    driver = await open_window()
    services = services_of(driver)
    await agreed(services, "good", "stubborn")
    pids = [services.mcp._hub.state(id).pid for id in ("good", "stubborn")]
    began = time.monotonic()
    await driver.application.close()
    assert time.monotonic() - began < 8
    assert not any(map(is_alive, pids))


def is_alive(pid: int | None) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return False  # or a system without /proc
    return stat.rpartition(")")[2].split()[0] not in "ZX"
