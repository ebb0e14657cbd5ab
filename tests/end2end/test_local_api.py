"""Other programs are answered while the window is open: switched on, asked, and gone with the window."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import httpx2
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from app.ui.dialogs.programs.local_api import LocalApiPage
from app.ui.dialogs.settings.window import SettingsWindow
from tests.ui import screen

from .conftest import Driver, Open


async def local_api_page(driver: Driver) -> LocalApiPage:
    driver.desk.settings.show("api")
    window = await driver.sees(SettingsWindow)
    await driver.until(window.isActiveWindow, "the settings in front")
    page = window.page("api")
    assert isinstance(page, LocalApiPage)
    await driver.until(lambda: page.rows, "the programs that have a key")
    return page


def typed_port(page: LocalApiPage, port: int) -> None:
    page.head.port.selectAll()
    QTest.keyClicks(page.head.port, str(port))


async def chat(http: httpx2.AsyncClient, address: str, key: str, text: str) -> httpx2.Response:
    body: dict[str, Any] = {"model": "assistant:direct", "messages": [{"role": "user", "content": text}]}
    headers = {"Authorization": f"Bearer {key}"}
    return await http.post(f"{address}/v1/chat/completions", json=body, headers=headers)


async def test_a_program_is_answered_by_the_open_window_until_it_closes(open_window: Open) -> None:
    driver = await open_window({"content": "from the window"})
    page = await local_api_page(driver)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        typed_port(page, port)
        screen.click(page.head.switch)
        await driver.until(lambda: str(port) in page.told.text(), "the taken port is named")
        assert not page.head.address.isVisible()
    # Free now; a person who changes nothing switches off and on.
    screen.click(page.head.switch)
    await driver.until(lambda: not page.told.text(), "nothing to complain about")
    screen.click(page.head.switch)
    await driver.until(page.head.address.isVisible, "an address")
    screen.click(page.head.copy_address)
    address = QGuiApplication.clipboard().text()
    assert address == f"http://127.0.0.1:{port}"
    first = page.head.key.text()
    async with httpx2.AsyncClient(timeout=60.0) as http:
        answer = await chat(http, address, first, "hello")
        assert answer.json()["choices"][0]["message"]["content"] == "from the window"
        await driver.until(lambda: "POST /v1/chat/completions → 200" in page.requests.lines.text(), "the request shown")

        screen.click(page.head.renew)
        await driver.until(lambda: page.head.key.text() != first, "another key")
        assert (await chat(http, address, first, "hello")).status_code == 401

        QTest.keyClicks(page.form.name, "editor")
        QTest.keyClicks(page.form.agents, "research")
        screen.click(page.form.add)
        await driver.until(page.form.token.text, "the key of the program")
        assert (await chat(http, address, page.form.token.text(), "hello")).status_code == 404  # another's agent
        await driver.until(lambda: "editor" in page.requests.lines.text(), "its request shown")

        session = await driver.services.sessions.create("assistant")
        headers = {"Authorization": f"Bearer {page.head.key.text()}"}
        async with http.stream("GET", f"{address}/api/sessions/{session.id}/events", headers=headers) as follower:
            await driver.until(lambda: "Connected" in page.rows["owner"].state.text(), "who is connected")  # type: ignore[attr-defined]
            reading = asyncio.create_task(follower.aread())
            await driver.closes()
            assert b": following" in await reading  # ended in order, not cut
    with socket.socket() as free:
        assert free.connect_ex(("127.0.0.1", port)) != 0

    again = await open_window()
    await again.until(lambda: again.services.local_api.address == address, "answered again at the next start")
