"""One of the steps on the way to a server's tools: its number, what it is about, and how it went."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel

StepState = Literal["now", "done"]
_TOKENS = {"now": "accent", "done": "ok"}
_TICK = ((0.3, 0.52), (0.45, 0.67), (0.71, 0.36))


class StepCard(QFrame):
    def __init__(self, theme: Theme, number: int, title: str) -> None:
        super().__init__()
        self._title = title
        self.mark = _Mark(theme, number)
        self.note = SafeLabel(role="meta")
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(self.mark)
        head.addWidget(SafeLabel(title, role="strong"))
        head.addWidget(self.note, 1)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        self.column.setSpacing(theme.space(1))
        self.column.addLayout(head)
        self.show_state("now", "")

    def show_state(self, state: StepState, note: str) -> None:
        """`note` stands beside the title."""
        name = f"{self.mark.number} {self._title}"
        self.mark.show_state(state)
        self.mark.setAccessibleName(_("{step}, done").format(step=name) if state == "done" else name)
        self.note.setText(note)
        self.note.setProperty("role", "ok" if state == "done" else "meta")
        self.setProperty("card", "quiet" if state == "done" else "edited")
        for widget in (self.note, self):
            widget.style().unpolish(widget)
            widget.style().polish(widget)


class _Mark(QWidget):
    """The number in a circle; a tick when the step is over."""

    def __init__(self, theme: Theme, number: int) -> None:
        super().__init__()
        self.number = number
        self._theme = theme
        self._state: StepState = "now"
        self.setFixedSize(QSize(theme.space(2.5), theme.space(2.5)))

    def show_state(self, state: StepState) -> None:
        self._state = state
        self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter, side = self._theme, QPainter(self), float(self.width())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(_TOKENS[self._state]))
        painter.drawEllipse(QRectF(0, 0, side, side))
        if self._state == "now":
            painter.setPen(theme.color("on_accent"))
            painter.setFont(theme.font("meta", strong=True))
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), str(self.number))
        else:
            pen = QPen(theme.color("surface"), 1.75)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline([QPointF(x * side, y * side) for x, y in _TICK])
        painter.end()
