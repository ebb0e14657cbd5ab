"""Three panes side by side: who is shown at which width, and how wide each one is.

The person's wish for a pane is remembered; a narrow window overrides it, first for the right
pane, then for the left. Asking for a folded pane in a narrow window shows it all the same, and
folds the other one if there is no room for both; where there is no room beside the centre, more is wanted.
"""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QByteArray, QSettings, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

Side = Literal["left", "right"]
RIGHT_FROM, LEFT_FROM = 1000, 700
"""Window widths below which the right and the left pane fold by themselves."""
LEFT_MIN, CENTRE_MIN, RIGHT_MIN = 200, 340, 260
_CENTRE_MOST = 420
"""The smallest window: in it the centre fits at any zoom, with less of everything."""
_LEFT, _CENTRE, _RIGHT = range(3)
_WIDTHS = (264, 820, 320)


class Panes(QSplitter):
    folded = Signal()
    """A pane appeared or went."""
    room_wanted = Signal(int)
    """The person asked for a pane that does not fit beside the centre: the width that is needed."""

    def __init__(self, left: QWidget, centre: QWidget, right: QWidget, settings: QSettings) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._settings = settings
        self._panes: dict[Side, QWidget] = {"left": left, "right": right}
        self._wish: dict[Side, bool] = {
            "left": settings.value("panes/left", "true") != "false",
            "right": settings.value("panes/right", "true") != "false",
        }
        self._forced: set[Side] = set()
        self._hidden: set[Side] = set()
        """Shut by a setting for now; the person's own wish is not touched."""
        self._class = -1
        self._is_growing = False
        self._zoom = 1.0
        self._all = (left, centre, right)
        for widget in self._all:
            self.addWidget(widget)
        self.set_zoom(1.0)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.setStretchFactor(_LEFT, 0)
        self.setStretchFactor(_CENTRE, 1)
        self.setStretchFactor(_RIGHT, 0)
        self.setSizes(list(_WIDTHS))
        state = settings.value("panes/sizes")
        if isinstance(state, QByteArray):
            self.restoreState(state)
            self.setHandleWidth(1)

    def set_zoom(self, zoom: float) -> None:
        """Larger letters need wider panes, and fold them earlier."""
        self._zoom = zoom
        for widget, least in zip(self._all, (LEFT_MIN, CENTRE_MIN, RIGHT_MIN), strict=True):
            most = _CENTRE_MOST if widget is self._all[_CENTRE] else round(least * zoom)
            widget.setMinimumWidth(min(round(least * zoom), most))
        if self._class >= 0:
            self._class = -1
            self._classify(self.width())

    def is_open(self, side: Side) -> bool:
        return not self._panes[side].isHidden()

    def toggle(self, side: Side) -> None:
        self.ask(side, not self.is_open(side))

    def toggle_left(self) -> None:
        self.toggle("left")

    def toggle_right(self) -> None:
        self.toggle("right")

    def ask(self, side: Side, is_open: bool, *, remember: bool = True) -> None:
        """The person wants the pane open or shut."""
        self._hidden.discard(side)
        if remember:
            self._wish[side] = is_open
        self._forced.discard(side)
        if is_open:
            self._forced.add(side)
            other: Side = "right" if side == "left" else "left"
            if self.width() < self._needs():
                self._forced.discard(other)
            if self.width() < (beside := self._beside(side)):
                self._is_growing = True
                self.room_wanted.emit(beside)
        self._arrange(wish_once={side: is_open})

    def suggest(self, side: Side, is_open: bool) -> None:
        """A setting would have it so. What the person has shut stays shut; narrow windows stay as they are."""
        self._hidden.discard(side)
        if not is_open:
            self._hidden.add(side)
        self._arrange()

    def save(self) -> None:
        self._settings.setValue("panes/sizes", self.saveState())
        for side, wish in self._wish.items():
            self._settings.setValue(f"panes/{side}", "true" if wish else "false")

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._classify(event.size().width())
        super().resizeEvent(event)

    def _classify(self, width: int) -> None:
        width_class = (width >= self._from("left")) + (width >= self._from("right"))
        if width_class != self._class:
            self._class = width_class
            if not self._is_growing:
                self._forced.clear()
            self._arrange()
        self._is_growing = False

    def _from(self, side: Side) -> float:
        """The window's width from which on the pane has room."""
        if side == "left":
            return max(LEFT_FROM, (LEFT_MIN + CENTRE_MIN) * self._zoom)
        return max(RIGHT_FROM, self._needs())

    def _beside(self, side: Side) -> int:
        """What the pane and the centre take at least."""
        least = LEFT_MIN if side == "left" else RIGHT_MIN
        return round(least * self._zoom) + round(CENTRE_MIN * self._zoom) + self.handleWidth()

    def _needs(self) -> float:
        return (LEFT_MIN + CENTRE_MIN + RIGHT_MIN) * self._zoom

    def _arrange(self, wish_once: dict[Side, bool] | None = None) -> None:
        wish = {**self._wish, **(wish_once or {})}
        width = self.width()
        wish |= dict.fromkeys(self._hidden, False)
        left = wish["left"] and (width >= self._from("left") or "left" in self._forced)
        right = wish["right"] and (width >= self._from("right") or "right" in self._forced)
        if left and right and width < self._needs():
            left = "left" in self._forced
            right = not left
        before = (self.is_open("left"), self.is_open("right"))
        self._panes["left"].setVisible(left)
        self._panes["right"].setVisible(right)
        if before != (left, right):
            self.folded.emit()
