"""Sessions that were thrown away: taken back, or deleted for good. After thirty days they go by themselves."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from app.core.i18n import _
from app.services.sessions import SessionService
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible

_ID = Qt.ItemDataRole.UserRole


class BinDialog(QDialog):
    def __init__(
        self,
        sessions: SessionService,
        theme: Theme,
        *,
        spawn: Callable[[Coroutine[Any, Any, Any]], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("binDialog")
        self.setWindowTitle(_("Bin"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._sessions, self._spawn = sessions, spawn
        self.list = QListWidget(self)
        self.list.setAccessibleName(_("Sessions in the bin"))
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.itemSelectionChanged.connect(self._tell)
        self.told = SafeLabel(_("Sessions stay here for thirty days."), role="meta")
        self.restore = QPushButton(_("Take back"))
        self.purge = QPushButton(_("Delete for good"))
        self.purge.setProperty("kind", "danger")
        close = QPushButton(_("Close"))
        self.restore.clicked.connect(lambda _checked=False: self._spawn(self._each(self._sessions.restore)))
        self.purge.clicked.connect(lambda _checked=False: self._spawn(self._each(self._sessions.purge)))
        close.clicked.connect(lambda _checked=False: self.accept())
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
        self.resize(theme.space(60), theme.space(56))
        self._tell()
        spawn(self.refresh())

    async def refresh(self) -> None:
        rows = await self._sessions.trashed()
        self.list.clear()
        for row in rows:
            item = QListWidgetItem(visible(row.title or _("New session")))
            item.setData(_ID, row.id)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.told.setText(_("Sessions stay here for thirty days.") if rows else _("The bin is empty."))
        self._tell()

    async def _each(self, work: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        for id in [str(item.data(_ID)) for item in self.list.selectedItems()]:
            await work(id)
        await self.refresh()

    def _tell(self) -> None:
        for button in (self.restore, self.purge):
            button.setEnabled(bool(self.list.selectedItems()))
