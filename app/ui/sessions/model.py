"""The sessions as an item model: newest first, pinned ones before all, filtered by words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.core.i18n import _
from app.core.session import SessionRow
from app.ui.sessions.dates import Groups

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
GROUP = Qt.ItemDataRole.UserRole + 1
"""The title to show above the row, "" unless the row is the first of its group."""
RUNNING = Qt.ItemDataRole.UserRole + 2
ID = Qt.ItemDataRole.UserRole + 3


def session_title(row: SessionRow) -> str:
    return row.title or _("New session")


@dataclass(frozen=True, slots=True)
class _Entry:
    row: SessionRow
    group: str = ""


class SessionListModel(QAbstractListModel):
    rename_asked = Signal(str, str)
    """Session and new title: somebody edited the row in place."""

    def __init__(self, parent: QObject | None = None, *, today: Callable[[], date] | None = None) -> None:
        super().__init__(parent)
        self._today = today or (lambda: datetime.now().astimezone().date())
        self._rows: list[SessionRow] = []
        self._entries: list[_Entry] = []
        self._agents: Mapping[str, str] = {}
        self._running: frozenset[str] = frozenset()
        self._words: tuple[str, ...] = ()

    # ------------------------------------------------------------ what is shown

    def set_rows(self, rows: Iterable[SessionRow]) -> None:
        rows = sorted(rows, key=lambda row: (row.pinned, row.updated), reverse=True)
        if rows == self._rows and self._entries:
            return
        same_order = [row.id for row in rows] == [row.id for row in self._rows]
        self._rows = rows
        entries = self._arranged()
        if same_order and [entry.row.id for entry in entries] == [entry.row.id for entry in self._entries]:
            self._entries = entries
            if entries:
                self.dataChanged.emit(self.index(0), self.index(len(entries) - 1))
            return
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def put(self, row: SessionRow) -> None:
        """A new row, or a newer version of one."""
        self.set_rows([row, *(old for old in self._rows if old.id != row.id)])

    def take(self, id: str) -> None:
        self.set_rows([row for row in self._rows if row.id != id])

    def set_filter(self, text: str) -> None:
        words = tuple(text.casefold().split())
        if words != self._words:
            self._words = words
            self.beginResetModel()
            self._entries = self._arranged()
            self.endResetModel()

    def set_running(self, ids: Iterable[str]) -> None:
        before, self._running = self._running, frozenset(ids)
        for id in before ^ self._running:
            if (place := self.place_of(id)) >= 0:
                self.dataChanged.emit(self.index(place), self.index(place), [RUNNING])

    def set_agent_names(self, names: Mapping[str, str]) -> None:
        self._agents = dict(names)
        if self._entries:
            self.dataChanged.emit(self.index(0), self.index(len(self._entries) - 1))

    def agent_name(self, id: str) -> str:
        return self._agents.get(id, "")

    # ------------------------------------------------------------ questions

    def all_rows(self) -> Sequence[SessionRow]:
        return tuple(self._rows)

    def row_at(self, place: int) -> SessionRow | None:
        return self._entries[place].row if 0 <= place < len(self._entries) else None

    def place_of(self, id: str) -> int:
        """Where the session stands in the list as it is filtered now, -1 if it is not there."""
        return next((n for n, entry in enumerate(self._entries) if entry.row.id == id), -1)

    def begins_group(self, place: int) -> bool:
        return 0 <= place < len(self._entries) and bool(self._entries[place].group)

    def _arranged(self) -> list[_Entry]:
        groups, last = Groups(self._today()), ""
        entries = []
        for row in self._rows:
            if row.trashed is not None or not self._matches(row):
                continue
            group = groups.title(row)
            entries.append(_Entry(row, group if group != last else ""))
            last = group
        return entries

    def _matches(self, row: SessionRow) -> bool:
        if not self._words:
            return True
        text = f"{row.title}\n{row.preview}\n{self._agents.get(row.agent, row.agent)}".casefold()
        return all(word in text for word in self._words)

    # ------------------------------------------------------------ Qt

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._entries):
            return None
        entry = self._entries[index.row()]
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

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        title, entry = " ".join(str(value).split()), self._entries[index.row()]
        if not title or title == entry.row.title:
            return False
        row = replace(entry.row, title=title)
        self._entries[index.row()] = replace(entry, row=row)
        self._rows = [row if old.id == row.id else old for old in self._rows]
        self.dataChanged.emit(index, index)
        self.rename_asked.emit(row.id, title)
        return True
