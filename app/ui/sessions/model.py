"""The sessions as an item model, filtered by words: which line stands where is found in `arrange`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.core.session.summary import SessionRow
from app.core.system.clock import CLOCK, Clock
from app.core.text.i18n import _
from app.ui.sessions.arrange import ARCHIVE, ListEntry, arranged, folders_of
from app.ui.sessions.dates import Groups
from app.ui.sessions.lines import SessionLines
from app.ui.widgets.guarded import guarded

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
GROUP = Qt.ItemDataRole.UserRole + 1
"""The title to show above the row, "" unless the row is the first of its group."""
RUNNING = Qt.ItemDataRole.UserRole + 2
ID = Qt.ItemDataRole.UserRole + 3
HEAD = Qt.ItemDataRole.UserRole + 4
"""The `GroupHead` of a line that is a folder or the archive, else None."""
MIME = "application/x-triptych-sessions"
"""Sessions that are dragged: their ids, one a line."""


def session_title(row: SessionRow) -> str:
    return row.title or (_("Temporary session") if row.is_temporary else _("New session"))


class SessionListModel(QAbstractListModel):
    rename_asked = Signal(str, str)
    """Session and new title: somebody edited the row in place."""
    folder_rename_asked = Signal(str, str)
    """Folder and its new name, the same way."""
    folded = Signal()
    """A folder, or the archive, was opened or closed."""

    def __init__(self, parent: QObject | None = None, *, clock: Clock = CLOCK) -> None:
        super().__init__(parent)
        self._clock = clock
        self.rows: Mapping[str, SessionRow] = {}
        """By id, shown or not; pinned ones first, then the newest."""
        self.lines = SessionLines()
        self.agent_names: Mapping[str, str] = {}
        self._running: frozenset[str] = frozenset()
        self._words: tuple[str, ...] = ()
        self.closed: frozenset[str] = frozenset({ARCHIVE})
        """Folders, and the archive."""

    # ------------------------------------------------------------ what is shown

    def set_rows(self, rows: Iterable[SessionRow]) -> None:
        newest_first = sorted(rows, key=lambda row: (row.pinned, row.updated), reverse=True)
        if newest_first == list(self.rows.values()) and self.lines.entries:
            return
        self.rows = {row.id: row for row in newest_first}
        entries, shown = self._arranged(), len(self.lines.entries)
        if [_key(entry) for entry in entries[:shown]] == [_key(entry) for entry in self.lines.entries]:
            # The same lines, or at the start the first of them: what is scrolled and marked stays.
            if len(entries) > shown:
                self.beginInsertRows(QModelIndex(), shown, len(entries) - 1)
            self.lines = SessionLines(entries)
            if len(entries) > shown:
                self.endInsertRows()
            if shown:
                self.dataChanged.emit(self.index(0), self.index(shown - 1))
            return
        self.beginResetModel()
        self.lines = SessionLines(entries)
        self.endResetModel()

    def put(self, row: SessionRow) -> None:
        """A new row, or a newer version of one."""
        self.set_rows([row, *(old for old in self.rows.values() if old.id != row.id)])

    def take(self, id: str) -> None:
        self.set_rows([row for row in self.rows.values() if row.id != id])

    def set_filter(self, text: str) -> None:
        words = tuple(text.casefold().split())
        if words != self._words:
            self._words = words
            self._arrange_anew()

    def set_closed(self, keys: Iterable[str]) -> None:
        """Which folders are closed (ARCHIVE for the archive); while there are words, all are open."""
        if (closed := frozenset(keys)) != self.closed:
            self.closed = closed
            self._arrange_anew()

    def toggle(self, key: str, is_open: bool | None = None) -> None:
        """Open or close a head; without `is_open` the other way round."""
        is_open = key in self.closed if is_open is None else is_open
        if is_open is (key in self.closed):
            self.set_closed(self.closed - {key} if is_open else self.closed | {key})
            self.folded.emit()

    def set_running(self, ids: Iterable[str]) -> None:
        before, self._running = self._running, frozenset(ids)
        for id in before ^ self._running:
            if (place := self.lines.place_of(id)) >= 0:
                self.dataChanged.emit(self.index(place), self.index(place), [RUNNING])

    def set_agent_names(self, names: Mapping[str, str]) -> None:
        if names == self.agent_names:
            return
        self.agent_names = dict(names)
        if self.lines.entries:
            self.dataChanged.emit(self.index(0), self.index(len(self.lines.entries) - 1))

    def folders(self) -> list[str]:
        return folders_of(self.rows.values())

    def _arrange_anew(self) -> None:
        self.beginResetModel()
        self.lines = SessionLines(self._arranged())
        self.endResetModel()

    def _arranged(self) -> list[ListEntry]:
        def is_open(key: str) -> bool:
            return bool(self._words) or key not in self.closed

        return arranged(
            list(self.rows.values()), Groups(self._clock.today()), open_heads=is_open, matches=self._matches
        )

    def _matches(self, row: SessionRow) -> bool:
        if not self._words:
            return True
        text = f"{row.title}\n{row.preview}\n{row.folder}\n{self.agent_names.get(row.agent, row.agent)}".casefold()
        return all(word in text for word in self._words)

    # ------------------------------------------------------------ Qt

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.lines.entries)

    @guarded
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self.lines.entries):
            return None
        entry = self.lines.entries[index.row()]
        if entry.row is None:
            return _of_head(entry, role)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return session_title(entry.row)
            case Qt.ItemDataRole.EditRole:
                return entry.row.title
            case _ if role == ROW:
                return entry.row
            case _ if role == GROUP:
                return entry.group
            case _ if role == RUNNING:
                return entry.row.id in self._running
            case _ if role == ID:
                return entry.row.id
        return None

    @guarded
    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        head, plain = self.lines.head_at(index.row()), Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDropEnabled
        if head is not None:
            return plain | (Qt.ItemFlag.ItemIsEditable if head.kind == "folder" else Qt.ItemFlag.NoItemFlags)
        return plain | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        data.setData(MIME, "\n".join(str(index.data(ID)) for index in indexes).encode())
        return data

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        title, entry = " ".join(str(value).split()), self.lines.entries[index.row()]
        if entry.row is None:
            if entry.head is not None and title and title != entry.head.key:
                self.folder_rename_asked.emit(entry.head.key, title)
            return False
        if not title or title == entry.row.title:
            return False
        row = replace(entry.row, title=title)
        self.lines.entries[index.row()] = entry._replace(row=row)
        self.rows = {**self.rows, row.id: row}
        self.dataChanged.emit(index, index)
        self.rename_asked.emit(row.id, title)
        return True


def _of_head(entry: ListEntry, role: int) -> Any:
    head = entry.head
    if head is None:
        return None
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return f"{head.title}, {head.count}"
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
        return head.title
    return head if role == HEAD else None


def _key(entry: ListEntry) -> str:
    return entry.row.id if entry.row is not None else f"head {entry.head.key}" if entry.head else ""
