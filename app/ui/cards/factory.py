"""Cards for a place that hears what their buttons ask for."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.ui.cards import make_card
from app.ui.cards.file_card import FileDeeds
from app.ui.cards.lists import PassageOpener
from app.ui.cards.parts.timers import Timers
from app.ui.render.parts.pictures import PictureLoader
from app.ui.theme import Theme


class CardFactory(QObject):
    chosen = Signal(str)
    """The option of a choice somebody took, as the words it stands for."""

    def __init__(
        self,
        pictures: PictureLoader | None = None,
        files: FileDeeds | None = None,
        parent: QObject | None = None,
        *,
        has_buttons: bool = True,
        passages: PassageOpener | None = None,
    ) -> None:
        """`pictures` shows kept ones that a card names, `files` opens what a tool wrote, `passages` shows one of a
        knowledge base. Without buttons a card is only looked at.
        """
        super().__init__(parent)
        self._pictures, self._files, self._has_buttons = pictures, files, has_buttons
        self._passages = passages
        self.timers = Timers(self)
        """What runs on its cards, whether they are in sight or not."""

    def make(self, display: object, theme: Theme, parent: QWidget) -> QWidget | None:
        """None if it is no card at all."""
        answer = self.chosen.emit if self._has_buttons else None
        return make_card(
            display, theme, parent, answer=answer, pictures=self._pictures, files=self._files, passages=self._passages,
            timers=self.timers,
        )  # fmt: skip
