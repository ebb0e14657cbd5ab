"""An earlier question, taken into the composer to be sent again in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from app.core.run.messages import Message
    from app.ui.chat.composer import Composer


class QuestionEdit(QObject):
    """The question that what stands in the composer shall replace, if it shall replace one."""

    def __init__(self, composer: Composer) -> None:
        super().__init__(composer)
        self._composer = composer
        self.message = ""
        """Its id."""
        composer.edit_cancelled.connect(self._cancel)

    def begin(self, message: Message) -> None:
        self.message = message.id
        self._composer.set_editing(True)
        self._composer.fill(message.text)

    def end(self) -> None:
        if self.message:
            self.message = ""
            self._composer.set_editing(False)

    def _cancel(self) -> None:
        self.end()
        self._composer.fill("")
