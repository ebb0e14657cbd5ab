"""The button "Sign in…" of a server: what opens is shown first, and the page goes on by itself."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QUrl

from app.services.container import Services
from app.ui.dialogs.approvals.link import ask_to_open_link
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.mcp.window import ServersPage
from app.ui.theme import Theme
from tests.mcp.test_sign_in import SignInServer, services, signing, visit
from tests.rigs.fault_server import FaultServer
from tests.ui import screen
from tests.ui.dialogs.work import Work

__all__ = ["services"]


async def until(holds: Any) -> None:
    for _ in range(1_500):
        if holds():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never came to hold")


async def test_a_person_signs_in_with_the_browser(
    services: Services,
    work: Work,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, opened = SignInServer(), list[str]()

    def browser(url: QUrl) -> bool:
        opened.append(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        return True

    monkeypatch.setattr("app.ui.dialogs.mcp.sign_in_flow.ask_to_open_link", partial(ask_to_open_link, open_url=browser))
    async with FaultServer(asked) as server:
        id = await signing(services, server, asked)
        page = ServersPage(services.mcp, services.providers, services.settings, Theme(), spawn=work, server=id)
        page.resize(900, 700)
        page.show()
        shown = page.page
        assert "Sign in with the browser" in shown.why.full_text()

        def question() -> AskDialog | None:
            return next((one for one in page.findChildren(AskDialog) if one.isVisible()), None)

        screen.click(shown.sign_in_button)
        await until(question)
        sheet = question()
        assert sheet is not None
        assert opened == [], "not before the person has seen the address"
        screen.click(sheet.buttons[""])
        await until(lambda: "given up" in shown.told.full_text())

        screen.click(shown.sign_in_button)
        await until(question)
        assert shown.cancel_sign_in_button.isVisible()
        sheet = question()
        assert sheet is not None
        screen.click(sheet.buttons["open"])
        await until(lambda: opened)
        await visit(asked.agree(opened[0]))
        await until(lambda: shown.tools.table.rowCount() == 1)
        await until(shown.sign_out_button.isVisible)
        assert not shown.sign_in_button.isVisible()
        screen.click(shown.sign_out_button)
        await until(lambda: not shown.sign_out_button.isVisible())
        assert asked.faults == []
        await work.settled()
        page.close()
