"""A pane over the chat where there is no room beside it: it slides in at its edge, the rest is dimmed.

A press beside it or Esc puts it away; meanwhile the focus stays inside.
"""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QEvent, QPoint, QPropertyAnimation, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.ui.widgets.guarded import guarded
from app.ui.widgets.tab_order import first_stop

_WIDTH, _BESIDE = 336, 48
"""Of the pane, and what is left of the chat at least; in pixels before zoom."""
_DIM = QColor(0, 0, 0, 82)
"""32 % of black."""
_MS = 120


class SlideOver(QWidget):
    put_away = Signal()

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self.setObjectName("slideOver")
        # A sub-window has a Tab order of its own: the focus does not leave it.
        self.setWindowFlags(Qt.WindowType.SubWindow)
        self._from_right = False
        self._zoom = 1.0
        self._before: QWidget | None = None
        self._holder = QWidget(self)
        self._holder.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._column = QVBoxLayout(self._holder)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._slide = QPropertyAnimation(self._holder, b"pos", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._slide.setDuration(_MS)
        self.hide()

    def show_pane(self, pane: QWidget, place: QRect, *, from_right: bool, zoom: float) -> None:
        """Over `place` of the host."""
        self._before = QApplication.focusWidget()
        self._from_right, self._zoom = from_right, zoom
        pane.setParent(self._holder)
        self._column.addWidget(pane)
        pane.show()
        self.fit(place)
        end = self._holder.pos()
        self.show()
        self.raise_()
        if QApplication.isEffectEnabled(Qt.UIEffect.UI_AnimateCombo):  # motion is not reduced
            away = self._holder.width() if from_right else -self._holder.width()
            self._slide.setStartValue(end + QPoint(away, 0))
            self._slide.setEndValue(end)
            self._slide.start()
        (first_stop(pane) or pane).setFocus(Qt.FocusReason.PopupFocusReason)

    def fit(self, place: QRect) -> None:
        self._slide.stop()
        self.setGeometry(place)
        width = min(round(_WIDTH * self._zoom), place.width() - _BESIDE)
        self._holder.setGeometry(place.width() - width if self._from_right else 0, 0, width, place.height())

    def end(self) -> None:
        """The pane has gone back to its place; the focus goes where it was."""
        focus = QApplication.focusWidget()
        had_focus = focus is None or self.isAncestorOf(focus)
        self.hide()
        if had_focus and self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self._before = None

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(event.key() == Qt.Key.Key_Escape)  # not the window's, which stops a run
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.put_away.emit()
        elif event.key() not in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):  # the window would take the focus out
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._holder.geometry().contains(event.position().toPoint()):
            self.put_away.emit()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), _DIM)
