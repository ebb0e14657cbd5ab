"""A turning ring: something is running. With motion reduced it stands still."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.theme import Theme

from .guarded import guarded

TURN = 900
"""Milliseconds of one turn."""
_STEPS = 30
_FULL, _ARC = 360 * 16, 270 * 16


class Spinner(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None, *, size: int = 16) -> None:
        super().__init__(parent)
        self._theme = theme
        edge = round(size * theme.zoom)
        self.setFixedSize(edge, edge)
        self._step = 0
        self._timer = QTimer(self)
        self._timer.setInterval(TURN // _STEPS)
        self._timer.timeout.connect(self._turn)

    def _turn(self) -> None:
        self._step = (self._step + 1) % _STEPS
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if QApplication.isEffectEnabled(Qt.UIEffect.UI_AnimateCombo):
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = 1.75 * self._theme.zoom
        ring = QRectF(self.rect()).adjusted(width, width, -width, -width)
        painter.setPen(QPen(self._theme.color("border"), width))
        painter.drawEllipse(ring)
        pen = QPen(self._theme.color("accent"), width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawArc(ring, -self._step * _FULL // _STEPS, _ARC // 3)
