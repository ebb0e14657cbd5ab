"""Links out of the program: the address is shown and opened once the person says so."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.services.settings.settings import SettingsService
from app.ui.cards.map.geo_address import GEO, service_address
from app.ui.dialogs import ask_to_open_link
from app.ui.widgets.dialog_parent import DialogParent


class LinkOpener(QObject):
    def __init__(self, parent: DialogParent, settings: SettingsService) -> None:
        super().__init__(parent)
        self._parent, self._settings = parent, settings

    def open(self, address: str) -> None:
        """A place is shown by the map service the person chose; every address is shown before it is opened."""
        if address.startswith(GEO):
            address = service_address(address, self._settings.preferences.map_service)
        ask_to_open_link(self._parent, self._parent.theme, address)
