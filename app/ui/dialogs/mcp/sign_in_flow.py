"""Signing in at a server from its page: the address is shown before the browser opens, and it can be given up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.ui.dialogs.approvals.link import ask_to_open_link
from app.ui.theme import Theme

if TYPE_CHECKING:
    from app.services.mcp.service import McpService


class ShowSignIn(Protocol):
    def __call__(self, id: str, *, is_running: bool, is_done: bool) -> None: ...


class SignInFlow(QObject):
    def __init__(self, mcp: McpService, page: QWidget, theme: Theme, show: ShowSignIn) -> None:
        """`show` shows how it stands with a server, if that is in sight."""
        super().__init__(page)
        self._mcp, self._page, self._theme, self._show = mcp, page, theme, show
        self.signing = ""
        """The server a sign-in goes on for."""

    async def begin(self, id: str) -> None:
        """Until it is done. Raises what the server or the browser made of it."""
        self.signing = id
        self._show(id, is_running=True, is_done=False)
        try:
            await self._mcp.sign_ins.begin(id, partial(self._ask_browser, id))
        finally:
            self.signing = ""
            await self.show(id)

    def cancel(self) -> None:
        self._mcp.sign_ins.cancel(self.signing)

    async def forget(self, id: str) -> None:
        await self._mcp.sign_ins.forget(id)
        await self._mcp.stop(id)
        await self.show(id)

    async def show(self, id: str) -> None:
        is_done = await self._mcp.sign_ins.is_done(id)
        if shiboken6.isValid(self):
            self._show(id, is_running=self.signing == id, is_done=is_done)

    def _ask_browser(self, id: str, url: str) -> None:
        """The server names the address: it is shown before anything opens."""
        if not shiboken6.isValid(self):
            self._mcp.sign_ins.cancel(id)
            return
        sheet = ask_to_open_link(self._page, self._theme, url)
        sheet.answered.connect(partial(self._give_up, id))

    def _give_up(self, id: str, answer: str) -> None:
        if not answer:
            self._mcp.sign_ins.cancel(id)
