"""The open session's title in the header: a press opens its menu, a double click or F2 lets it be edited in place."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QSizePolicy, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import set_safe_tooltip, visible

_LONGEST = 200
_LEAST, _LEAST_NARROW = 15, 6
"""Steps of the grid, and in a narrow window."""
_NARROW = 600
"""Pixels."""


class SessionTitle(QAbstractButton):
    menu_asked = Signal()
    renamed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sessionTitle")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._full = ""
        self._has_menu = False
        self._field: QLineEdit | None = None
        self._since_menu = QElapsedTimer()
        self.clicked.connect(self._ask_menu)
        self.set_theme(theme)

    def set_title(self, text: str, *, has_menu: bool) -> None:
        """`has_menu`: there is a session to do something with."""
        self._full, self._has_menu = visible(text).replace("\n", " "), has_menu
        self.setEnabled(has_menu)
        self.setAccessibleName(self._full)
        self.setAccessibleDescription(_("Menu of the session; F2 renames it") if has_menu else "")
        set_safe_tooltip(self, self._full)
        self.updateGeometry()
        self.update()

    def full_text(self) -> str:
        """What was set, even where there is room for less."""
        return self._full

    def edit(self) -> None:
        """In place: Enter or a click elsewhere keeps what is written, Esc does not."""
        if not self._has_menu or self._field is not None:
            return
        field = QLineEdit(self._full, self.parentWidget())
        field.setObjectName("sessionTitleField")
        field.setAccessibleName(_("Title"))
        field.setMaxLength(_LONGEST)
        field.setFont(self._font)
        room = self.geometry()
        field.setGeometry(QRect(room.left(), room.top(), max(room.width(), self._theme.space(24)), room.height()))
        field.installEventFilter(self)
        field.editingFinished.connect(partial(self._done, keep=True))
        self._field = field
        field.selectAll()
        field.show()
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._font: QFont = theme.font("title", strong=True)
        self.updateGeometry()
        self.update()

    # ------------------------------------------------------------ inner work

    def _ask_menu(self) -> None:
        self._since_menu.start()
        self.menu_asked.emit()

    def _done(self, *, keep: bool) -> None:
        field, self._field = self._field, None
        if field is None:
            return
        text = field.text().strip()
        field.hide()
        field.deleteLater()
        if keep and text and text != self._full:
            self.renamed.emit(text)

    def _arrow(self) -> int:
        return self._theme.space(2.25) if self._has_menu else 0

    # ------------------------------------------------------------ Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._field and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()  # the window's Esc stops the run
                return True
            if event.type() is QEvent.Type.KeyPress:
                self._done(keep=False)
                return True
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # The menu that the first press of two opened has taken it for a press outside.
        if self._since_menu.isValid() and self._since_menu.elapsed() < QApplication.doubleClickInterval():
            self._since_menu.invalidate()
            self.edit()
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        if (menu := QApplication.activePopupWidget()) is not None:
            menu.close()
        self.edit()

    def sizeHint(self) -> QSize:
        wide = QFontMetrics(self._font).horizontalAdvance(self._full) + 2
        return QSize(wide + self._theme.space(2) + self._arrow(), self._theme.space(4))

    def minimumSizeHint(self) -> QSize:
        """Room for the first words: what else stands in the header is shortened before it."""
        least = _LEAST if self.window().width() >= _NARROW else _LEAST_NARROW
        return QSize(min(self.sizeHint().width(), self._theme.space(least)), self._theme.space(4))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetrics(self._font)
        room = self.width() - theme.space(2) - self._arrow()
        text = metrics.elidedText(self._full, Qt.TextElideMode.ElideRight, max(0, room))
        wide = min(self.width(), metrics.horizontalAdvance(text) + theme.space(2) + self._arrow())
        if self._has_menu and (self.underMouse() or self.hasFocus()):
            painter.setPen(theme.color("accent") if self.hasFocus() else Qt.GlobalColor.transparent)
            painter.setBrush(theme.color("hover") if self.underMouse() else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRect(0, 0, wide, self.height()).toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.setFont(self._font)
        painter.setPen(theme.color("text"))
        place = QRect(theme.space(1), 0, max(0, room), self.height())
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), text)
        if self._has_menu:
            edge = theme.space(1.5)
            arrow = theme.pixmap("chevron-down", "muted", 12, ratio=self.devicePixelRatioF())
            painter.drawPixmap(wide - edge - theme.space(0.75), (self.height() - edge) // 2, arrow)
        painter.end()

    def hitButton(self, _pos: object) -> bool:
        return True
