"""A server that changed behind one's back is told of in the window, once, with the way to look at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from pytestqt.qtbot import QtBot

from app.services.mcp.service import McpService
from app.services.mcp.views import McpServerEntry
from app.ui.main_window.notices.mcp_watch import McpWatch
from app.ui.theme import Theme
from app.ui.widgets.notice_bar import NoticeBar


class Servers:
    """What the watch asks of the service."""

    def __init__(self, entry: McpServerEntry) -> None:
        self.entry = entry
        self.tell: Callable[[str], None] = lambda _id: None

    def servers(self) -> list[McpServerEntry]:
        return [self.entry]

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        self.tell = listener
        return lambda: None


class Settings:
    """The settings, as far as the watch knows them."""

    def __init__(self, *, is_open: bool) -> None:
        self.is_open, self.opened = is_open, list[str]()

    def is_at(self, page: str) -> bool:
        return self.is_open and page == "mcp"

    def show(self, page: str = "", item: str = "") -> None:
        assert page == "mcp"
        self.opened.append(item)


def watched(qtbot: QtBot, *, is_open: bool = False) -> tuple[Servers, NoticeBar, list[str]]:
    usable = McpServerEntry("maps", "<b>Maps</b>", "stdio", "x", True, "running", is_usable=True)
    servers, settings = Servers(usable), Settings(is_open=is_open)
    notice = NoticeBar(Theme())
    qtbot.addWidget(notice)
    McpWatch(cast("McpService", servers), notice, settings)
    return servers, notice, settings.opened


def change(servers: Servers, **fields: Any) -> None:
    servers.entry = replace(servers.entry, **fields)
    servers.tell("maps")


def test_it_is_told_once_and_leads_to_the_server(qtbot: QtBot) -> None:
    servers, notice, opened = watched(qtbot)
    change(servers, state="tools", is_usable=False)
    assert notice.accessibleName().startswith("<b>Maps</b> is not what you accepted")
    notice._button.click()
    assert opened == ["maps"]
    notice.dismiss()
    change(servers, state="tools")
    assert notice.isHidden()


def test_a_server_that_fails_or_is_switched_off_is_no_such_thing(qtbot: QtBot) -> None:
    servers, notice, _opened = watched(qtbot)
    change(servers, state="failed")
    change(servers, state="off", is_usable=False)
    change(servers, state="review")
    assert notice.isHidden()


def test_who_has_the_dialog_open_sees_it_there(qtbot: QtBot) -> None:
    servers, notice, _opened = watched(qtbot, is_open=True)
    change(servers, state="review", is_usable=False)
    assert notice.isHidden()
