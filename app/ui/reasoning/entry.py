"""One line of the outline, which may open: icon, title, what it is about, how long it took.

The line is one painted button, so that hundreds of them stay light; what it opens is made when it
is opened and thrown away when it is closed.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import visible

_DETAIL_LIMIT = 300


class EntryLine(QAbstractButton):
    copy_asked = Signal()
    walked = Signal(int)
    """To the next (1) or the previous (-1) entry; the list knows which that is."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.icon_name, self.token = "circle", "muted"
        self.title = self.note = self.detail = self.aside = ""
        self.opens = False
        self.is_open = False
        self.is_head = False
        """Of a group: small and without an icon."""
        self.is_marked = False
        """Somebody came here from the chat."""
        self._hovered = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def describe(self, icon: str, token: str, title: str, *, note: str, detail: str, aside: str) -> None:
        had_detail = bool(self.detail)
        self.icon_name, self.token = icon, token
        self.title, self.note, self.aside = visible(title), visible(note), aside
        self.detail = visible(" ".join(detail[:_DETAIL_LIMIT].split()))
        self.setAccessibleName(" · ".join(part for part in (self.title, self.note, self.detail, self.aside) if part))
        if bool(self.detail) != had_detail:
            self.updateGeometry()
        self.update()

    def set_marked(self, is_marked: bool) -> None:
        if is_marked != self.is_marked:
            self.is_marked = is_marked
            self.update()

    def sizeHint(self) -> QSize:
        if self.is_head:
            return QSize(self.theme.space(20), round(self.theme.size("meta") * 1.5) + self.theme.space(1.25))
        lines = self.theme.size("ui") * 1.45 + (self.theme.size("meta") * 1.45 if self.detail else 0)
        return QSize(self.theme.space(20), round(lines) + self.theme.space(1))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._hovered or self.is_marked or self.hasFocus():
            painter.setPen(theme.color("accent") if self.hasFocus() else Qt.PenStyle.NoPen)
            fill = "selected" if self.is_marked else "hover"
            is_filled = self._hovered or self.is_marked
            painter.setBrush(theme.color(fill) if is_filled else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 6, 6)
        if self.is_head:
            self._paint_head(painter)
            return
        pad, first = theme.space(0.5), round(theme.size("ui") * 1.45)
        icon = round(16 * theme.zoom)
        ratio = self.devicePixelRatioF()
        pixmap = theme.pixmap(self.icon_name, self.token, 16, ratio=ratio)
        painter.drawPixmap(theme.space(1), pad + (first - icon) // 2, pixmap)
        left, right = theme.space(1) + icon + theme.space(1), self.width() - theme.space(1)
        if self.opens:
            chevron = theme.pixmap("chevron-down" if self.is_open else "chevron-right", "muted", 12, ratio=ratio)
            size = round(12 * theme.zoom)
            right -= size
            painter.drawPixmap(right, pad + (first - size) // 2, chevron)
            right -= theme.space(0.5)
        painter.setPen(theme.color("muted"))
        painter.setFont(theme.font("meta"))
        metrics = painter.fontMetrics()
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        if self.aside:
            # Beside the title, never over it: where there is no room, the title has it.
            needed = min(theme.space(10), painter.fontMetrics().horizontalAdvance(self.title) + theme.space(2))
            aside_text = metrics.elidedText(self.aside, Qt.TextElideMode.ElideRight, max(0, right - left - needed))
            wide = metrics.horizontalAdvance(aside_text)
            painter.drawText(QRect(right - wide, pad, wide + 1, first), int(flags), aside_text)
            right -= wide + theme.space(1)
        if self.detail:
            room = self.width() - left - theme.space(1)
            line = QRect(left, pad + first, room, round(theme.size("meta") * 1.45))
            aside_text = metrics.elidedText(self.detail, Qt.TextElideMode.ElideRight, room)
            painter.drawText(line, int(flags), aside_text)
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font("ui", strong=True))
        strong = painter.fontMetrics()
        aside_text = strong.elidedText(self.title, Qt.TextElideMode.ElideRight, right - left)
        painter.drawText(QRect(left, pad, right - left, first), int(flags), aside_text)
        left += strong.horizontalAdvance(aside_text) + theme.space(1)
        if self.note and right - left > theme.space(4):
            painter.setPen(theme.color("muted"))
            painter.setFont(theme.font("meta"))
            aside_text = metrics.elidedText(self.note, Qt.TextElideMode.ElideRight, right - left)
            painter.drawText(QRect(left, pad, right - left, first), int(flags), aside_text)

    def _paint_head(self, painter: QPainter) -> None:
        theme, line = self.theme, self.rect().adjusted(self.theme.space(1), self.theme.space(0.75), 0, 0)
        line.setRight(self.width() - theme.space(1))
        painter.setPen(theme.color("muted"))
        for text, is_strong in ((self.title, True), (self.note or self.detail, False)):
            painter.setFont(theme.font("meta", strong=is_strong))
            metrics = painter.fontMetrics()
            elided = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), elided)
            line.setLeft(line.left() + metrics.horizontalAdvance(elided) + theme.space(1))

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        self.update()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit()
            return
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.walked.emit(1 if event.key() == Qt.Key.Key_Down else -1)
            return
        super().keyPressEvent(event)


