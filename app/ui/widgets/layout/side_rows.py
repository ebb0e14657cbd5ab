"""How a row of a side list with a second line looks: icon, title, what it is, and how it is doing."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import visible

ROW = Qt.ItemDataRole.UserRole + 1
"""The `SideRow` of an item."""
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class SideRowDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW)
        if row is None or not row.detail:
            super().paint(painter, option, index)
            return
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        icon = QIcon(ground.icon)
        ground.text, ground.icon = "", QIcon()
        ground.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, ground, painter, ground.widget)
        theme, is_chosen = self._theme, bool(ground.state & QStyle.StateFlag.State_Selected)
        box = QRect(ground.rect).adjusted(theme.space(1.5), theme.space(0.5), -theme.space(1.5), -theme.space(0.5))
        edge = round(16 * theme.zoom)
        icon.paint(painter, QRect(box.left(), box.center().y() - edge // 2 + 1, edge, edge))
        box.setLeft(box.left() + edge + theme.space(1))
        box.setRight(self._paint_end(painter, box, row.dot, row.mark))
        title, meta = QFont(theme.font("ui", strong=is_chosen)), theme.font("meta")
        half = box.height() // 2
        self._line(painter, QRect(box.left(), box.top(), box.width(), half), title, "text", row.title)
        self._line(painter, QRect(box.left(), box.top() + half, box.width(), half), meta, "muted", row.detail)

    def _paint_end(self, painter: QPainter, box: QRect, dot: str, mark: str) -> int:
        """The dot and the word at the right; where the text has to end."""
        theme, right = self._theme, box.right()
        painter.save()
        if dot:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(dot))
            wide = theme.space(1)
            painter.drawEllipse(QPoint(right - wide // 2, box.center().y()), wide // 2, wide // 2)
            right -= wide + theme.space(1)
        if mark:
            painter.setFont(theme.font("meta"))
            painter.setPen(theme.color("accent"))
            painter.drawText(QRect(box.left(), box.top(), right - box.left(), box.height()), _RIGHT, mark)
            right -= QFontMetrics(theme.font("meta")).horizontalAdvance(mark) + theme.space(1)
        painter.restore()
        return right

    def _line(self, painter: QPainter, box: QRect, font: QFont, token: str, text: str) -> None:
        painter.setFont(font)
        painter.setPen(self._theme.color(token))
        shown = QFontMetrics(font).elidedText(visible(text), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, _LEFT, shown)
