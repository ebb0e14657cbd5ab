"""A document in Markdown, by the renderer of the answers: same limits, nothing loaded, links asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.tools.card_markdown import as_text
from app.ui.cards.lists import listing
from app.ui.cards.parts.layout_adapter import Held
from app.ui.render.parts.body import MessageBody
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.formulas import Formulas
from app.ui.render.parts.highlight import Highlighter
from app.ui.render.parts.pictures import PictureLoader
from app.ui.theme import Theme
from app.ui.widgets.safe_text import visible


def document(payload: Mapping[str, Any], theme: Theme, pictures: PictureLoader | None = None) -> QWidget:
    words = as_text(payload.get("markdown"))
    return Written(words, theme, pictures) if words else listing(payload, theme)


class Written(Held):
    """A message outside of the chat."""

    link_activated = Signal(str)

    def __init__(self, text: str, theme: Theme, pictures: PictureLoader | None) -> None:
        super().__init__()
        highlighter, formulas = Highlighter(theme, self), Formulas(self)
        # Their threads, if they made any, must not outlive the card.
        self.destroyed.connect(highlighter.close)
        self.destroyed.connect(formulas.close)
        self.body = MessageBody(self, Formats(theme, formulas, pictures), highlighter)
        self.body.link_activated.connect(self.link_activated)
        self.body.height_changed.connect(self.updateGeometry)
        self.body.load("\n".join(visible(line) for line in text.splitlines()))
        self.hold(self.body)
