"""What a person does with single messages of a session: choose a variant, fork, hide and show again."""

from __future__ import annotations

import time
from dataclasses import replace

from app.core.errors import UnknownName
from app.core.ids import new_id
from app.core.run.messages import Message
from app.core.run.outcome import UNFINISHED
from app.core.session.summary import SessionRow
from app.storage.stores.sessions import SessionStore

from ..changes import Changes
from .conversation import choices_in, read_branch
from .session_notes import CHOICES, DELETED, IMPORTED


class MessageEdits:
    def __init__(self, store: SessionStore, changes: Changes[str]) -> None:
        self._store, self._changes = store, changes

    async def choose(self, id: str, message: str) -> None:
        """Of the variants a message of the line has, this one is read from now on."""
        line = await read_branch(self._store, id)
        for one, options in line.variants.items():
            if message in options:
                await self._keep_choice(id, line.follows[one], message)
                self._changes.notify(id)
                return
        raise UnknownName("variant", message, [one for options in line.variants.values() for one in options])

    async def choose_newest(self, id: str, follows: str) -> None:
        """Another variant is about to be made there: it shall be the one that is read."""
        await self._keep_choice(id, follows, "")

    async def _keep_choice(self, id: str, follows: str, message: str) -> None:
        choices = choices_in({CHOICES: await self._store.notes.get(id, CHOICES)})
        before = choices.pop(follows, "")
        if message:
            choices[follows] = message
        if message != before:
            await self._store.notes.put(id, CHOICES, choices or None)

    async def fork(self, id: str, message: str) -> SessionRow:
        """A new session with what is read up to and including this message. Raises UnknownName."""
        line = (await read_branch(self._store, id)).messages
        end = next((place for place, one in enumerate(line) if one.id == message), None)
        if end is None:
            raise UnknownName("message", message)
        old = await self._store.get(id)
        now = time.time()
        row = SessionRow(new_id(id), old.title, old.agent, old.mode, old.model, now, now, folder=old.folder)
        await self._store.create(row)
        before: Message | None = None
        for one in line[: end + 1]:
            if one.state in UNFINISHED:
                continue
            # The events of the run stay with the original; the message holds all that is shown of it.
            parent = before.id if before is not None and before.role != one.role else None
            before = replace(one, id=new_id(id), parent=parent, run=None)
            await self._store.add_message(row.id, before)
        if await self._store.notes.get(id, IMPORTED):
            await self._store.notes.put(row.id, IMPORTED, True)
        self._changes.notify(row.id)
        return row

    async def hide_message(self, id: str, message: str) -> None:
        """Deleted for the eye; `sweep` does it for good, until then `show_message` takes it back."""
        hidden = await self._store.notes.names(id, DELETED)
        await self._store.notes.put(id, DELETED, [*hidden, message])
        self._changes.notify(id)

    async def show_message(self, id: str, message: str) -> None:
        hidden = [one for one in await self._store.notes.names(id, DELETED) if one != message]
        await self._store.notes.put(id, DELETED, hidden or None)
        self._changes.notify(id)
