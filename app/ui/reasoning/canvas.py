"""A drawing of a run one can point at, walk through by keys, zoom and save: timeline and graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import set_safe_tooltip
from app.ui.widgets.spoken_role import Role, speak_as

_ZOOM_STEP, _LARGEST_ZOOM = 1.5, 60.0


@dataclass(frozen=True, slots=True)
class DrawingMark:
    """Something one can point at."""

    id: str
    rect: QRectF
    told: str
    step: int = 0
    call: str = ""


class DrawingCanvas(QAbstractScrollArea):
    """Subclasses say where things lie (`lay_out`) and draw them (`draw`)."""

    picked = Signal(int, str)
    """Step and call of what was clicked."""
    told = Signal(str)
    """What is under the pointer, or chosen by keys; "" = nothing."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        speak_as(self, Role.Chart)
        self.theme = theme
        self.zoom = 1.0
        self.chosen = ""
        self.marks: tuple[DrawingMark, ...] = ()
        self._size = QSizeF()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(80)
        self._soon.timeout.connect(self.renew)

    # ------------------------------------------------------------ for subclasses

    def lay_out(self, width: float) -> tuple[QSizeF, Sequence[DrawingMark]]:
        raise NotImplementedError

    def draw(self, painter: QPainter, marks: Sequence[DrawingMark], seen: QRectF) -> None:
        """In the drawing's own coordinates; `seen` is the part that shows."""
        raise NotImplementedError

    # ------------------------------------------------------------ what others do

    def renew_soon(self) -> None:
        """Something changed; many changes at once are drawn once."""
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    def renew(self) -> None:
        self._size, marks = self.lay_out(self.viewport().width())
        self.marks = tuple(marks)
        page = self.viewport().size()
        for bar, whole, shown in (
            (self.horizontalScrollBar(), self._size.width(), page.width()),
            (self.verticalScrollBar(), self._size.height(), page.height()),
        ):
            bar.setRange(0, max(0, round(whole - shown)))
            bar.setPageStep(shown)
            bar.setSingleStep(self.theme.space(3))
        self.viewport().update()

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.renew()

    def set_zoom(self, zoom: float) -> None:
        """Around the middle of what is seen."""
        before, middle = self.zoom, self.horizontalScrollBar().value() + self.viewport().width() / 2
        self.zoom = min(_LARGEST_ZOOM, max(1.0, zoom))
        self.renew()
        moved = middle * self.zoom / before - self.viewport().width() / 2
        self.horizontalScrollBar().setValue(round(moved))

    def zoom_by(self, steps: int) -> None:
        self.set_zoom(self.zoom * _ZOOM_STEP**steps)

    # ------------------------------------------------------------ Qt

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        offset = self._offset()
        painter.translate(-offset)
        self.draw(painter, self.marks, QRectF(offset, QSizeF(self.viewport().size())))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.renew()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.renew()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        mark = self._mark_at(event.position().toPoint())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if mark else Qt.CursorShape.ArrowCursor)
        self._choose(mark)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and (mark := self._mark_at(event.position().toPoint())):
            self._choose(mark)
            if mark.step:
                self.picked.emit(mark.step, mark.call)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Right | Qt.Key.Key_Down:
                self._walk(1)
            case Qt.Key.Key_Left | Qt.Key.Key_Up:
                self._walk(-1)
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom_by(1)
            case Qt.Key.Key_Minus:
                self.zoom_by(-1)
            case Qt.Key.Key_0:
                self.set_zoom(1.0)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                if (mark := self._find(self.chosen)) and mark.step:
                    self.picked.emit(mark.step, mark.call)
            case _:
                super().keyPressEvent(event)

    def _offset(self) -> QPoint:
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _mark_at(self, point: QPoint) -> DrawingMark | None:
        place = QPointF(point + self._offset())
        reach = self.marks[::-1]
        return next((mark for mark in reach if mark.rect.adjusted(-2, -2, 2, 2).contains(place)), None)

    def _find(self, id: str) -> DrawingMark | None:
        return next((mark for mark in self.marks if mark.id == id), None)

    def _walk(self, by: int) -> None:
        if not self.marks:
            return
        places = [n for n, mark in enumerate(self.marks) if mark.id == self.chosen]
        target = (places[0] if places else -1 if by > 0 else len(self.marks)) + by
        mark = self.marks[min(max(target, 0), len(self.marks) - 1)]
        self._choose(mark)
        self._bring_into_view(mark.rect)

    def _bring_into_view(self, rect: QRectF) -> None:
        page, pad = self.viewport().size(), self.theme.space(2)
        for bar, low, high, shown in (
            (self.horizontalScrollBar(), rect.left(), rect.right(), page.width()),
            (self.verticalScrollBar(), rect.top(), rect.bottom(), page.height()),
        ):
            if low - pad < bar.value():
                bar.setValue(round(low - pad))
            elif high + pad > bar.value() + shown:
                bar.setValue(round(high + pad - shown))

    def _choose(self, mark: DrawingMark | None) -> None:
        id = mark.id if mark else ""
        if id != self.chosen:
            self.chosen = id
            self.told.emit(mark.told if mark else "")
            set_safe_tooltip(self.viewport(), mark.told if mark else "")
            self.viewport().update()
