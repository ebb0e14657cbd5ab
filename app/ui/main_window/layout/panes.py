"""Three panes side by side: who is shown at which width, and how wide each one is.

The person's wish for a pane is remembered; a narrow window overrides it, first for the right
pane, then for the left. Asking for a pane in a narrow window slides it over the chat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QByteArray, QSettings, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from app.ui.main_window.layout.slide_over import SlideOver

Side = Literal["left", "right"]
RIGHT_FROM, LEFT_FROM = 1200, 900
"""Window widths below which the right and the left pane have no place beside the chat."""
LEFT_MIN, CENTRE_MIN, RIGHT_MIN = 200, 340, 260
_CENTRE_MOST = 420
"""The smallest window: in it the centre fits at any zoom, with less of everything."""
_LEFT, _CENTRE, _RIGHT = range(3)
_WIDTHS = (264, 820, 320)


class Panes(QSplitter):
    folded = Signal()
    """A pane appeared or went."""

    def __init__(self, left: QWidget, centre: QWidget, right: QWidget, settings: QSettings) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._settings = settings
        self._panes: dict[Side, QWidget] = {"left": left, "right": right}
        self._places: dict[Side, QWidget] = {"left": _place_of(left), "right": _place_of(right)}
        """Where they stand beside the chat."""
        self._over: SlideOver | None = None
        self._slid: Side | None = None
        """Over the chat just now."""
        self._wish: dict[Side, bool] = {
            "left": settings.value("panes/left", "true") != "false",
            "right": settings.value("panes/right", "true") != "false",
        }
        self._hidden: set[Side] = set()
        """Shut by a setting for now; the person's own wish is not touched."""
        self._zoom = 1.0
        self._centre_needs = CENTRE_MIN
        self._all = (self._places["left"], centre, self._places["right"])
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
        self._arrange()

    def set_centre(self, width: int = CENTRE_MIN) -> None:
        """How much room the centre needs, before zoom: with more than the chat in it the panes fold earlier."""
        self._centre_needs = width
        self._arrange()

    def is_open(self, side: Side) -> bool:
        return side == self._slid or not self._places[side].isHidden()

    def toggle(self, side: Side) -> None:
        self.ask(side, not self.is_open(side))

    def toggle_left(self) -> None:
        self.toggle("left")

    def toggle_right(self) -> None:
        self.toggle("right")

    def ask(self, side: Side, is_open: bool, *, remember: bool = True) -> None:
        """The person wants the pane open or shut. Over the chat that holds until it is put away."""
        if not self._has_room(side):
            self._slide(side if is_open else None)
            return
        self._hidden.discard(side)
        if remember:
            self._wish[side] = is_open
        self._arrange(wish_once={side: is_open})

    def put_away(self) -> None:
        """What lies over the chat."""
        self._slide(None)

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
        super().resizeEvent(event)
        self._arrange()
        if self._over is not None and self._slid is not None:
            self._over.fit(self.geometry())

    def _has_room(self, side: Side) -> bool:
        return self.width() >= self._from(side)

    def _from(self, side: Side) -> float:
        """The window's width from which on the pane has room."""
        if side == "left":
            return max(LEFT_FROM, (LEFT_MIN + self._centre_needs) * self._zoom)
        return max(RIGHT_FROM, (LEFT_MIN + self._centre_needs + RIGHT_MIN) * self._zoom)

    def _arrange(self, wish_once: dict[Side, bool] | None = None) -> None:
        if self._slid is not None and self._has_room(self._slid):
            self._slide(None)
        wish = {**self._wish, **(wish_once or {}), **dict.fromkeys(self._hidden, False)}
        before = (self.is_open("left"), self.is_open("right"))
        for side, place in self._places.items():
            place.setVisible(wish[side] and self._has_room(side))
        if before != (self.is_open("left"), self.is_open("right")):
            self.folded.emit()

    def _slide(self, side: Side | None) -> None:
        """That pane alone over the chat; None: neither."""
        if side == self._slid:
            return
        before, self._slid = self._slid, side
        if before is not None and self._over is not None:
            layout = self._places[before].layout()
            assert layout is not None, "it was made with one"
            layout.addWidget(self._panes[before])
            self._over.end()
        if side is not None:
            over = self._shown_over()
            is_right = side == "right"
            over.show_pane(self._panes[side], self.geometry(), from_right=is_right, zoom=self._zoom)
        self.folded.emit()

    def _shown_over(self) -> SlideOver:
        if self._over is None:
            from app.ui.main_window.layout.slide_over import SlideOver  # not before the first paint

            host = self.parentWidget()
            assert host is not None, "it stands in a window"
            self._over = SlideOver(host)
            self._over.put_away.connect(self.put_away)
        return self._over


def _place_of(pane: QWidget) -> QWidget:
    place = QWidget()
    layout = QVBoxLayout(place)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(pane)
    return place
