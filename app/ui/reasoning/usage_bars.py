"""Tokens as bars: what was read, from the cache or not, and what was written, thought or said."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.run.chat_model import Usage
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded

_MOST = 40
"""Bars; a longer run shows its last ones."""


class UsageBars(QWidget):
    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._title = theme, title
        self._bars: tuple[tuple[str, Usage], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(title)
        self.hide()

    def show_bars(self, bars: Sequence[tuple[str, Usage]]) -> None:
        """Nothing is shown where nobody counted a token."""
        self._bars = tuple(bars[-_MOST:]) if any(usage.total for _label, usage in bars) else ()
        self.setAccessibleDescription("; ".join(f"{label}: {usage.total:,}" for label, usage in self._bars))
        self.setVisible(bool(self._bars))
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(30), self._theme.space(6 + 2.5 * len(self._bars)))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.space(20), self.sizeHint().height())

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = theme.space(2.5)
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font("meta", strong=True))
        painter.drawText(QRectF(0, 0, self.width(), line), int(Qt.AlignmentFlag.AlignVCenter), self._title)
        painter.setFont(theme.font("meta"))
        metrics = painter.fontMetrics()
        label = max((metrics.horizontalAdvance(text) for text, _usage in self._bars), default=0) + theme.space(1)
        number = max((metrics.horizontalAdvance(f"{usage.total:,}") for _text, usage in self._bars), default=0)
        room = max(1.0, self.width() - label - number - theme.space(1))
        most = max((usage.total for _text, usage in self._bars), default=0) or 1
        top = float(line)
        for text, usage in self._bars:
            painter.setPen(theme.color("muted"))
            painter.drawText(QRectF(0, top, label, line), int(Qt.AlignmentFlag.AlignVCenter), text)
            left = float(label)
            painter.setPen(Qt.PenStyle.NoPen)
            for color, count in self._pieces(usage):
                wide = room * count / most
                painter.setBrush(color)
                painter.drawRect(QRectF(left, top + line * 0.22, wide, line * 0.56))
                left += wide
            painter.setPen(theme.color("muted"))
            place = QRectF(left + theme.space(0.5), top, number + theme.space(1), line)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), f"{usage.total:,}")
            top += line
        self._draw_legend(painter, top + theme.space(0.5))

    def _pieces(self, usage: Usage) -> list[tuple[QColor, int]]:
        cached = min(usage.cached, usage.input)
        thought = min(usage.reasoning, usage.output)
        counts = (cached, usage.input - cached, thought, usage.output - thought)
        return [(color, count) for (color, _name), count in zip(self._kinds(), counts, strict=True) if count]

    def _kinds(self) -> list[tuple[QColor, str]]:
        theme = self._theme
        thinking = theme.color("accent")
        thinking.setAlphaF(0.45)
        return [
            (theme.color("pressed"), _("from the cache")),
            (theme.color("muted"), _("read")),
            (thinking, _("thought")),
            (theme.color("accent"), _("written")),
        ]

    def _draw_legend(self, painter: QPainter, top: float) -> None:
        theme = self._theme
        used = {color.rgba() for _text, usage in self._bars for color, _count in self._pieces(usage)}
        left, edge, line = 0.0, theme.space(1), theme.space(2.5)
        for color, name in self._kinds():
            if color.rgba() not in used:
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawRect(QRectF(left, top + (line - edge) / 2, edge, edge))
            painter.setPen(theme.color("muted"))
            wide = painter.fontMetrics().horizontalAdvance(name)
            place = QRectF(left + edge + theme.space(0.5), top, wide + 2, line)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), name)
            left += edge + wide + theme.space(2)
