"""A session as a run begins from it: its row, what is read of its messages, and what stands in its notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.core.errors import UnknownName
from app.core.session.branches import Branch, Tree
from app.core.session.summary import SessionRow
from app.storage.db.encoding import names_in
from app.storage.stores.sessions import SessionStore

from .session_notes import CHOICES, DELETED, IMPORTED, LEFT_OUT


@dataclass(frozen=True, slots=True)
class Conversation:
    row: SessionRow
    line: Branch
    """The messages that are read, with their variants."""
    left_out: frozenset[str]
    """As `SessionNotes.left_out`."""
    is_imported: bool
    """As `SessionNotes.is_imported`."""


async def read_conversation(store: SessionStore, id: str) -> Conversation:
    """One read of the database, so that all of it is of one moment. Raises UnknownName."""
    row, messages, notes = await store.conversation(id)
    if row is None:
        raise UnknownName("session", id)
    line = Tree(messages, names_in(notes.get(DELETED))).line(choices_in(notes))
    return Conversation(row, line, frozenset(names_in(notes.get(LEFT_OUT))), bool(notes.get(IMPORTED)))


async def read_branch(store: SessionStore, id: str) -> Branch:
    """The messages that are read of a session, with their variants: of each the newest, unless another was chosen."""
    _row, messages, notes = await store.conversation(id)
    return Tree(messages, names_in(notes.get(DELETED))).line(choices_in(notes))


def choices_in(notes: Mapping[str, Any]) -> dict[str, str]:
    """The chosen message by the message it follows."""
    choices = notes.get(CHOICES)
    return {one: str(choice) for one, choice in choices.items()} if isinstance(choices, dict) else {}
