"""One step of a plan in one line: place, state, what it does, what is to be known, and the arrow that unfolds it.

Painted, like the lines of the outline: a plan of twelve steps is twelve widgets.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import set_safe_tooltip, visible

_HEIGHT = 5
"""In steps of the grid: 40 pixels."""
_GRIP = 3


@dataclass(frozen=True, slots=True)
class LineFacts:
    """`mark` is in the place of the number, for a line of a difference: +, − or ~."""

    number: int
    icon: str
    token: str
    title: str
    detail: str = ""
    aside: str = ""
    chip: str = ""
    state: str = ""
    """In words, for whoever does not see the icon."""
    mark: str = ""
    tint: str = ""
    """Colour of the ground."""
    is_struck: bool = False
    is_muted: bool = False
    tip: str = ""


class StepLine(QAbstractButton):
    """`clicked` asks to unfold; with a grip it can be dragged, or moved by Alt and an arrow, and deleted."""

    moved = Signal(int)
    removed = Signal()

    def __init__(self, theme: Theme, facts: LineFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.facts = facts
        self.has_grip = self.is_open = False
        self.opens = True
        self._hovered = False
        self._pressed_at: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_facts(facts)

    def show_facts(self, facts: LineFacts) -> None:
        self.facts = facts
        parts = (f"{facts.number}. {facts.title}" if facts.number else facts.title, facts.detail, facts.state)
        self.setAccessibleName(" · ".join(visible(part) for part in (*parts, facts.chip, facts.aside) if part))
        set_safe_tooltip(self, facts.tip)
        self.update()

    def show_place(self, *, has_grip: bool, is_open: bool, opens: bool = True) -> None:
        self.has_grip, self.is_open, self.opens = has_grip, is_open, opens
        self.setAccessibleDescription(_("Fold") if is_open else _("Unfold"))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(24), self._theme.space(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.space(16), self._theme.space(_HEIGHT))

    # ------------------------------------------------------------ painting

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, facts, painter = self._theme, self.facts, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = facts.tint or ("hover" if self._hovered else "")
        if self.is_open and self.has_grip:  # of one piece with the form below it
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("sunken"))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, 0, 8), 8, 8)
            ground = ""
        if ground or self.hasFocus():
            painter.setPen(theme.color("accent") if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(ground) if ground else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 8, 8)
        left, right = theme.space(1), self.width() - theme.space(1)
        if self.has_grip:
            self._icon(painter, "grip", "muted", 14, theme.space(0.5))
            left = theme.space(_GRIP)
        place = facts.mark or (str(facts.number) if facts.number else "")
        if place:
            painter.setFont(theme.font("ui"))
            painter.setPen(theme.color(facts.token if facts.mark else "muted"))
            self._text(painter, place, left, theme.space(2.5), Qt.AlignmentFlag.AlignRight)
            left += theme.space(3.5)
        self._icon(painter, facts.icon, facts.token, 16, left)
        left += theme.space(3)
        if self.opens:
            right -= theme.space(1.5)
            self._icon(painter, "chevron-up" if self.is_open else "chevron-right", "muted", 14, right)
            right -= theme.space(1)
        right = self._paint_aside(painter, left, right)
        self._paint_words(painter, left, right)

    def _paint_aside(self, painter: QPainter, left: int, right: int) -> int:
        """The chip goes last: where there is no room the figures give way first."""
        theme, facts = self._theme, self.facts
        painter.setFont(theme.font("meta"))
        metrics = painter.fontMetrics()
        least = left + theme.space(12)
        if facts.aside and right - (wide := metrics.horizontalAdvance(facts.aside)) > least:
            painter.setPen(theme.color("muted"))
            self._text(painter, facts.aside, right - wide, wide + 1)
            right -= wide + theme.space(1)
        if facts.chip and right - (wide := metrics.horizontalAdvance(facts.chip) + theme.space(1.5)) > least:
            height = theme.space(2.5)
            box = QRect(right - wide, (self.height() - height) // 2, wide, height)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("warn_tint"))
            painter.drawRoundedRect(box, 5, 5)
            painter.setPen(theme.color("warn"))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), facts.chip)
            right -= wide + theme.space(1)
        return right

    def _paint_words(self, painter: QPainter, left: int, right: int) -> None:
        theme, facts = self._theme, self.facts
        font = QFont(theme.font("ui"))
        font.setWeight(QFont.Weight.Medium)
        font.setStrikeOut(facts.is_struck)
        painter.setFont(font)
        painter.setPen(theme.color(facts.token if facts.mark in ("+", "−") else "muted" if facts.is_muted else "text"))
        room = max(0, right - left)
        title = painter.fontMetrics().elidedText(visible(facts.title), Qt.TextElideMode.ElideRight, room)
        wide = painter.fontMetrics().horizontalAdvance(title)
        self._text(painter, title, left, wide + 2)
        left += wide + theme.space(1)
        if not facts.detail or right - left < theme.space(4):
            return
        font = QFont(theme.font("meta"))
        font.setStrikeOut(facts.is_struck)
        painter.setFont(font)
        if not facts.mark:
            painter.setPen(theme.color("muted"))
        detail = " ".join(visible(facts.detail[:300]).split())
        detail = painter.fontMetrics().elidedText(detail, Qt.TextElideMode.ElideRight, right - left)
        self._text(painter, detail, left, right - left)
        if facts.mark == "~":  # what is changed is underlined, so that it is not told by its colour alone
            y = (self.height() + painter.fontMetrics().height()) // 2
            painter.setPen(QPen(theme.color("accent"), 1, Qt.PenStyle.DotLine))
            painter.drawLine(left, y, left + painter.fontMetrics().horizontalAdvance(detail), y)

    def _icon(self, painter: QPainter, name: str, token: str, size: int, left: int) -> None:
        pixmap = self._theme.pixmap(name, token, size, ratio=self.devicePixelRatioF())
        painter.drawPixmap(left, (self.height() - round(size * self._theme.zoom)) // 2, pixmap)

    def _text(
        self, painter: QPainter, text: str, left: int, wide: int, side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
    ) -> None:
        flags = int(side | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine.value)
        painter.drawText(QRect(left, 0, wide, self.height()), flags, text)

    # ------------------------------------------------------------ hands

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if self.has_grip and way and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.moved.emit(way)
        elif self.has_grip and event.key() == Qt.Key.Key_Delete:
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.has_grip and event.position().x() < self._theme.space(_GRIP):
            self._pressed_at = round(event.globalPosition().y())
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed_at is None:
            super().mouseMoveEvent(event)
            return
        way, y = self._pressed_at, round(event.globalPosition().y())
        if abs(y - way) > self.height() * 2 // 3:
            step = 1 if y > way else -1
            self._pressed_at = way + step * self.height()
            self.moved.emit(step)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed_at is not None:
            self._pressed_at = None
        else:
            super().mouseReleaseEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._hovered = True
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = False
        self.update()
