"""The settings that have a window of their own, as rows of the preferences: found by the same search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.found_label import FoundLabel
from app.ui.widgets.safe_text import SafeLabel


@dataclass(frozen=True, slots=True)
class SettingsLink:
    """`words` are further words it is found by."""

    title: str
    help: str
    open: Callable[[], None]
    words: str = ""


class LinkRows(QWidget):
    def __init__(self, heading: str, links: Sequence[SettingsLink], theme: Theme) -> None:
        super().__init__()
        self.heading = SafeLabel(heading, role="title")
        self._rows = [_LinkRow(link, theme) for link in links]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(self.heading)
        for row in self._rows:
            layout.addWidget(row)

    def filter(self, text: str) -> int:
        """As that of a form."""
        needle = text.strip().casefold()
        visibility = [row.show_if(needle) for row in self._rows]
        self.heading.setVisible(any(visibility))
        return sum(visibility)

    def buttons(self) -> list[QPushButton]:
        return [row.button for row in self._rows]


class _LinkRow(QWidget):
    def __init__(self, link: SettingsLink, theme: Theme) -> None:
        super().__init__()
        self._searched = f"{link.title} {link.help} {link.words}".casefold()
        self._title, self._help = FoundLabel(link.title), FoundLabel(link.help, role="meta")
        self._help.setWordWrap(True)
        self._help.setVisible(bool(link.help))
        self.button = QPushButton(_("Open…"))
        self.button.setAutoDefault(False)
        self.button.setAccessibleName(link.title)
        self.button.setAccessibleDescription(link.help)
        self.button.clicked.connect(lambda _checked=False: link.open())
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.space(2))
        grid.setVerticalSpacing(theme.space(0.25))
        grid.setColumnStretch(0, 1)
        grid.addWidget(self._title, 0, 0)
        grid.addWidget(self._help, 1, 0)
        grid.addWidget(self.button, 0, 1, 2, 1)

    def show_if(self, needle: str) -> bool:
        fits = all(word in self._searched for word in needle.split())
        self.setVisible(fits)
        self._title.mark(needle)
        self._help.mark(needle)
        return fits
