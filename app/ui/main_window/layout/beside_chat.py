"""The conversation, and the page beside it: side by side where both have room, else one of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

BOTH_FROM = 760
"""Width before zoom from which the page stands beside the chat and not in its place."""
_CHAT_LEAST = 320
_SHARES = (2, 3)


class BesideChat(QSplitter):
    def __init__(self, conversation: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._conversation = conversation
        self._page: QWidget | None = None
        self._is_shown = self._is_alone = self._is_divided = False
        self._zoom = 1.0
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(conversation)

    def show_page(self, page: QWidget, *, alone: bool = False) -> None:
        """`alone`: whatever room there is."""
        if self._page is None:
            self._page = page
            self.addWidget(page)
            for place, share in enumerate(_SHARES):
                self.setStretchFactor(place, share)
        self._is_shown, self._is_alone = True, alone
        self._arrange()

    def hide_page(self) -> None:
        self._is_shown = self._is_alone = False
        self._arrange()

    def set_zoom(self, zoom: float) -> None:
        self._zoom = zoom
        self._arrange()

    def has_room_for_both(self) -> bool:
        return self.width() >= BOTH_FROM * self._zoom

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        if self._page is None:
            return
        shows_chat = not self._is_shown or (self.has_room_for_both() and not self._is_alone)
        self._conversation.setMinimumWidth(round(_CHAT_LEAST * self._zoom) if self._is_shown and shows_chat else 0)
        self._page.setVisible(self._is_shown)
        self._conversation.setVisible(shows_chat)
        if self._is_shown and shows_chat and not self._is_divided:
            self._is_divided = True  # from then on as the person draws it
            self.setSizes([self.width() * share // sum(_SHARES) for share in _SHARES])
