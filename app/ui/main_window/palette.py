"""The command palette: every command, session, agent and mode by a few letters of its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.core.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import visible

_SHOWN = 60
"""Rows at most: what one looks for is among the first, or the letters are too few."""
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True, slots=True)
class Entry:
    title: str
    kind: str
    """What it is, in words: command, session, agent, mode."""
    run: Callable[[], object]
    icon: str = "chevron-right"
    note: str = ""
    """Its keys."""


def matches(entries: Sequence[Entry], text: str) -> list[Entry]:
    """Those that hold every word of `text`; titles that begin with it first."""
    words = text.casefold().split()
    found = [entry for entry in entries if all(word in f"{entry.title} {entry.kind}".casefold() for word in words)]
    start = text.casefold().strip()
    return sorted(found, key=lambda entry: not entry.title.casefold().startswith(start)) if start else found


class Palette(QDialog):
    def __init__(self, theme: Theme, entries: Sequence[Entry], parent: QWidget, *, hint: str = "") -> None:
        """`hint` says what is looked for, if not anything that can be done."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("commandPalette")
        self.setAccessibleName(_("Command palette"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme, self._entries = theme, list(entries)
        self._found: list[Entry] = []
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(hint or _("Command, session, agent or mode"))
        self.field.setAccessibleName(hint or _("What to do"))
        self.field.setMaxLength(200)
        self.list = QListWidget(self)
        self.list.setAccessibleName(_("Matches"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setIconSize(QSize(theme.space(2), theme.space(2)))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1), theme.space(1), theme.space(1), theme.space(1))
        layout.setSpacing(theme.space(1))
        layout.addWidget(self.field)
        layout.addWidget(self.list, 1)
        self.field.textChanged.connect(self._search)
        self.list.itemClicked.connect(lambda _item: self._run())
        self._search("")
        self._place(parent)

    def titles(self) -> list[str]:
        return [entry.title for entry in self._found]

    def _search(self, text: str) -> None:
        self._found = matches(self._entries, text)[:_SHOWN]
        self.list.clear()
        for entry in self._found:
            note = "   ".join(part for part in (entry.kind, entry.note) if part)
            item = QListWidgetItem(self._theme.icon(entry.icon), f"{visible(entry.title)}   ·   {note}")
            item.setSizeHint(QSize(0, self._theme.space(4)))
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        place = self.list.currentRow()
        chosen = self._found[place] if 0 <= place < len(self._found) else None
        self.close()
        if chosen is not None:
            chosen.run()

    def _place(self, window: QWidget) -> None:
        width = min(self._theme.space(72), window.width() - self._theme.space(4))
        needed = self._theme.space(8) + len(self._entries) * self._theme.space(4.5)
        self.resize(width, min(self._theme.space(52), needed, window.height() - self._theme.space(12)))
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - width) // 2, corner.y() + self._theme.space(8))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run()
        elif event.key() in _MOVES:
            self.list.keyPressEvent(event)
        else:
            super().keyPressEvent(event)
