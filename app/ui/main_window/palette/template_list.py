"""Message templates offered while "/…" is typed in the composer; the keyboard stays in the text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent

from app.core.text.i18n import _
from app.ui.chat.composer import Composer
from app.ui.main_window.palette.palette import ROW_HEIGHT, EntryList, PaletteEntry, matches
from app.ui.theme import Theme

_MOST_ROWS = 6
_BESIDE = 38
"""Steps of the grid that the window needs for everything else."""
_TAKES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TemplateList(EntryList):
    """Open while the whole text is one line that begins with "/" and finds something."""

    def __init__(self, theme: Theme, composer: Composer) -> None:
        super().__init__(theme, composer)
        self.setObjectName("templateList")
        self.setAccessibleName(_("Message templates"))
        self._composer = composer
        self._entries: Sequence[PaletteEntry] = ()
        self._text = ""
        self.itemClicked.connect(self._take)
        composer.put_above_field(self)
        composer.field.textChanged.connect(self._search)
        self.hide()

    def offer(self, entries: Sequence[PaletteEntry]) -> None:
        """For the text that stands in the composer now."""
        self._entries, self._text = entries, self._composer.text()
        self._search()

    def close_list(self) -> None:
        """Until it is offered again."""
        self._entries = ()
        self._composer.field.completion = None
        self.hide()

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
        text, before = self._composer.text(), self._text
        self._text = text
        is_typed = text.startswith(before) or before.startswith(text)  # else another draft stands there
        if not is_typed or not text.startswith("/") or "\n" in text:
            self._entries = ()
        words = text[1:]
        hits = matches(self._entries, words)
        if not hits:
            # Not forgotten: the next key may be a backspace.
            self._composer.field.completion = None
            self.hide()
            return
        self.show_entries(hits)
        if " " in words.strip() and not hits[0].title.casefold().startswith(words.casefold().strip()):
            self.setCurrentRow(-1)  # it may be a sentence: Enter sends it
        room = self._composer.window().height() // round(self.theme.space(1)) - _BESIDE
        rows = max(2, min(len(hits), _MOST_ROWS, int(room / ROW_HEIGHT)))
        self.setFixedHeight(self.theme.space(ROW_HEIGHT) * rows + 2 * self.frameWidth())
        self._composer.field.completion = self
        if self.isHidden():
            self.show()
            self._announce()

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
