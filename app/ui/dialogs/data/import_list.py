"""The conversations of an import as a list with a mark before each that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from app.core.text.i18n import _
from app.core.text.moments import MINUTE, time_text
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import visible

if TYPE_CHECKING:
    from app.services.exchange.prepared_import import FoundConversation

Index = QModelIndex | QPersistentModelIndex
_SHOWN = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole


class ImportList(QAbstractTableModel):
    """What was imported before is not marked at first."""

    def __init__(self, conversations: Sequence[FoundConversation]) -> None:
        super().__init__()
        self._rows = conversations
        self.chosen = {n for n, one in enumerate(conversations) if not one.known}
        self.known = len(conversations) - len(self.chosen)

    def mark(self, places: Sequence[int], *, wanted: bool) -> None:
        if wanted:
            self.chosen.update(places)
        else:
            self.chosen.difference_update(places)
        ends = self.index(0, 0), self.index(len(self._rows) - 1, 0)
        self.dataChanged.emit(*ends, [Qt.ItemDataRole.CheckStateRole])

    # ------------------------------------------------------------ Qt

    @guarded
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    @guarded
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else 4

    @guarded
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (_("Conversation"), _("From"), _("Messages"), _("Begun"))[section]
        return None

    @guarded
    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 else flags

    @guarded
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == 0:
            return Qt.CheckState.Checked if index.row() in self.chosen else Qt.CheckState.Unchecked
        if role not in _SHOWN:
            return None
        match index.column():
            case 0:
                title = visible(row.title or _("New session"))
                return _("{title} (already here)").format(title=title) if row.known else title
            case 1:
                return row.program or "Triptych"
            case 2:
                return str(row.messages)
            case _:
                return time_text(row.created, MINUTE)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != 0:
            return False
        self.mark([index.row()], wanted=Qt.CheckState(value) is Qt.CheckState.Checked)
        return True
