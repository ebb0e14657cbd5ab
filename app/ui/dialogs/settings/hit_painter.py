"""A setting that a search found, as a line of the list: its title, and below it, quieter, where it is."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QListWidget, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded

WHERE = Qt.ItemDataRole.UserRole + 1
TITLE = Qt.ItemDataRole.UserRole + 2


class HitPainter(QStyledItemDelegate):
    def __init__(self, theme: Theme, hits: QListWidget) -> None:
        super().__init__(hits)
        self._theme = theme

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.text = ""

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)  # the ground, as the other lists have it
        theme = self._theme
        inner = option.rect.adjusted(theme.space(1.25), theme.space(0.75), -theme.space(1.25), -theme.space(0.75))
        half = inner.height() // 2
        title, place = theme.font("ui"), theme.font("meta")
        for role, font, colour, top in (
            (TITLE, title, "text", inner.top()),
            (WHERE, place, "muted", inner.top() + half),
        ):
            text = QFontMetrics(font).elidedText(str(index.data(role)), Qt.TextElideMode.ElideRight, inner.width())
            painter.setFont(font)
            painter.setPen(theme.color(colour))
            painter.drawText(QRect(inner.left(), top, inner.width(), half), Qt.AlignmentFlag.AlignVCenter, text)
