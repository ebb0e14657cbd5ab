"""Sessions as a person handles them: list, create, open, rename, sort into folders.

`bin` handles deleted sessions, `edits` single messages, `notes` further values of a session.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from app.core.ids import TEMPORARY, new_id
from app.core.run.messages import Message
from app.core.session.branches import Branch
from app.core.session.summary import SessionRow
from app.storage.stores.sessions import Changes as Before
from app.storage.stores.sessions import SessionStore

from ..changes import Changes
from ..settings.settings import SettingsService
from .conversation import Conversation, read_branch, read_conversation
from .message_edits import MessageEdits
from .session_bin import SessionBin
from .session_notes import SessionNotes

LONGEST_FOLDER = 60


class SessionService:
    def __init__(self, store: SessionStore, settings: SettingsService) -> None:
        self._store, self._settings = store, settings
        self.changes: Changes[str] = Changes()
        """Ids of sessions that changed."""
        self.bin = SessionBin(store, self.changes)
        self.notes = SessionNotes(store, self.changes)
        self.edits = MessageEdits(store, self.changes)

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """`listener` gets the id of every session that changes; returns the call that stops it."""
        return self.changes.listen(listener)

    def changed(self, id: str) -> None:
        self.changes.notify(id)

    async def rows(self, query: str = "", *, archived: bool = False) -> list[SessionRow]:
        """Pinned first, then newest first; the bin is left out, and the archive unless it is asked for."""
        return await self._store.rows(query, archived=archived)

    async def row(self, id: str) -> SessionRow:
        """Raises UnknownName."""
        return await self._store.get(id)

    async def create(self, agent: str = "", mode: str = "", model: str = "", *, temporary: bool = False) -> SessionRow:
        """`temporary`: never on the disk, gone when the program ends."""
        profile = self._settings.profile(agent or self._settings.preferences.default_agent)
        now = time.time()
        id = new_id(TEMPORARY if temporary else "")
        row = SessionRow(id, "", profile.id, mode, model, created=now, updated=now)
        await self._store.create(row)
        self.changed(row.id)
        return row

    async def messages(self, id: str) -> list[Message]:
        """What is read of the conversation, oldest first."""
        return list((await self.line(id)).messages)

    async def line(self, id: str) -> Branch:
        """The same with its variants: of each the newest, unless another one was chosen."""
        return await read_branch(self._store, id)

    async def conversation(self, id: str) -> Conversation:
        """All that a run needs of the session, in one read. Raises UnknownName."""
        return await read_conversation(self._store, id)

    async def add(self, id: str, message: Message) -> None:
        """On disk before it returns. A session without a title takes it from its first question."""
        await self._store.add_message(id, message)
        self.changed(id)

    async def rename(self, id: str, title: str) -> None:
        await self.update(id, title=title.strip())

    async def update(self, id: str, **fields: Any) -> None:
        """`agent`, `mode`, `model`, `title`, `pinned`, `folder`, `draft`; None leaves a field as it is."""
        changes = {name: value for name, value in fields.items() if value is not None}
        await self._store.update(id, **changes)
        if changes.keys() - {"draft"}:
            self.changed(id)

    async def change(self, ids: Iterable[str], **fields: Any) -> Before:
        """The same for several sessions, all or none; returns what `put_back` needs to undo it."""
        before = await self._store.update_many(dict.fromkeys(ids, fields))
        for id in before:
            self.changed(id)
        return before

    async def put_back(self, before: Before) -> None:
        """Undoes a `change`. Raises UnknownName if one of the sessions is gone for good."""
        await self._store.update_many(before)
        for id in before:
            self.changed(id)

    async def rename_folder(self, name: str, new: str) -> Before:
        """All sessions of a folder into one of another name, archived ones too; "" takes them out."""
        rows = await self._store.rows(archived=True)
        return await self.change([row.id for row in rows if row.folder == name], folder=folder_name(new))


def folder_name(text: str) -> str:
    """One line; a folder is no more than the name its sessions share, so it goes with the last of them."""
    return " ".join(text.split())[:LONGEST_FOLDER].strip()


__all__ = ["Before", "SessionService", "folder_name"]
