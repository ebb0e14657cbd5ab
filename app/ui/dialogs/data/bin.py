"""Sessions that were thrown away: taken back, or deleted for good. After thirty days they go by themselves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import TriptychError
from app.core.text.i18n import _, ngettext
from app.services.data.session_bin import BIN_DAYS
from app.services.data.sessions import SessionService
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.texts import fault_text
from app.ui.texts.copies import moment_text
from app.ui.theme import Theme
from app.ui.widgets.fit import open_at
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.spawn import Spawn, starting

if TYPE_CHECKING:
    from app.core.session.summary import SessionRow
    from app.services.data.backups import BackupService

_ID = Qt.ItemDataRole.UserRole
_DAY = 86_400


class BinDialog(QDialog):
    def __init__(
        self,
        sessions: SessionService,
        backups: BackupService,
        theme: Theme,
        *,
        spawn: Spawn,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("binDialog")
        self.setWindowTitle(_("Bin"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._sessions, self._backups, self._theme = sessions, backups, theme
        self._spawn = spawn
        self.list = _table(self)
        self.list.itemSelectionChanged.connect(self._tell)
        self.told = SafeLabel(_("Sessions stay here for thirty days."), role="meta")
        self.told.setWordWrap(True)
        self.restore = QPushButton(_("Restore"))
        self.purge = QPushButton(_("Delete for good"))
        self.purge.setProperty("kind", "danger")
        close = QPushButton(_("Close"))
        self.restore.clicked.connect(starting(spawn, self._restore))
        self.purge.clicked.connect(starting(spawn, self._ask))
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        for button in (self.restore, self.purge):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(_("Bin"), role="title"))
        layout.addWidget(self.list, 1)
        layout.addWidget(self.told)
        layout.addLayout(row)
        open_at(self, theme.space(72), theme.space(60))
        self._tell()
        spawn(self.refresh())

    async def refresh(self) -> None:
        rows = await self._sessions.bin.rows()
        if not shiboken6.isValid(self):
            return
        self.list.setRowCount(len(rows))
        for n, row in enumerate(rows):
            title = QTableWidgetItem(visible(row.title or _("New session")))
            title.setData(_ID, row.id)
            self.list.setItem(n, 0, title)
            self.list.setItem(n, 1, QTableWidgetItem(moment_text(row.trashed or 0.0)))
            self.list.setItem(n, 2, QTableWidgetItem(self._left(row)))
        if rows:
            self.list.selectRow(0)
        self.told.setText(_("Sessions stay here for thirty days.") if rows else _("The bin is empty."))
        self._tell()

    def _left(self, row: SessionRow) -> str:
        days = max(0, BIN_DAYS - int((time.time() - (row.trashed or 0.0)) / _DAY))
        return ngettext("{n} more day", "{n} more days", days).format(n=days)

    def chosen(self) -> list[str]:
        lines = sorted({index.row() for index in self.list.selectedIndexes()})
        return [str(item.data(_ID)) for line in lines if (item := self.list.item(line, 0)) is not None]

    def _tell(self) -> None:
        for button in (self.restore, self.purge):
            button.setEnabled(bool(self.list.selectedIndexes()))

    # ------------------------------------------------------------ what can be done

    async def _restore(self) -> None:
        for id in self.chosen():
            await self._sessions.bin.restore(id)
        await self.refresh()

    async def _ask(self) -> None:
        ids, copies = self.chosen(), len(await asyncio.to_thread(self._backups.rows))
        if not ids or not shiboken6.isValid(self):
            return
        count = ngettext("{n} session is erased", "{n} sessions are erased", len(ids)).format(n=len(ids))
        text = _("{count}, with its answers, results and files. Nothing brings it back.").format(count=count)
        too = QCheckBox(
            ngettext(
                "Erase the {n} copy that may still hold it, too, and make a new one",
                "Erase the {n} copies that may still hold it, too, and make a new one",
                copies,
            ).format(n=copies)
        )
        too.setObjectName("eraseCopies")
        too.setVisible(copies > 0)

        question = AskDialog(
            self,
            self._theme,
            _("Delete for good?"),
            text,
            [("", _("Cancel"), ""), ("purge", _("Delete for good"), "danger")],
            middle=too if copies else None,
        )
        question.agreed.connect(partial(self._erase, ids, copies, too))
        question.open()

    def _erase(self, ids: Sequence[str], copies: int, too: QCheckBox) -> None:
        self._spawn(self._purge(ids, copies, copies_too=too.isChecked()))

    async def _purge(self, ids: Sequence[str], copies: int, *, copies_too: bool) -> None:
        self.told.setText(_("Erasing…"))
        try:
            await self._sessions.bin.purge(*ids)
            if copies_too:
                await self._backups.start_anew()
        except TriptychError as error:
            note = _("Not everything was erased: {error}").format(error=fault_text(error))
        else:
            copies_left = 0 if copies_too else copies
            words = ngettext(
                "Erased. {n} backup may still hold it.", "Erased. {n} backups may still hold it.", copies_left
            )
            note = (
                words.format(n=copies_left)
                if copies_left
                else _("Erased, in the backups too.")
                if copies
                else _("Erased.")
            )
        if shiboken6.isValid(self):
            await self.refresh()
        if shiboken6.isValid(self):
            self.told.setText(note)


def _table(parent: QWidget) -> QTableWidget:
    table = QTableWidget(0, 3, parent)
    table.setAccessibleName(_("Sessions in the bin"))
    table.setHorizontalHeaderLabels([_("Session"), _("Deleted on"), _("Kept for")])
    table.setProperty("padded", True)
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    header = table.horizontalHeader()
    header.setAccessibleName(_("Columns"))
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    return table
