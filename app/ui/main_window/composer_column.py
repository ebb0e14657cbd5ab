"""The column below the chat: notice, cards that want an answer, bars and the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.chat.composer import Composer
from app.ui.theme import Theme
from app.ui.widgets.fields.mode_selector import ModeSelector
from app.ui.widgets.notice_bar import NoticeBar

if TYPE_CHECKING:
    from app.ui.main_window.approval_stack import ApprovalStack


class ComposerColumn(QWidget):
    """As wide as the reading column and centred below it."""

    room_asked = Signal()
    """A card is about to be shown: whoever knows the window's height says how much of it there is (`set_height`)."""

    def __init__(self, theme: Theme, modes: ModeSelector) -> None:
        super().__init__()
        self.notice = NoticeBar(theme)
        self.composer = Composer(theme, modes)
        self._cards: ApprovalStack | None = None
        self._theme = theme
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.space(1))
        self._layout.addWidget(self.notice)
        self._layout.addWidget(self.composer)

    def ask(self, card: QWidget) -> None:
        """Something wants an answer: its card stands above the composer until `settle`."""
        if self._cards is None:
            from app.ui.main_window.approval_stack import ApprovalStack  # not before something asks: a start is quicker

            self._cards = ApprovalStack(self._theme.space(1))
            self._layout.insertWidget(0, self._cards)
        self.room_asked.emit()
        self._cards.add(card)

    def settle(self, card: QWidget) -> None:
        if self._cards is not None:
            self._cards.take(card)

    def set_height(self, pixels: int) -> None:
        """What the window has for this column: cards get what composer, notice and a strip of the chat leave."""
        if self._cards is not None:
            notice = self.notice.sizeHint().height() if self.notice.isVisible() else 0
            room = pixels - self.composer.height() - notice - self._theme.space(9)
            self._cards.set_room(max(room, self._theme.space(16)))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.composer.set_theme(theme)
        self.notice.set_theme(theme)

    def put_above_composer(self, bar: QWidget) -> None:
        """Stays there; shows itself when there is something to show."""
        self._layout.insertWidget(self._layout.indexOf(self.composer), bar)
