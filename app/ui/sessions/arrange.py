"""In which order the list shows what: temporary sessions, pinned ones, folders, the rest by date, the archive.

A folder and the archive have a line of their own, which opens and closes them; the other groups
only have a title above their first row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.core.session.summary import SessionRow
from app.core.text.i18n import _
from app.ui.sessions.dates import Groups

ARCHIVE = "\0archive"
"""The key of the archive among those of folders: no folder can be named so."""


@dataclass(frozen=True, slots=True)
class GroupHead:
    """The line of a folder, or of the archive."""

    key: str
    """The folder's name, or ARCHIVE."""
    count: int
    is_open: bool

    @property
    def kind(self) -> Literal["folder", "archive"]:
        return "archive" if self.key == ARCHIVE else "folder"

    @property
    def title(self) -> str:
        return _("Archive") if self.key == ARCHIVE else self.key


class ListEntry(NamedTuple):
    """One line of the list: a session or a head."""

    row: SessionRow | None
    group: str = ""
    """The title above it, "" unless it is the first of its group."""
    head: GroupHead | None = None
    inside: str = ""
    """The key of the head it is under."""


def arranged(
    rows: Iterable[SessionRow],
    groups: Groups,
    *,
    open_heads: Callable[[str], bool],
    matches: Callable[[SessionRow], bool],
) -> list[ListEntry]:
    """`rows` newest first; what is in the bin is left out."""
    visible_rows = [row for row in rows if row.trashed is None and matches(row)]
    by_head: dict[str, list[SessionRow]] = {}
    above: list[SessionRow] = []
    dated: list[SessionRow] = []
    for row in visible_rows:
        if row.is_temporary or (row.pinned and not row.archived):
            above.append(row)
        elif row.archived or row.folder:
            by_head.setdefault(ARCHIVE if row.archived else row.folder, []).append(row)
        else:
            dated.append(row)
    above.sort(key=lambda row: not row.is_temporary)
    archive = by_head.pop(ARCHIVE, [])
    entries = _titled(above, groups)
    for name in sorted(by_head, key=str.casefold):
        entries += _headed(name, by_head[name], is_open=open_heads(name))
    entries += _titled(dated, groups)
    return entries + (_headed(ARCHIVE, archive, is_open=open_heads(ARCHIVE)) if archive else [])


def _titled(rows: Sequence[SessionRow], groups: Groups) -> list[ListEntry]:
    entries, last = [], ""
    for row in rows:
        group = groups.title(row)
        entries.append(ListEntry(row, group if group != last else ""))
        last = group
    return entries


def _headed(key: str, rows: Sequence[SessionRow], *, is_open: bool) -> list[ListEntry]:
    head = ListEntry(None, head=GroupHead(key, len(rows), is_open))
    return [head, *(ListEntry(row, inside=key) for row in rows)] if is_open else [head]


def folders_of(rows: Collection[SessionRow]) -> list[str]:
    """The folders there are, by name. An archived session keeps its own, but does not make it appear."""
    names = {row.folder for row in rows if row.folder and not row.archived and row.trashed is None}
    return sorted(names, key=str.casefold)
