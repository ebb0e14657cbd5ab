"""Sessions as a person handles them: list, open, rename, move to the bin."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from app.core.ids import new_id
from app.core.messages import Message
from app.core.session import SessionRow
from app.storage.sessions import SessionStore

from .changes import Changes
from .settings import SettingsService


class SessionService:
    def __init__(self, store: SessionStore, settings: SettingsService) -> None:
        self._store, self._settings = store, settings
        self._changes: Changes[str] = Changes()

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """`listener` gets the id of every session that changes; returns the call that stops it."""
        return self._changes.listen(listener)

    def changed(self, id: str) -> None:
        self._changes.tell(id)

    async def rows(self, query: str = "") -> list[SessionRow]:
        """Pinned first, then newest first; the bin is left out."""
        return await self._store.rows(query)

    async def row(self, id: str) -> SessionRow:
        """Raises UnknownName."""
        return await self._store.get(id)

    async def create(self, agent: str = "", mode: str = "", model: str = "") -> SessionRow:
        profile = self._settings.profile(agent or self._settings.preferences.default_agent)
        now = time.time()
        row = SessionRow(new_id(), "", profile.id, mode, model, created=now, updated=now)
        await self._store.create(row)
        self.changed(row.id)
        return row

    async def messages(self, id: str) -> list[Message]:
        """The main line of the conversation, oldest first: of variants the newest."""
        return main_line(await self._store.messages(id))

    async def add(self, id: str, message: Message) -> None:
        """On disk before it returns. A session without a title takes it from its first question."""
        await self._store.add_message(id, message)
        self.changed(id)

    async def rename(self, id: str, title: str) -> None:
        await self.update(id, title=title.strip())

    async def update(self, id: str, **fields: Any) -> None:
        """`agent`, `mode`, `model`, `title`, `pinned`, `folder`, `draft`; None leaves a field as it is."""
        given = {name: value for name, value in fields.items() if value is not None}
        await self._store.update(id, **given)
        if given.keys() - {"draft"}:
            self.changed(id)

    async def trash(self, id: str) -> None:
        await self._store.trash(id)
        self.changed(id)

    async def restore(self, id: str) -> None:
        await self._store.restore(id)
        self.changed(id)

    async def purge(self, id: str) -> None:
        await self._store.purge(id)
        self.changed(id)


def main_line(messages: list[Message]) -> list[Message]:
    """Of the answers to one question the newest; a question edited later takes the old one's place."""
    last: dict[str | None, str] = {message.parent: message.id for message in messages if message.parent}
    return [message for message in messages if not message.parent or last[message.parent] == message.id]
