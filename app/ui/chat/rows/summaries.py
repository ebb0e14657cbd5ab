"""What an answer card says of itself, in two lines above it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.core.tools.card import card_from_json
from app.ui.chat.rows.items import CardPart
from app.ui.render.parts.formats import Formats
from app.ui.widgets.safe_text import EmphasisLabel


class Summaries:
    """One label for each card that has a summary; kept while the words are the same."""

    def __init__(self, row: QWidget, formats: Formats) -> None:
        self._row, self._formats = row, formats
        self._made: dict[str, tuple[str, QWidget]] = {}

    def of(self, part: CardPart) -> QWidget | None:
        card = card_from_json(part.payload)
        text = card.summary if card is not None and card.role == "answer" else ""
        cached = self._made.get(part.id)
        if cached is not None and cached[0] != text:
            cached[1].hide()
            cached[1].deleteLater()
            del self._made[part.id]
            cached = None
        if not text:
            return None
        if cached is None:
            label = EmphasisLabel(text, self._row, role="prose", line_height=self._formats.line_height(text))
            label.show()
            cached = self._made[part.id] = (text, label)
        return cached[1]
