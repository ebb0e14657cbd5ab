"""Sessions as a person handles them: list, open, rename, move to the bin."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from app.core.errors import TriptychError, UnknownName
from app.core.ids import TEMPORARY, new_id
from app.core.run.messages import Message
from app.core.run.outcome import UNFINISHED
from app.core.session.branches import Branch, Tree
from app.core.session.summary import SessionRow
from app.storage.stores.sessions import Changes as Before
from app.storage.stores.sessions import SessionStore

from ..changes import Changes
from ..settings.settings import SettingsService

log = logging.getLogger(__name__)

BIN_DAYS = 30
_DAY = 86_400.0
_OVER = "bin-over"
"""The note of a session in the bin: when a start first found that it had lain there for too long."""
LONGEST_FOLDER = 60
CHOICES, DELETED, QUEUE, LEFT_OUT, IMPORTED = "choices", "deleted", "queue", "left_out", "imported"
"""Kinds of notes kept with a session."""


class SessionService:
    def __init__(self, store: SessionStore, settings: SettingsService) -> None:
        self._store, self._settings = store, settings
        self._changes: Changes[str] = Changes()
        self._forgetting: asyncio.Task[None] | None = None

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """`listener` gets the id of every session that changes; returns the call that stops it."""
        return self._changes.listen(listener)

    def changed(self, id: str) -> None:
        self._changes.tell(id)

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
        messages = await self._store.messages(id)
        tree = Tree(messages, await self._store.names(id, DELETED))
        return tree.line(await self._choices(id))

    async def choose(self, id: str, message: str) -> None:
        """Of the variants a message of the line has, this one is read from now on."""
        line = await self.line(id)
        for one, options in line.variants.items():
            if message in options:
                await self._keep_choice(id, line.follows[one], message)
                self.changed(id)
                return
        raise UnknownName("variant", message, [one for options in line.variants.values() for one in options])

    async def choose_newest(self, id: str, follows: str) -> None:
        """Another variant is about to be made there: it shall be the one that is read."""
        await self._keep_choice(id, follows, "")

    async def _keep_choice(self, id: str, follows: str, message: str) -> None:
        choices = await self._choices(id)
        before = choices.pop(follows, "")
        if message:
            choices[follows] = message
        if message != before:
            await self._store.put_note(id, CHOICES, choices or None)

    async def _choices(self, id: str) -> dict[str, str]:
        choices = await self._store.note(id, CHOICES)
        return {one: str(choice) for one, choice in choices.items()} if isinstance(choices, dict) else {}

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

    async def trash(self, id: str) -> None:
        await self._store.trash(id)
        self.changed(id)

    async def restore(self, id: str) -> None:
        await self._store.restore(id)
        self.changed(id)

    async def trashed(self) -> list[SessionRow]:
        """What is in the bin, thrown away last first."""
        return await self._store.rows(trashed=True)

    async def purge(self, *ids: str) -> None:
        """For good. They are gone from every list long before this returns: their words leave the index last."""
        for id in ids:
            await self._store.purge(id)
            self.changed(id)
        await self._store.forget()

    def forget_soon(self) -> None:
        """For a process that stays: what `sweep` deleted, or a process that ended meanwhile, leaves the index too."""
        self._forgetting = asyncio.create_task(self._forget(), name="forget")

    async def close(self) -> None:
        if self._forgetting is not None:
            self._forgetting.cancel()
            await asyncio.gather(self._forgetting, return_exceptions=True)

    async def _forget(self) -> None:
        try:
            await self._store.forget()
        except TriptychError as error:
            log.warning("deleted words are still in the index of the search: %s", error)

    # ------------------------------------------------------------ single messages

    async def fork(self, id: str, message: str) -> SessionRow:
        """A new session with what is read up to and including this message. Raises UnknownName."""
        line = (await self.line(id)).messages
        end = next((place for place, one in enumerate(line) if one.id == message), None)
        if end is None:
            raise UnknownName("message", message)
        old = await self.row(id)
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
        if await self.is_imported(id):
            await self.mark_imported(row.id)
        self.changed(row.id)
        return row

    async def hide_message(self, id: str, message: str) -> None:
        """Deleted for the eye; `sweep` does it for good, until then `show_message` takes it back."""
        hidden = await self._store.names(id, DELETED)
        await self._store.put_note(id, DELETED, [*hidden, message])
        self.changed(id)

    async def show_message(self, id: str, message: str) -> None:
        hidden = [one for one in await self._store.names(id, DELETED) if one != message]
        await self._store.put_note(id, DELETED, hidden or None)
        self.changed(id)

    async def sweep(self) -> None:
        """Delete for good what was hidden, and what lay in the bin for too long.

        Called when nobody can take it back any more: at the start. What cannot be read is left as it is.
        """
        over: set[str] = set()
        for row in await self.trashed():
            # A time changed on the disk deletes nothing for good.
            is_over = row.trashed is not None and row.trashed < time.time() - BIN_DAYS * _DAY
            if not is_over or not await self._store.is_as_written(row.id):
                continue
            over.add(row.id)
            if await self._is_over_since_yesterday(row.id):
                await self._store.purge(row.id)
        for id in set(await self._store.with_note(_OVER)) - over:
            await self._store.put_note(id, _OVER, None)
        for id in await self._store.with_note(DELETED):
            hidden = await self._store.names(id, DELETED)
            tree = Tree(await self._store.messages(id), hidden)
            there = {one.id for one in await self._store.messages(id)}
            gone = {one for message in hidden if message in there for one in tree.lost_with(message)}
            await self._store.delete_messages(id, gone)
            await self._store.put_note(id, DELETED, None)

    async def _is_over_since_yesterday(self, id: str) -> bool:
        """An earlier start, a day or more ago, has found so too: a clock that jumps for once deletes nothing."""
        found, now = await self._store.note(id, _OVER), time.time()
        if isinstance(found, int | float) and found <= now:
            return now - found >= _DAY
        await self._store.put_note(id, _OVER, now)
        return False

    # ------------------------------------------------------------ waiting to be sent

    async def queue(self, id: str) -> list[str]:
        """Messages written while a run went on, in the order they are to be sent."""
        return await self._store.names(id, QUEUE)

    async def set_queue(self, id: str, texts: Sequence[str]) -> None:
        await self._store.put_note(id, QUEUE, list(texts) or None)

    # ------------------------------------------------------------ from elsewhere

    async def mark_imported(self, id: str) -> None:
        """What stands in it was not written here: its runs are careful from the first word on (T38)."""
        await self._store.put_note(id, IMPORTED, True)

    async def is_imported(self, id: str) -> bool:
        return bool(await self._store.note(id, IMPORTED))

    # ------------------------------------------------------------ not to be sent

    async def left_out(self, id: str) -> frozenset[str]:
        """Ids of messages and tool calls, references of files: what requests of this session leave out."""
        return frozenset(await self._store.names(id, LEFT_OUT))

    async def set_left_out(self, id: str, ids: Iterable[str]) -> None:
        await self._store.put_note(id, LEFT_OUT, sorted(set(ids)) or None)
        self.changed(id)


def folder_name(text: str) -> str:
    """One line; a folder is no more than the name its sessions share, so it goes with the last of them."""
    return " ".join(text.split())[:LONGEST_FOLDER].strip()


__all__ = ["BIN_DAYS", "Before", "SessionService", "folder_name"]
