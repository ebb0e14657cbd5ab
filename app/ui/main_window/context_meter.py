"""How much of the context limit the conversation fills, in numbers, once it is worth knowing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import set_safe_tooltip
from app.ui.widgets.spoken_role import Role, speak_as

SHOWN_FROM, WARNS_FROM = 0.6, 0.85
_THOUSAND = 1_000


class ContextMeter(QWidget):
    """A press tells what fills it. Below 60 % it is not there: nobody needs to think of it."""

    clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        speak_as(self, Role.Button)
        self.setObjectName("contextMeter")
        self.setAccessibleName(_("Context"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._used, self._limit = 0, 0
        self._has_room = True
        self.set_theme(theme)
        self.hide()

    def set_figures(self, used: int, limit: int) -> None:
        """Characters of the conversation, and the limit above which it is shortened."""
        self._used, self._limit = used, limit
        text = _("Context: {used:,} of {limit:,} characters").format(used=used, limit=limit)
        self.setAccessibleDescription(text)
        set_safe_tooltip(self, text)
        self.updateGeometry()
        self.setVisible(self.is_told and self._has_room)
        self.update()

    @property
    def is_told(self) -> bool:
        """There is something to show, room or not."""
        return self._limit > 0 and self._used >= SHOWN_FROM * self._limit

    @property
    def warns(self) -> bool:
        return self.is_told and self._used >= WARNS_FROM * self._limit

    def text(self) -> str:
        return f"{_short(self._used)} / {_short(self._limit)}"

    def give_room(self, *, has_room: bool) -> None:
        if has_room != self._has_room:
            self._has_room = has_room
            self.setVisible(self.is_told and has_room)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFont(theme.font("meta"))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        wide = QFontMetrics(self._theme.font("meta")).horizontalAdvance(self.text())
        return QSize(wide + self._theme.space(2), self._theme.space(3))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRect(0, 0, self.width(), self.height()).toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        ground = "warn_tint" if self.warns else "hover" if self.underMouse() else ""
        painter.setPen(theme.color("accent") if self.hasFocus() else Qt.GlobalColor.transparent)
        painter.setBrush(theme.color(ground) if ground else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place, 6, 6)
        painter.setFont(theme.font("meta", strong=self.warns))
        painter.setPen(theme.color("warn" if self.warns else "muted"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return super().event(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


def _short(characters: int) -> str:
    return f"{characters / _THOUSAND:.0f}k" if characters >= _THOUSAND else str(characters)