class OutlineEntry(QWidget):
    """`make_body` says what the line opens; without it the line only reports its click."""

    activated = Signal(int, str)
    """The step and the tool call it belongs to."""
    opened = Signal()
    """By a person."""

    def __init__(self, theme: Theme, *, step: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step = step
        self.call = ""
        """The id of the tool call it tells of."""
        self.line = EntryLine(theme, self)
        self.body: QWidget | None = None
        self._theme = theme
        self._make_body: Callable[[], QWidget] | None = None
        self._plain: str | Callable[[], str] = ""
        self.is_held = False
        """The person opened or closed it: nobody else folds it then."""
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.line)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.line.clicked.connect(self._clicked)
        self.line.copy_asked.connect(self.copy)

    def describe(self, icon: str, token: str, title: str, *, note: str = "", detail: str = "", aside: str = "") -> None:
        self.line.describe(icon, token, title, note=note, detail=detail, aside=aside)

    def set_body(self, make: Callable[[], QWidget]) -> None:
        self._make_body = make
        self.line.opens = True
        self.renew_body()
        self.line.update()

    def renew_body(self) -> None:
        """Make the body again if it is open: what it shows has changed."""
        if self.body is not None:
            self.set_open(False)
            self.set_open(True)

    def set_plain(self, plain: str | Callable[[], str]) -> None:
        """What copying and searching see beyond the line itself."""
        self._plain = plain

    def plain(self) -> str:
        return self._plain if isinstance(self._plain, str) else self._plain()

    def set_open(self, is_open: bool) -> None:
        if is_open and self.body is None and self._make_body:
            self.body = self._make_body()
            indent = self._theme.space(4)
            self.body.setContentsMargins(indent, 0, self._theme.space(1), self._theme.space(1))
            self._layout.addWidget(self.body)
        elif not is_open and self.body is not None:
            self._layout.removeWidget(self.body)
            self.body.hide()
            self.body.deleteLater()
            self.body = None
        self.line.is_open = self.body is not None
        self.line.update()

    def is_open(self) -> bool:
        return self.body is not None

    def text(self) -> str:
        """The whole entry as text: what "copy all" gives and the search looks through."""
        head = " · ".join(part for part in (self.line.title, self.line.note, self.line.aside) if part)
        below = self.plain() or self.line.detail
        return f"{head}\n{below}" if below else head

    def set_theme(self, theme: Theme) -> None:
        self._theme = self.line.theme = theme
        self.line.updateGeometry()
        self.line.update()
        self.renew_body()

    def matches(self, needle: str) -> bool:
        return needle in self.text().casefold()

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(_("Copy this entry")).triggered.connect(self.copy)
        menu.popup(event.globalPos())

    def _clicked(self) -> None:
        if self._make_body:
            self.is_held = True
            self.opened.emit()
            self.set_open(not self.is_open())
        if self.step:
            self.activated.emit(self.step, self.call)
