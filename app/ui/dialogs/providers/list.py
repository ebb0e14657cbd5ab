"""The providers on the left: those set up, those found on this machine, and the way to add one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.core.text.i18n import _, ngettext
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.side_list import SideList, SideRow

if TYPE_CHECKING:
    from app.services.providers.service import ProviderEntry, ProviderPreset


class ProviderList(SideList):
    add_wanted = Signal(str)
    """The id of a preset."""
    delete_wanted = Signal()

    def __init__(self, presets: Sequence[ProviderPreset], theme: Theme, parent: QWidget | None = None) -> None:
        self.add_button = QPushButton(theme.icon("plus"), _("Add a provider"))
        self.add_button.setProperty("kind", "soft")
        self.add_button.setAutoDefault(False)
        self.delete_button = IconButton(theme, "trash", _("Delete this provider"))
        super().__init__(theme, _("Providers"), "providerList", (self.delete_button,), parent, head=self.add_button)
        self._presets = presets
        self.add_button.clicked.connect(self.ask_which)
        self.delete_button.clicked.connect(self.delete_wanted)

    def show_entries(self, entries: Sequence[ProviderEntry], *, stored: set[str], found: set[str]) -> None:
        rows: list[SideRow] = []
        for entry in entries:
            name, icon = entry.name or entry.id, "terminal" if entry.local else "globe"
            if entry.id in found:
                name, icon = _("{name} – found here").format(name=name), "plus"
            elif entry.id not in stored:
                name, icon = _("{name} – new").format(name=name), "plus"
            detail, dot = _standing(entry)
            rows.append(SideRow(entry.id, name, icon, "text" if entry.enabled else "muted", detail, dot))
        self.show_rows(rows)

    def ask_which(self) -> None:
        """Which service the new one is of."""
        from app.ui.dialogs.providers.pick_preset import PresetSheet

        sheet = PresetSheet(self._presets, self._theme, self)
        sheet.picked.connect(self.add_wanted)
        sheet.open()


def _standing(entry: ProviderEntry) -> tuple[str, str]:
    """Its host and how it stands, as far as that is known without asking it; and the colour that says so too."""
    host = urlsplit(entry.base_url).netloc.rpartition("@")[2]
    count = len(entry.models)
    words, dot = ngettext("{n} model", "{n} models", count).format(n=count), ""
    if not entry.enabled:
        words, dot = _("off"), "muted"
    elif entry.needs_key and not entry.has_key:
        words, dot = _("no key yet"), "warn"
    elif not count:
        words = ""
    return " · ".join(filter(None, (host, words))), dot
