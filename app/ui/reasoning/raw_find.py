"""Finding in requests and answers: counted in the whole texts, shown one place after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QTextEdit, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel

_MOST = 9_999
"""Hits that are counted."""
_DELAY_MS = 150


@dataclass(frozen=True, slots=True)
class RawHit:
    call: int
    side: int
    """0 = request, 1 = answer."""
    number: int
    """Which of the hits in that text."""


class RawFind(QWidget):
    shown = Signal(object)
    """The hit to be shown; None = nothing is looked for, or it is nowhere."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._texts: Sequence[tuple[str, str]] = ()
        self._hits: list[RawHit] = []
        self._place = -1
        self.field = SearchField(theme, _("Search requests and answers"))
        self.field.setObjectName("rawSearch")
        self.field.setMaxLength(200)
        self.count = SafeLabel(role="meta")
        self.earlier = IconButton(theme, "chevron-up", _("Previous"), size=14)
        self.later = IconButton(theme, "chevron-down", _("Next"), size=14)
        self.earlier.setObjectName("rawPrevious")
        self.later.setObjectName("rawNext")
        self.earlier.clicked.connect(partial(self.step, -1))
        self.later.clicked.connect(partial(self.step, 1))
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(_DELAY_MS)
        self._delay.timeout.connect(self._search)
        self.field.textChanged.connect(self._delay.start)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space(1), theme.space(1), theme.space(1), theme.space(0.5))
        row.setSpacing(theme.space(0.5))
        row.addWidget(self.field, 1)
        for part in (self.count, self.earlier, self.later):
            row.addWidget(part)
        self._tell()

    def words(self) -> str:
        return self.field.text().strip()

    def set_texts(self, texts: Sequence[tuple[str, str]]) -> None:
        """Request and answer of every call. The place that is shown is kept where it still exists."""
        held = self._hits[self._place] if self._hits else None
        self._texts = texts
        self._hits = list(_hits_in(texts, self.words().casefold()))
        self._place = self._hits.index(held) if held in self._hits else min(0, len(self._hits) - 1)
        self._tell()

    def step(self, by: int) -> None:
        if self._delay.isActive():
            self._search()
        elif self._hits:
            self._place = (self._place + by) % len(self._hits)
            self._tell()
            self.shown.emit(self._hits[self._place])

    def set_theme(self, theme: Theme) -> None:
        self.field.set_theme(theme)
        self.earlier.set_icon(theme, "chevron-up")
        self.later.set_icon(theme, "chevron-down")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() != Qt.Key.Key_Escape or not self.field.take_escape():
            super().keyPressEvent(event)

    def _search(self) -> None:
        self._delay.stop()
        self._hits = list(_hits_in(self._texts, self.words().casefold()))
        self._place = min(0, len(self._hits) - 1)
        self._tell()
        self.shown.emit(self._hits[0] if self._hits else None)

    def _tell(self) -> None:
        if not self.words():
            self.count.setText("")
        elif not self._hits:
            self.count.setText(_("Nothing found"))
        else:
            self.count.setText(f"{self._place + 1}/{len(self._hits)}")
        for button in (self.earlier, self.later):
            button.setEnabled(len(self._hits) > 1)


def _hits_in(texts: Sequence[tuple[str, str]], words: str) -> Iterator[RawHit]:
    count = 0
    if not words:
        return
    for call, sides in enumerate(texts):
        for side, text in enumerate(sides):
            for number in range(min(text.casefold().count(words), _MOST - count)):
                yield RawHit(call, side, number)
                count += 1


def show_in(view: PlainView, words: str, number: int, theme: Theme) -> None:
    """Mark that place of the words and scroll the view to it."""
    cursor = view.document().find(words)
    for _earlier in range(number):
        following = view.document().find(words, cursor)
        if following.isNull():
            break
        cursor = following
    if cursor.isNull():
        return
    mark = QTextEdit.ExtraSelection()
    mark.cursor = cursor
    form = QTextCharFormat()
    color = QColor(theme.color("warn"))
    color.setAlpha(150)
    form.setBackground(color)
    mark.format = form
    view.setExtraSelections([mark])
    place = QTextCursor(view.document())
    place.setPosition(cursor.selectionStart())
    view.setTextCursor(place)
    view.ensureCursorVisible()
