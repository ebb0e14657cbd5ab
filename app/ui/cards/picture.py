"""A card as a PNG file: all of it, unfolded, without its buttons, in the colours of the window."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget

from app.ui.cards.timeline.day_list import DayList
from app.ui.theme import Theme

WIDTH = 100
"""Of the card, in units of the grid."""
_MOST_PIXELS = 20_000_000
_LONGEST = 30_000
"""Pixels of one side: more than Qt can paint in one go is painted smaller."""
_SHARP = 2.0


def png_of(frame: QWidget, theme: Theme) -> bytes:
    """Of a card made for it, which is gone afterwards; b"" if it cannot be painted."""
    frame.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    try:
        frame.resize(theme.space(WIDTH), theme.space(WIDTH))
        frame.show()
        _unfold(frame)
        for button in frame.findChildren(QAbstractButton):
            if button.property("kind") != "fold":  # the line of a day is its heading
                button.hide()
        layout = frame.layout()
        if layout is not None:
            layout.activate()
        height = frame.heightForWidth(frame.width()) if frame.hasHeightForWidth() else frame.sizeHint().height()
        frame.resize(frame.width(), max(height, theme.space(4)))
        return _png(_painted(frame, theme))
    finally:
        frame.close()
        frame.deleteLater()


def _unfold(frame: QWidget) -> None:
    """Everything that is behind "Show more", and every day of a journey."""
    for days in frame.findChildren(DayList):
        days.unfold_all()
    for _round in range(40):
        folded = [b for b in frame.findChildren(QPushButton) if b.property("kind") == "link" and not b.isHidden()]
        if not folded:
            return
        for button in folded:
            button.click()


def _painted(frame: QWidget, theme: Theme) -> QImage:
    margin = theme.space(2)
    width, height = frame.width() + 2 * margin, frame.height() + 2 * margin
    ratio = min(_SHARP, (_MOST_PIXELS / (width * height)) ** 0.5, _LONGEST / max(width, height))
    image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(theme.color("surface"))
    painter = QPainter(image)
    frame.render(painter, QPoint(margin, margin))
    painter.end()
    return image


def _png(image: QImage) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(content.data())
