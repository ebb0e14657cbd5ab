"""How the lines of the list look: a session in two lines with its time and a dot while it runs, a folder in one."""

from __future__ import annotations

import re

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QCursor, QFontMetrics, QPainter
from PySide6.QtWidgets import QLineEdit, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.core.session.summary import SessionRow
from app.core.text.i18n import _
from app.ui.sessions.arrange import GroupHead
from app.ui.sessions.dates import short_time
from app.ui.sessions.model import GROUP, HEAD, ROW, RUNNING, SessionListModel, session_title
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import visible

Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_TITLE_LIMIT = 200
"""Longer titles are cut before they are measured."""
FOLDER_LIMIT = 60
_TAG = re.compile(r"</?(?:sub|sup|details|summary|br)\b[^<>]{0,40}>", re.IGNORECASE)
"""What an answer shows as raised, lowered and folded text; any other tag is text."""
_LINK = re.compile(r"!?\[([^\[\]]{1,200})\]\([^()\s]*\)?")
"""Also one whose end was cut off."""


class SessionDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, model: SessionListModel, view: QListView) -> None:
        super().__init__(view)
        self._model, self._view = model, view
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._title_font, self._meta_font = theme.font("ui"), theme.font("meta")
        self._group_font = theme.font("meta", strong=True)
        self._group_height = theme.space(3.75)
        self._head = QSize(0, theme.space(4))
        self._low = QSize(0, theme.space(6.5))
        self._tall = QSize(0, theme.space(6.5) + self._group_height)

    @guarded
    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        # Asked for every row at every layout: the short way to the model counts.
        if self._model.lines.head_at(index.row()) is not None:
            return self._head
        return self._tall if self._model.lines.begins_group(index.row()) else self._low

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: SessionRow | None = index.data(ROW)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row is None:
            self._paint_head(painter, option.rect, index)
            return
        box = self._paint_group(painter, option.rect, index.data(GROUP))
        if self._model.lines.is_inside(index.row()):
            box.setLeft(box.left() + self._theme.space(1.5))
        self._paint_ground(painter, box, index)
        inner = box.adjusted(self._theme.space(1.25), self._theme.space(0.75), -self._theme.space(1.25), 0)
        half = (inner.height() - self._theme.space(0.75)) // 2
        upper = QRect(inner.left(), inner.top(), inner.width(), half)
        lower = QRect(inner.left(), upper.bottom() + 1, inner.width(), half)
        self._paint_title(painter, upper, row)
        self._paint_preview(painter, lower, row, running=bool(index.data(RUNNING)))

    # ------------------------------------------------------------ the pieces

    def _paint_head(self, painter: QPainter, box: QRect, index: Index) -> None:
        """Chevron, icon, name, and how many sessions are inside."""
        head: GroupHead | None = index.data(HEAD)
        if head is None:
            return
        theme, side = self._theme, self._theme.space(1)
        box = box.adjusted(side, 0, -side, 0)
        self._paint_ground(painter, box, index)
        ratio, edge = painter.device().devicePixelRatioF(), round(14 * theme.zoom)
        left = box.left() + theme.space(1)
        for icon in ("chevron-down" if head.is_open else "chevron-right", head.kind):
            place = QPoint(left, box.center().y() - edge // 2 + 1)
            painter.drawPixmap(place, theme.pixmap(icon, "muted", 14, ratio=ratio))
            left += edge + theme.space(0.75)
        painter.setFont(self._meta_font)
        painter.setPen(theme.color("muted"))
        right = box.right() - theme.space(1.25)
        count = f"{head.count:,}"
        painter.drawText(QRect(left, box.top(), right - left, box.height()), _RIGHT, count)
        right -= QFontMetrics(self._meta_font).horizontalAdvance(count) + theme.space(1)
        self._line(painter, QRect(left, box.top(), right - left, box.height()), right, head.title, "text", title=False)

    def _paint_group(self, painter: QPainter, box: QRect, title: str) -> QRect:
        """Returns what is left below the title."""
        side = self._theme.space(1)
        if not title:
            return box.adjusted(side, 0, -side, 0)
        head = QRect(box.left() + self._theme.space(2.25), box.top(), box.width(), self._group_height)
        painter.setFont(self._group_font)
        painter.setPen(self._theme.color("muted"))
        painter.drawText(head.adjusted(0, self._theme.space(0.75), 0, 0), _LEFT, title)
        return box.adjusted(side, self._group_height, -side, 0)

    def _paint_ground(self, painter: QPainter, box: QRect, index: Index) -> None:
        # The view is asked instead of `option.state`: that would load QStyle, and with it 600 names at the start.
        view = self._view
        current = view.currentIndex() == index
        chosen = view.selectionModel().isSelected(index)
        if (
            not chosen
            and not current
            and not (view.underMouse() and view.indexAt(view.mapFromGlobal(QCursor.pos())) == index)
        ):
            return
        painter.setPen(self._theme.color("accent") if current and view.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("selected" if chosen else "hover"))
        painter.drawRoundedRect(box.toRectF().adjusted(0.5, 1.5, -0.5, -1.5), 8, 8)

    def _paint_title(self, painter: QPainter, box: QRect, row: SessionRow) -> None:
        right = self._paint_time(painter, box, row)
        if row.pinned or row.is_temporary:
            edge = self._theme.space(1.5)
            ratio = painter.device().devicePixelRatioF()
            place = QPoint(right - edge, box.center().y() - edge // 2 + 1)
            mark = "eye-off" if row.is_temporary else "pin"
            painter.drawPixmap(place, self._theme.pixmap(mark, "muted", 12, ratio=ratio))
            right = place.x() - self._theme.space(0.5)
        self._line(painter, box, right, session_title(row), "text" if row.title else "muted", title=True)

    def _paint_time(self, painter: QPainter, box: QRect, row: SessionRow) -> int:
        from datetime import datetime

        text = short_time(row.updated, datetime.now().astimezone().date())
        painter.setFont(self._meta_font)
        painter.setPen(self._theme.color("muted"))
        painter.drawText(box, _RIGHT, text)
        return box.right() - QFontMetrics(self._meta_font).horizontalAdvance(text) - self._theme.space(1)

    def _paint_preview(self, painter: QPainter, box: QRect, row: SessionRow, *, running: bool) -> None:
        right = box.right()
        if running:
            radius = self._theme.space(0.5)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent"))
            painter.drawEllipse(QPoint(right - radius, box.center().y() + 1), radius, radius)
            right -= self._theme.space(2)
        agent = self._model.agent_names.get(row.agent, "")
        preview = _("Draft: {text}").format(text=row.draft[:_TITLE_LIMIT]) if row.draft else row.preview
        text = " · ".join(part for part in (agent, _plain(preview[:_TITLE_LIMIT])) if part)
        self._line(painter, box, right, text, "muted", title=False)

    def _line(self, painter: QPainter, box: QRect, right: int, text: str, token: str, *, title: bool) -> None:
        font = self._title_font if title else self._meta_font
        room = QRect(box.left(), box.top(), max(0, right - box.left()), box.height())
        title_text = QFontMetrics(font).elidedText(
            visible(text[:_TITLE_LIMIT]), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.setFont(font)
        painter.setPen(QColor(self._theme.color(token)))
        painter.drawText(room, _LEFT, title_text)

    # ------------------------------------------------------------ editing in place

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        is_folder = index.data(HEAD) is not None
        editor.setMaxLength(FOLDER_LIMIT if is_folder else _TITLE_LIMIT)
        editor.setAccessibleName(_("Name of the folder") if is_folder else _("Title of the session"))
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        box: QRect = option.rect
        above = self._group_height if index.data(GROUP) else 0
        side = self._theme.space(2.5 if self._model.lines.is_inside(index.row()) else 1)
        below = 0 if index.data(HEAD) is not None else self._theme.space(1.5)
        editor.setGeometry(box.adjusted(side, above + 2, -self._theme.space(1), -below))


def _plain(markdown: str) -> str:
    """One line without the marks of emphasis, code, quotes and headings; of links and pictures the words."""
    words = _TAG.sub("", _LINK.sub(r"\1", markdown)).replace("**", "").replace("`", "").split()
    return " ".join(word for word in words if word.strip("#>"))
