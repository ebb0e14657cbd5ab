"""The providers on the left: those set up, those found on this machine, and a menu to add one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QMenu, QVBoxLayout, QWidget

from app.core.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import visible

if TYPE_CHECKING:
    from app.services.providers import ProviderEntry, ProviderPreset


class ProviderList(QWidget):
    chosen = Signal(str)
    """A person wants to see this one; the list shows it only after `select`."""
    add_wanted = Signal(str)
    """The id of a preset."""
    delete_wanted = Signal()

    def __init__(self, presets: Sequence[ProviderPreset], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("pane", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._selected = ""
        self.list = QListWidget()
        self.list.setObjectName("providerList")
        self.list.setAccessibleName(_("Providers"))
        self.list.setIconSize(QSize(theme.space(2), theme.space(2)))
        self.list.setSpacing(theme.space(0.25))
        self.list.currentItemChanged.connect(self._choose)
        self.add_button = IconButton(theme, "plus", _("Add a provider"))
        self.menu = QMenu(self)
        for preset in presets:
            self.menu.addAction(preset.name).triggered.connect(partial(self._add, preset.id))
        self.add_button.clicked.connect(self._pop_up)
        self.delete_button = IconButton(theme, "trash", _("Delete this provider"))
        self.delete_button.clicked.connect(self.delete_wanted)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add_button)
        buttons.addWidget(self.delete_button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1), theme.space(1.5), theme.space(1), theme.space(1))
        layout.addWidget(self.list, 1)
        layout.addLayout(buttons)

    def show_entries(self, entries: Sequence[ProviderEntry], *, stored: set[str], found: set[str]) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for entry in entries:
            name, icon = visible(entry.name or entry.id), "terminal" if entry.local else "globe"
            if entry.id in found:
                name, icon = _("{name} – found here").format(name=name), "plus"
            elif entry.id not in stored:
                name, icon = _("{name} – new").format(name=name), "plus"
            item = QListWidgetItem(self._theme.icon(icon, "text" if entry.enabled else "muted"), name)
            item.setData(Qt.ItemDataRole.UserRole, entry.id)
            item.setSizeHint(QSize(0, self._theme.space(4)))
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.select(self._selected)

    def select(self, id: str) -> None:
        self._selected = id
        self.list.blockSignals(True)
        self.list.setCurrentRow(-1)
        for row in range(self.list.count()):
            if self.list.item(row).data(Qt.ItemDataRole.UserRole) == id:
                self.list.setCurrentRow(row)
        self.list.blockSignals(False)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        id = str(item.data(Qt.ItemDataRole.UserRole))
        self.select(self._selected)
        if id != self._selected:
            self.chosen.emit(id)

    def _add(self, preset: str, _checked: bool = False) -> None:
        self.add_wanted.emit(preset)

    def _pop_up(self) -> None:
        # popup, not exec: a nested loop would stop every task of the window.
        corner = self.add_button.mapToGlobal(self.add_button.rect().topLeft())
        self.menu.popup(QPoint(corner.x(), corner.y() - self.menu.sizeHint().height()))
