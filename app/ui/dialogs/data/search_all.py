"""Searching all sessions: words, filters by agent, mode and date, and where the words were found."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import shiboken6
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.core.session.search import SearchHit
from app.core.text.i18n import _
from app.services.data.search import SessionSearchService
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.selectors.selector import Option, Selector
from app.ui.widgets.spawn import Spawn

_HIT = Qt.ItemDataRole.UserRole
_DELAY_MS = 200
_LIMIT = 100
_DAY = 86_400.0
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
Index = QModelIndex | QPersistentModelIndex


class SearchDialog(QDialog):
    chosen = Signal(str, str, str)
    """Session, message ("" for a hit in the title), and the words that were looked for."""

    def __init__(
        self,
        search: SessionSearchService,
        theme: Theme,
        *,
        agents: Mapping[str, str],
        modes: Mapping[str, str],
        spawn: Spawn,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("searchDialog")
        self.setWindowTitle(_("Search all sessions"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._search, self._theme, self._spawn = search, theme, spawn
        self.field = QLineEdit(self)
        self.field.setAccessibleName(_("Search all sessions"))
        self.field.setPlaceholderText(_("Words, or “a phrase” in quotes"))
        self.field.setMaxLength(200)
        self.agent = self._choice(_("Agent"), _("Every agent"), agents)
        self.mode = self._choice(_("Mode"), _("Every mode"), modes)
        days = {"1": _("Since yesterday"), "7": _("Last 7 days"), "30": _("Last 30 days"), "365": _("Last year")}
        self.date = self._choice(_("Date"), _("Any time"), days)
        self.list = QListWidget(self)
        self.list.setAccessibleName(_("Found"))
        self.list.setItemDelegate(_HitDelegate(theme, agents, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(self._choose)
        self.told = SafeLabel(role="meta", parent=self)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(_DELAY_MS)
        self._delay.timeout.connect(self._search_again)
        self.field.textChanged.connect(self._delay.start)
        filters = QHBoxLayout()
        filters.setSpacing(theme.space(1))
        for box in (self.agent, self.mode, self.date):
            filters.addWidget(box)
        filters.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(2), theme.space(2), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addWidget(self.field)
        layout.addLayout(filters)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.told)
        width, height = (parent.width(), parent.height()) if parent else (theme.space(90), theme.space(70))
        self.resize(min(theme.space(90), width - theme.space(4)), min(theme.space(75), height - theme.space(8)))

    def _search_again(self) -> None:
        self._spawn(self.search())

    async def search(self) -> None:
        if not shiboken6.isValid(self):
            return  # closed again before this came to its turn
        words = self.field.text().strip()
        days = float(self.date.chosen_id() or 0)
        hits: Sequence[SearchHit] = ()
        if words:
            hits = await self._search.search(
                words,
                agent=self.agent.chosen_id() or None,
                mode=self.mode.chosen_id() or None,
                since=time.time() - days * _DAY if days else None,
                limit=_LIMIT,
            )
        if shiboken6.isValid(self) and words == self.field.text().strip():
            self._show(hits, words)

    def _show(self, hits: Sequence[SearchHit], words: str) -> None:
        self.list.clear()
        for hit in hits:
            item = QListWidgetItem()
            item.setData(_HIT, hit)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{hit.title}: {hit.snippet}")
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        many = _("The first {n} places").format(n=len(hits)) if len(hits) >= _LIMIT else ""
        self.told.setText(_("Nothing found") if words and not hits else many)

    def _choose(self) -> None:
        if (item := self.list.currentItem()) is not None:
            hit: SearchHit = item.data(_HIT)
            words = self.field.text().strip()
            self.accept()
            self.chosen.emit(hit.session, hit.message or "", words)

    def _choice(self, name: str, all_of: str, options: Mapping[str, str]) -> Selector:
        box = Selector(self._theme, name, limit=240, parent=self)
        box.set_options([Option("", all_of), *(Option(id, title) for id, title in options.items())])
        box.set_chosen("")
        box.chosen.connect(self._search_again)
        return box

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        elif event.key() in _MOVES:
            self.list.keyPressEvent(event)
        else:
            super().keyPressEvent(event)


class _HitDelegate(QStyledItemDelegate):
    """Title and agent above, below it the place with the words marked."""

    def __init__(self, theme: Theme, agents: Mapping[str, str], parent: QListWidget) -> None:
        super().__init__(parent)
        self._theme, self._agents, self._list = theme, agents, parent

    @guarded
    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(0, self._theme.space(6.5))

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit: SearchHit = index.data(_HIT)
        theme, box = self._theme, option.rect
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._list.currentIndex() == index:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selected"))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 8, 8)
        inner = box.adjusted(theme.space(1.25), theme.space(0.75), -theme.space(1.25), -theme.space(0.75))
        half = inner.height() // 2
        kinds = {"title": _("title"), "message": _("message"), "result": _("tool result")}
        note = " · ".join(part for part in (self._agents.get(hit.agent, ""), kinds[hit.kind]) if part)
        self._head(painter, QRect(inner.left(), inner.top(), inner.width(), half), hit.title, note)
        self._snippet(painter, QRect(inner.left(), inner.top() + half, inner.width(), half), hit)

    def _head(self, painter: QPainter, box: QRect, title: str, note: str) -> None:
        meta = self._theme.font("meta")
        painter.setFont(meta)
        painter.setPen(self._theme.color("muted"))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, visible(note))
        room = box.width() - QFontMetrics(meta).horizontalAdvance(note) - self._theme.space(1)
        font = self._theme.font("ui")
        title_text = visible(title or _("New session"))
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        title_text = QFontMetrics(font).elidedText(title_text, Qt.TextElideMode.ElideRight, max(0, room))
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title_text)

    def _snippet(self, painter: QPainter, box: QRect, hit: SearchHit) -> None:
        layout = QTextLayout(hit.snippet, self._theme.font("meta"))
        marks = []
        for start, end in hit.ranges:
            mark = QTextLayout.FormatRange()
            mark.start, mark.length = start, end - start
            form = QTextCharFormat()
            form.setForeground(self._theme.color("text"))
            ground = QColor(self._theme.color("accent"))
            ground.setAlpha(70)
            form.setBackground(ground)
            mark.format = form
            marks.append(mark)
        layout.setFormats(marks)
        layout.beginLayout()
        line = layout.createLine()
        line.setNumColumns(len(hit.snippet))
        layout.endLayout()
        painter.setClipRect(box)
        painter.setPen(self._theme.color("muted"))
        layout.draw(painter, QPointF(box.left(), box.top() + (box.height() - line.height()) / 2))
