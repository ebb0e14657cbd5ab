"""A text view with formulas in its lines: each the source first, then one character that is drawn."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QWidget

from app.ui.render.markdown.inline import FORMULA, TextRun
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.formulas import CHARACTER, Asked, DrawnFormula, object_format
from app.ui.render.parts.text_view import TextView

MOST_FORMULAS = 120
"""That wait at once in one document; more stay source, for each costs some tenths of a millisecond to begin with."""


class RichText(TextView):
    grew = Signal()

    def __init__(self, parent: QWidget, formats: Formats) -> None:
        super().__init__(parent)
        self.formats = formats
        self._pictures: set[DrawnFormula] = set()
        """Kept alive while this document shows them."""
        self._waiting: list[tuple[QTextCursor, Asked, str]] = []

    def insert_run(self, cursor: QTextCursor, run: TextRun, kind: str = "p", *, quoted: bool = False) -> None:
        if run.href:
            self.reach_links_by_tab()
        form = self.formats.of_run(run, kind, quoted=quoted)
        if run.style & FORMULA and self.formats.formulas is not None and len(self._waiting) < MOST_FORMULAS:
            request = self.formats.asked(run, kind, quoted=quoted)
            picture = self.formats.formulas.picture(request, self)
            if picture is not None:
                self._insert_picture(cursor, picture, run.text)
                return
            if self.formats.formulas.is_pending(request):
                start = cursor.position()
                cursor.insertText(run.text, form)
                place = QTextCursor(self.document())
                place.setPosition(start)
                place.setPosition(cursor.position(), QTextCursor.MoveMode.KeepAnchor)
                place.setKeepPositionOnInsert(True)
                self._waiting.append((place, request, run.text))
                return
        cursor.insertText(run.text, form)

    def formulas_ready(self) -> None:
        """Put those that are drawn by now in the place of their source."""
        formulas, waiting, self._waiting = self.formats.formulas, self._waiting, []
        if formulas is None:
            return
        edit = QTextCursor(self.document())
        edit.beginEditBlock()
        changed = False
        for place, asked, source in waiting:
            if place.selectedText() != source:
                continue  # this line was written again meanwhile
            picture = formulas.picture(asked, self)
            if picture is not None:
                start = place.selectionStart()
                place.removeSelectedText()
                self._insert_picture(place, picture, source)
                self.moved(start, len(CHARACTER) - units(source))
                changed = True
            elif formulas.is_pending(asked):
                self._waiting.append((place, asked, source))
        edit.endEditBlock()
        if changed:
            self.grew.emit()

    def moved(self, start: int, by: int) -> None:
        """Text behind that position moved; for who keeps positions."""

    def _insert_picture(self, cursor: QTextCursor, picture: DrawnFormula, source: str) -> None:
        if not self._pictures and self.formats.formulas is not None:
            self.formats.formulas.prepare(self.document())
        self._pictures.add(picture)
        cursor.insertText(CHARACTER, object_format(picture, source))


def units(text: str) -> int:
    """Length as Qt counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
