"""The lines of the list as they stand now: sessions, and heads of folders and of the archive."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.session.summary import SessionRow
from app.ui.sessions.arrange import GroupHead, ListEntry


class SessionLines:
    def __init__(self, entries: Sequence[ListEntry] = ()) -> None:
        self.entries = list(entries)

    def shown_rows(self) -> list[SessionRow]:
        """The sessions one sees, from top to bottom."""
        return [entry.row for entry in self.entries if entry.row is not None]

    def row_at(self, place: int) -> SessionRow | None:
        """None for the line of a folder, too."""
        return self.entries[place].row if 0 <= place < len(self.entries) else None

    def head_at(self, place: int) -> GroupHead | None:
        return self.entries[place].head if 0 <= place < len(self.entries) else None

    def is_inside(self, place: int) -> bool:
        """Whether the line is under the one of a folder."""
        return 0 <= place < len(self.entries) and bool(self.entries[place].inside)

    def folder_at(self, place: int) -> str | None:
        """The folder that what is dropped there goes to: "" = none, ARCHIVE = the archive; None where it cannot."""
        if not 0 <= place < len(self.entries):
            return ""
        entry = self.entries[place]
        if entry.head is not None:
            return entry.head.key
        return None if entry.row is None or entry.row.is_temporary or entry.row.pinned else entry.inside

    def place_of(self, id: str) -> int:
        """Where the session is in the list as it is filtered now, -1 if it is not there."""
        return next((n for n, entry in enumerate(self.entries) if entry.row is not None and entry.row.id == id), -1)

    def place_of_head(self, key: str) -> int:
        return next((n for n, entry in enumerate(self.entries) if entry.head and entry.head.key == key), -1)

    def begins_group(self, place: int) -> bool:
        return 0 <= place < len(self.entries) and bool(self.entries[place].group)
