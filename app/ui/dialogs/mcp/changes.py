"""The changes to the server that a form shows: stored as they are, with what they took the place of, for Undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import shiboken6

from app.ui.dialogs.mcp.form import McpForm
from app.ui.dialogs.providers.key_storage import SecretKeeper
from app.ui.dialogs.settings.history import History

if TYPE_CHECKING:
    from app.services.mcp.service import McpService
    from app.services.mcp.views import McpServerForm


class ServerChanges:
    def __init__(self, form: McpForm, mcp: McpService, secrets: SecretKeeper) -> None:
        self._form, self._mcp, self._secrets = form, mcp, secrets
        self._history: History[McpServerForm] = History()

    @property
    def can_undo(self) -> bool:
        return self._history.last is not None

    def clear(self) -> None:
        """Another server is shown."""
        self._history.clear()

    async def add(self, form: McpServerForm) -> str:
        """The id of a new server; "" if nobody said where its values may be kept. Raises as `save_server`."""
        id = ""

        async def add() -> None:
            nonlocal id
            id = await self._mcp.save_server(form)

        await self._secrets.do(add)
        return id

    async def store(self, form: McpServerForm) -> bool:
        """False if nobody said where its values may be kept. Raises as `save_server`."""
        before = await self._mcp.replaced_by(form)

        async def store() -> None:
            await self._mcp.save_server(form)

        if not await self._secrets.do(store):
            return False
        shown = self._form.form() if shiboken6.isValid(self._form) else None
        if shown is not None and shown.id == form.id:
            self._form.follow(form, self._mcp.form(form.id))
            self._history.store(before, form)
        return True

    def take_back(self) -> None:
        """The form shows what was there before the last change, to be stored."""
        if self._history.last is not None:
            self._form.show_changed(self._history.last)
