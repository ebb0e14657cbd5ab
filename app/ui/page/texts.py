"""The texts of the folder, one row each; a part's name stands above its first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QListView, QWidget

from app.core.page import PageEntry
from app.core.text.i18n import _
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import visible

_AnyIndex = QModelIndex | QPersistentModelIndex


class _Texts(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.entries: tuple[PageEntry, ...] = ()

    def show(self, entries: Sequence[PageEntry]) -> None:
        if tuple(entries) == self.entries:
            return
        is_same = [one.id for one in entries] == [one.id for one in self.entries]
        if is_same:
            self.entries = tuple(entries)
            self.dataChanged.emit(self.index(0), self.index(len(self.entries) - 1))
            return
        self.beginResetModel()
        self.entries = tuple(entries)
        self.endResetModel()

    def rowCount(self, _parent: _AnyIndex = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return len(self.entries)

    @guarded
    def data(self, index: _AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        row = index.row()
        entry = self.entries[row]
        words = f"{visible(entry.title)}  ·  {entry.count:,}" if entry.count else visible(entry.title)
        if entry.group and (row == 0 or self.entries[row - 1].group != entry.group):
            return f"{visible(entry.group)}\n{words}"
        return words


class TextList(QListView):
    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pageTexts")
        self.setAccessibleName(_("Texts"))
        self._model = _Texts()
        self.setModel(self._model)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.clicked.connect(self._take)
        self.activated.connect(self._take)

    def show_entries(self, entries: Sequence[PageEntry], current: str) -> None:
        self._model.show(entries)
        row = next((n for n, one in enumerate(self._model.entries) if one.id == current), -1)
        if row >= 0 and row != self.currentIndex().row():
            self.setCurrentIndex(self._model.index(row))

    def id_at(self, row: int) -> str:
        return self._model.entries[row].id

    def _take(self, index: QModelIndex) -> None:
        self.chosen.emit(self.id_at(index.row()))
