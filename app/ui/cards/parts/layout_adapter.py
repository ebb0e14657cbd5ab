"""Lets a layout ask a piece of the chat – a text, a table – for its height at a width."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_USUAL_WIDTH = 400


class LayoutItemLike(Protocol):
    def wanted(self, width: int) -> int:
        """The height at this width; lays itself out for it."""

    def setGeometry(self, x: int, y: int, width: int, height: int, /) -> None: ...


class Held(QWidget):
    """The piece is a child of this widget and fills it."""

    def hold(self, piece: LayoutItemLike) -> None:
        self._piece = piece
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._piece.wanted(width)

    def sizeHint(self) -> QSize:
        width = max(self.width(), _USUAL_WIDTH)
        return QSize(width, self._piece.wanted(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._piece.setGeometry(0, 0, self.width(), self._piece.wanted(self.width()))
