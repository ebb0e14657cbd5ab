"""On or off, drawn as a switch. Its colours are the palette's, so it follows a theme while it is shown."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded


class Switch(QAbstractButton):
    """`toggled(bool)` tells of a change; Space and click switch."""

    def __init__(self, theme: Theme, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(4.5), self._theme.space(2.5))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        on = self.isChecked()
        color = (palette.accent() if on else palette.dark()).color()
        if not self.isEnabled():
            color.setAlphaF(0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        knob = box.height() - 4
        left = box.right() - knob - 2 if on else box.left() + 2
        painter.setBrush(palette.window())
        painter.drawEllipse(QRectF(left, box.top() + 2, knob, knob))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(palette.accent().color(), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
