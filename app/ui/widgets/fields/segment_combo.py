"""A drop-down whose choices stand side by side where there is room for all of them: one widget for a row of a table.

For a screen reader and the keyboard it is a combo box. A group of radio buttons would be five widgets, each of which
the style sheet dresses; a table of a hundred tools has a hundred of them.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.guarded import guarded

_ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class SegmentCombo(CalmCombo):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._hovered = theme, -1
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        return QSize(round(sum(self._widths()) + self._theme.space(0.5)), self._theme.space(3.5))

    def minimumSizeHint(self) -> QSize:
        """Where there is no room for all, it is a drop-down."""
        return QSize(self._theme.space(8), self._theme.space(3.5))

    @property
    def is_side_by_side(self) -> bool:
        return self.width() >= self.sizeHint().width()

    def segments(self) -> list[QRectF]:
        """Where each choice is; empty while it is a drop-down."""
        if not self.is_side_by_side:
            return []
        edge, high = self._theme.space(0.25), self._theme.space(3.5)
        left, top, found = float(edge), (self.height() - high) / 2 + edge, []
        for wide in self._widths():
            found.append(QRectF(left, top, wide, high - 2 * edge))
            left += wide
        return found

    def _widths(self) -> list[float]:
        """As wide as each is when it is chosen and bold, so that choosing moves nothing."""
        room, metrics = 2.0 * self._theme.space(1), QFontMetrics(self._bold())
        return [metrics.horizontalAdvance(self.itemText(place)) + room for place in range(self.count())]

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def _at(self, event: QMouseEvent) -> int:
        place = event.position()
        return next((n for n, box in enumerate(self.segments()) if box.contains(place)), -1)

    def _choose(self, place: int) -> None:
        """As a person does."""
        if place != self.currentIndex():
            self.setCurrentIndex(place)
            self.activated.emit(place)

    # ------------------------------------------------------------ what a person does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.is_side_by_side:
            super().mousePressEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton and (place := self._at(event)) >= 0:
            self._choose(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if (place := self._at(event)) != self._hovered:
            self._hovered = place
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = -1
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _ARROWS.get(Qt.Key(event.key()))
        if step is None or not self.is_side_by_side:
            super().keyPressEvent(event)
        elif 0 <= self.currentIndex() + step < self.count():
            self._choose(self.currentIndex() + step)

    # ------------------------------------------------------------ how it looks

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        boxes = self.segments()
        if not boxes:
            super().paintEvent(event)
            return
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        edge = theme.space(0.25)
        painter.setBrush(theme.color("hover"))
        whole = boxes[0].united(boxes[-1]).adjusted(-edge, -edge, edge, edge)
        painter.drawRoundedRect(whole, 8, 8)
        for place, box in enumerate(boxes):
            is_chosen = place == self.currentIndex()
            if is_chosen:
                painter.setPen(QPen(theme.color("accent"), 1) if self.hasFocus() else Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("surface"))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            strong = is_chosen or (place == self._hovered and self.isEnabled())
            painter.setPen(theme.color("text" if strong else "muted"))
            painter.setFont(self._bold() if is_chosen else self.font())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.itemText(place))
        painter.end()
