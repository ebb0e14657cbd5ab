"""Which service a new provider is of: searched and picked with one click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.fit import open_at
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.sheet import Sheet

if TYPE_CHECKING:
    from app.services.providers.service import ProviderPreset


class PresetSheet(Sheet):
    picked = Signal(str)
    """The id of a preset; the sheet is closed by then."""

    def __init__(self, presets: Sequence[ProviderPreset], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("presetSheet")
        self.setWindowTitle(_("Add a provider"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_at(self, theme.space(56), theme.space(64))
        self.search = SearchField(theme, _("Search the services"))
        self.search.textChanged.connect(self._narrow)
        self.search.installEventFilter(self)
        self.list = QListWidget()
        self.list.setObjectName("presetList")
        self.list.setAccessibleName(_("Services"))
        for preset in presets:
            item = QListWidgetItem(theme.icon("terminal" if preset.local else "globe"), preset.name)
            item.setData(Qt.ItemDataRole.UserRole, preset.id)
            item.setData(Qt.ItemDataRole.UserRole + 1, f"{preset.name} {preset.id} {preset.base_url}".casefold())
            item.setSizeHint(QSize(0, theme.space(4)))
            self.list.addItem(item)
        self.list.itemClicked.connect(self._pick)
        self.list.itemActivated.connect(self._pick)
        cancel = QPushButton(_("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(_("Add a provider"), role="title"))
        layout.addWidget(self.search)
        layout.addWidget(self.list, 1)
        layout.addLayout(foot)
        self.search.setFocus()

    def _narrow(self, text: str) -> None:
        words = text.casefold().split()
        for row in range(self.list.count()):
            searched = self.list.item(row).data(Qt.ItemDataRole.UserRole + 1)
            self.list.item(row).setHidden(not all(word in searched for word in words))

    def _pick(self, item: QListWidgetItem) -> None:
        id = str(item.data(Qt.ItemDataRole.UserRole))
        self.accept()
        self.picked.emit(id)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Enter takes the first that fits; down goes into the list.
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            visible_rows = [row for row in range(self.list.count()) if not self.list.item(row).isHidden()]
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if visible_rows:
                    self._pick(self.list.item(visible_rows[0]))
                return True
            if event.key() == Qt.Key.Key_Down and visible_rows:
                self.list.setCurrentRow(visible_rows[0])
                self.list.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return super().eventFilter(watched, event)
