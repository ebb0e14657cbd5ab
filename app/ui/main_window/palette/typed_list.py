"""Completions of what is typed in the composer; the keyboard stays in the text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent

from app.ui.chat.composer import Composer
from app.ui.main_window.palette.palette import ROW_HEIGHT, EntryList, PaletteEntry, matches
from app.ui.theme import Theme

_MOST_ROWS = 6
_BESIDE = 38
"""Steps of the grid that the window needs for everything else."""
_TAKES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TypedList(EntryList):
    """Open while what is typed finds something of what was offered."""

    def __init__(self, theme: Theme, composer: Composer) -> None:
        super().__init__(theme, composer)
        self.composer = composer
        self.offered: Sequence[PaletteEntry] = ()
        self.itemClicked.connect(self._take)
        composer.put_above_field(self)
        composer.field.textChanged.connect(self._search)
        self.hide()

    @abstractmethod
    def begin(self) -> None:
        """Something is offered for the text that stands in the composer now."""

    @abstractmethod
    def words(self) -> str | None:
        """What is looked for; None when the text is none to complete any more."""

    def offer(self, entries: Sequence[PaletteEntry]) -> None:
        """For the text that stands in the composer now."""
        self.offered = entries
        self.begin()
        self._search()

    def close_list(self) -> None:
        """Until it is offered again."""
        self.offered = ()
        self._hide()

    def take_key(self, event: QKeyEvent) -> bool:
        """Whether the key meant the list and not the text."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            by = 1 if event.key() == Qt.Key.Key_Down else -1
            self.setCurrentRow((self.currentRow() + by) % self.count() if self.currentRow() >= 0 else 0)
            self._announce()
            return True
        if event.key() in _TAKES and self.entry() is not None:
            self._take()
            return True
        return False

    def take_escape(self) -> bool:
        self.close_list()
        return True

    def _search(self) -> None:
        if not self.offered:
            return
        words = self.words()
        if words is None:
            self.close_list()
            return
        hits = matches(self.offered, words)
        if not hits:
            self._hide()  # not forgotten: the next key may be a backspace
            return
        self.show_entries(hits)
        if " " in words.strip() and not hits[0].title.casefold().startswith(words.casefold().strip()):
            self.setCurrentRow(-1)  # it may be a sentence: Enter sends it
        room = self.composer.window().height() // round(self.theme.space(1)) - _BESIDE
        rows = max(2, min(len(hits), _MOST_ROWS, int(room / ROW_HEIGHT)))
        self.setFixedHeight(self.theme.space(ROW_HEIGHT) * rows + 2 * self.frameWidth())
        self.composer.field.completion = self
        if self.isHidden():
            self.show()
            self._announce()

    def _hide(self) -> None:
        if self.composer.field.completion is self:
            self.composer.field.completion = None
        self.hide()

    def _take(self) -> None:
        entry = self.entry()
        self.close_list()
        if entry is not None:
            entry.run()

    def _announce(self) -> None:
        """The focus is in the text: nobody hears of the list by itself."""
        item = self.currentItem()
        if item is not None:
            words = str(item.data(Qt.ItemDataRole.AccessibleTextRole))
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
