"""The page of search services: ticked, raised, given a key and an address, tested; nothing of a key stays on it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytest_httpserver import HTTPServer
from pytestqt.qtbot import QtBot

from app.compose import build
from app.ui.dialogs.web.page import WebSearchPage
from app.ui.dialogs.web.services import ServicesPage
from app.ui.theme import Theme


async def test_services_are_chosen_ordered_keyed_and_tested(qtbot: QtBot, tmp_path: Path) -> None:
    services = build(tmp_path, {"TRIPTYCH_LANG": "en"})
    services.providers.key_storage.choose("session")
    open_tasks: list[asyncio.Task[Any]] = []

    def spawn(work: Coroutine[Any, Any, Any]) -> Any:
        open_tasks.append(asyncio.ensure_future(work))
        return open_tasks[-1]

    async def settled() -> None:
        while any(not task.done() for task in open_tasks):
            await asyncio.gather(*open_tasks)

    page = WebSearchPage(services.web_search, Theme(), spawn=spawn)
    qtbot.addWidget(page)
    page.resize(700, 900)
    page.show()
    await settled()
    tavily, searxng = page.rows["tavily"], page.rows["searxng"]
    for row in (tavily, searxng):
        row.box.click()
        await settled()
    assert services.settings.preferences.search_services == ("tavily", "searxng")
    assert (tavily.up.isVisible(), searxng.up.isVisible()) == (False, True)
    QTest.mouseClick(searxng.up, Qt.MouseButton.LeftButton)
    await settled()
    assert services.settings.preferences.search_services == ("searxng", "tavily")

    QTest.keyClicks(tavily.key, "k-1")
    QTest.keyClick(tavily.key, Qt.Key.Key_Return)
    await settled()
    assert tavily.key.text() == ""
    assert "kept" in tavily.key.placeholderText()
    assert await services.web_search.key_state("tavily") == "there"

    searxng.address.setText("nonsense")
    searxng.address.editingFinished.emit()
    await settled()
    assert "http" in page.told.text()
    with HTTPServer(host="127.0.0.1") as server:
        server.expect_request("/search").respond_with_json({"results": [{"url": "https://x.org", "title": "A page"}]})
        searxng.address.setText(server.url_for("/"))
        searxng.address.editingFinished.emit()
        await settled()
        assert page.told.text() == ""
        QTest.mouseClick(searxng.test, Qt.MouseButton.LeftButton)
        await settled()
    assert searxng.told.text() == "It works: A page"
    assert page.rows["readwise"].test.isHidden()


async def test_services_of_agents_are_chosen_keyed_and_tested(qtbot: QtBot, tmp_path: Path) -> None:
    services = build(tmp_path, {"TRIPTYCH_LANG": "en"})
    services.providers.key_storage.choose("session")
    open_tasks: list[asyncio.Task[Any]] = []

    def spawn(work: Coroutine[Any, Any, Any]) -> Any:
        open_tasks.append(asyncio.ensure_future(work))
        return open_tasks[-1]

    async def settled() -> None:
        while any(not task.done() for task in open_tasks):
            await asyncio.gather(*open_tasks)

    page = ServicesPage(services.endpoints, Theme(), spawn=spawn)
    qtbot.addWidget(page)
    page.resize(700, 900)
    page.show()
    await settled()
    usual, amap = page.rows["travel.geocode"], page.rows["travel.amap"]
    assert (usual.box.isChecked(), amap.box.isChecked(), page.local.isChecked()) == (True, False, False)
    with HTTPServer(host="127.0.0.1") as server:
        server.expect_request("/v3/place/text").respond_with_json(
            {"status": "1", "pois": [{"name": "外滩", "type": "x", "location": "121.495,31.238", "adname": []}]}
        )
        for is_local, told in ((False, True), (True, False)):
            page.local.setChecked(is_local)
            amap.address.setText(server.url_for("/"))
            amap.address.editingFinished.emit()
            await settled()
            assert bool(page.told.text()) is told
        QTest.keyClicks(amap.key, "k-1")
        QTest.mouseClick(amap.save, Qt.MouseButton.LeftButton)
        await settled()
        amap.box.click()
        await settled()
        assert (usual.box.isChecked(), amap.box.isChecked()) == (False, True)
        QTest.mouseClick(amap.test, Qt.MouseButton.LeftButton)
        await settled()
    assert amap.told.text().startswith("It works: 外滩")
