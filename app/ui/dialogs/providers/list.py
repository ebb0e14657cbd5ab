"""The providers on the left: those set up, those found on this machine, and a menu to add one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.side_list import SideList, SideRow

if TYPE_CHECKING:
    from app.services.providers.service import ProviderEntry, ProviderPreset


class ProviderList(SideList):
    add_wanted = Signal(str)
    """The id of a preset."""
    delete_wanted = Signal()

    def __init__(self, presets: Sequence[ProviderPreset], theme: Theme, parent: QWidget | None = None) -> None:
        self.add_button = IconButton(theme, "plus", _("Add a provider"))
        self.delete_button = IconButton(theme, "trash", _("Delete this provider"))
        buttons = (self.add_button, self.delete_button)
        super().__init__(theme, _("Providers"), "providerList", buttons, parent)
        self.menu = QMenu(self)
        for preset in presets:
            self.menu.addAction(preset.name).triggered.connect(partial(self._add, preset.id))
        self.add_button.clicked.connect(self._pop_up)
        self.delete_button.clicked.connect(self.delete_wanted)

    def show_entries(self, entries: Sequence[ProviderEntry], *, stored: set[str], found: set[str]) -> None:
        rows: list[SideRow] = []
        for entry in entries:
            name, icon = entry.name or entry.id, "terminal" if entry.local else "globe"
            if entry.id in found:
                name, icon = _("{name} – found here").format(name=name), "plus"
            elif entry.id not in stored:
                name, icon = _("{name} – new").format(name=name), "plus"
            rows.append(SideRow(entry.id, name, icon, "text" if entry.enabled else "muted"))
        self.show_rows(rows)

    def _add(self, preset: str, _checked: bool = False) -> None:
        self.add_wanted.emit(preset)

    def _pop_up(self) -> None:
        # popup, not exec: a nested loop would stop every task of the window.
        corner = self.add_button.mapToGlobal(self.add_button.rect().topLeft())
        self.menu.popup(QPoint(corner.x(), corner.y() - self.menu.sizeHint().height()))
