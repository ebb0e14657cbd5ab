"""A list of widgets of different heights, of which only those in sight exist.

The owner says how many rows there are, guesses heights and builds widgets. Measured heights
replace the guesses; what is in sight stays where it is when something above it turns out higher
or lower. At the bottom the list follows what is added; scrolling up ends that, until the person
comes back to the bottom.

Long because making, measuring and placing rows share one set of heights and one place that is kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app.ui.chat.heights import Heights
from app.ui.chat.rows_ahead import RowsAhead
from app.ui.widgets.disposal import Disposal
from app.ui.widgets.layout.viewport import viewport_of
from app.ui.widgets.spoken_role import Role, speak_as

MARGIN = 200
"""Pixels above and below the viewport in which rows are built as well."""

KEPT = 40
"""So many rows stay built after they went out of sight."""

KEPT_PIXELS = 60_000
"""And no more than so many pixels of them: an answer of fifty pages is a thousand widgets."""

REMEMBERED = 100_000
"""Measured heights; what was not seen for long is guessed again."""

EDGE = 16
"""Pixels above the first and below the last row."""

_AT_BOTTOM = 4
_STRIP = 64
_LINE = 40


class RowWidget(Protocol):
    """What the list needs of a row; the widget itself is a QWidget."""

    def wanted(self, width: int) -> int: ...


class RowSource(Protocol):
    def keys(self) -> Sequence[str]:
        """Name of each row, in order; unique."""
        ...

    def guess(self, key: str, width: int) -> int: ...

    def prepare(self, key: str) -> bool:
        """Work that `build` would do at once otherwise; False where there is none, or it is done."""
        ...

    def build(self, key: str, parent: QWidget) -> QWidget:
        """A new widget with a `wanted(width) -> int`."""
        ...


class VirtualList(QAbstractScrollArea):
    at_bottom_changed = Signal(bool)
    row_dropped = Signal(QWidget)
    """The widget of a row, before it is deleted."""

    def __init__(self, source: RowSource, parent: QWidget | None = None, *, column: int = 740, pad: int = 24) -> None:
        super().__init__(parent)
        speak_as(self, Role.List)
        self.setObjectName("chatList")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._page = viewport_of(self)
        self._page.setAutoFillBackground(True)
        self.column = column
        self._pad = pad
        self._source = source
        self._keys: list[str] = []
        self._index: dict[str, int] = {}
        self._heights = Heights()
        self._built: OrderedDict[str, QWidget] = OrderedDict()
        self._seen: set[str] = set()
        self._fresh: set[str] = set()
        """Rows whose height is measured at the present width."""
        self._ahead_heights: dict[str, int] = {}
        """The same of rows out of sight, which keep their guess until they come: the scroll bar rests."""
        self._measured: dict[tuple[str, int], int] = {}
        """Heights by row and width, also of rows of other sessions: with them the scroll bar is exact at once."""
        self._width = 0
        self._stick = True
        self._busy = False
        self.pinned = ""
        """A row that is not forgotten, e.g. because the mouse was pressed in it."""
        self._disposal = Disposal(self)
        self._ahead = RowsAhead(self, self)
        self._at = 0
        """Where the rows were placed last."""
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().setSingleStep(_LINE)

    # -- what the owner calls

    def reset(self) -> None:
        """All rows are new: build from the source, at the bottom."""
        self._drop_all()
        if len(self._measured) > REMEMBERED:
            self._measured.clear()
        self._keys = list(self._source.keys())
        self._renumber()
        self._width = self.column_width()
        self._heights = Heights(self._height_of(key) for key in self._keys)
        self._set_stick(True)
        self.relayout()

    def rebuild(self) -> None:
        """Same rows, new looks (theme, zoom): build those in sight anew and keep the place."""
        self._drop_all()
        self._measured.clear()
        self.relayout()

    def appended(self, key: str) -> None:
        self._index[key] = len(self._keys)
        self._keys.append(key)
        self._heights.append(self._source.guess(key, self._width or self.column))
        self.relayout()

    def changed(self) -> None:
        """Rows came or went in the middle: read the keys again, keep heights, widgets and place."""
        heights = dict(zip(self._keys, self._heights.values(), strict=True))
        anchor, offset = self._anchor()
        self._keys = list(self._source.keys())
        self._renumber()
        self._heights = Heights(heights[key] if key in heights else self._height_of(key) for key in self._keys)
        for key in [key for key in self._built if key not in self._index]:
            self._discard(key)
        if anchor in self._index:
            self._go(self._top(self._index[anchor]) + offset)
        self.relayout()

    def replaced(self, key: str) -> None:
        """The widget of this row does not fit any more."""
        if key in self._built:
            self._discard(key)
        self.relayout()

    def height_changed(self, key: str) -> None:
        self._fresh.discard(key)
        self._ahead_heights.pop(key, None)
        if not self._busy:
            self.relayout()

    def widget(self, key: str) -> QWidget | None:
        return self._built.get(key)

    def realised(self) -> dict[str, QWidget]:
        """The rows in sight, top to bottom."""
        return {key: self._built[key] for key in self._keys_in_order(self._seen)}

    def built(self) -> dict[str, QWidget]:
        """The rows that exist, in sight or not."""
        return dict(self._built)

    def built_count(self) -> int:
        return len(self._built)

    def is_at_bottom(self) -> bool:
        return self._stick

    def scroll_to_bottom(self) -> None:
        self._set_stick(True)
        self.relayout()

    def scroll_to_row(self, key: str) -> None:
        if key in self._index:
            self._set_stick(False)
            # The first pass measures what lies there, the second one stands exactly.
            for _pass in range(2):
                self._go(self._top(self._index[key]) - EDGE)
                self.relayout()
            self._stick_if_at_end()

    def place(self) -> tuple[str, int]:
        """The row at the top of what is in sight, and how far it is scrolled out there."""
        return self._anchor()

    def go_to(self, key: str, offset: int) -> None:
        """Back to a place; nothing where that row is gone."""
        if key in self._index:
            self._set_stick(False)
            for _pass in range(2):  # as in `scroll_to_row`
                self._go(self._top(self._index[key]) + offset)
                self.relayout()
            self._stick_if_at_end()

    def column_width(self) -> int:
        return max(120, min(self.column, self._page.width() - 2 * self._pad))

    def margin(self) -> int:
        """What is free at the right of the column."""
        return max(self._pad, (self.width() - self.column_width()) // 2)

    # -- rows beyond those in sight

    def beyond(self, step: int, count: int) -> list[str]:
        places = [self._index[key] for key in self._seen if key in self._index]
        if not places:
            return []
        edge = max(places) if step > 0 else min(places)
        return [self._keys[n] for n in range(edge + step, edge + step * (count + 1), step) if 0 <= n < len(self._keys)]

    def is_measured(self, key: str) -> bool:
        """It exists, and its height at this width is known."""
        return key in self._built and (key in self._fresh or key in self._ahead_heights)

    def make_ahead(self, key: str) -> bool:
        if self._stick or self._busy or self.is_measured(key):
            return False
        if key not in self._built:
            if not self._source.prepare(key):
                self._built[key] = self._source.build(key, self._page)
                self._fresh.discard(key)
            return True
        self._ahead_heights[key] = _wanted(self._built[key], self._width)
        return True

    # -- layout

    def relayout(self) -> None:
        if self._busy:
            return
        self._busy = True
        try:
            self._follow_width()
            seen = self._realise_from_bottom() if self._stick else self._realise_from_anchor()
            self._show(seen)
        finally:
            self._busy = False
        if not self.verticalScrollBar().maximum():
            self._set_stick(True)  # all of it is in sight

    def _follow_width(self) -> None:
        width = self.column_width()
        if width != self._width:
            # Heights of rows out of sight stay as guesses until they come into sight again.
            self._width = width
            self._fresh.clear()
            self._ahead_heights.clear()

    def _realise_from_bottom(self) -> list[str]:
        seen: list[str] = []
        room = self._page.height() + MARGIN
        for key in reversed(self._keys):
            if room <= 0:
                break
            room -= self._measure(key)
            seen.append(key)
        self._set_range()
        self._go(self.verticalScrollBar().maximum())
        return seen[::-1]

    def _realise_from_anchor(self) -> list[str]:
        anchor, offset = self._anchor()
        if anchor not in self._index:
            return []
        start = self._index[anchor]
        seen: list[str] = []
        above = MARGIN - offset
        for index in range(start - 1, -1, -1):
            if above <= 0:
                break
            above -= self._measure(self._keys[index])
            seen.append(self._keys[index])
        seen.reverse()
        room = self._page.height() + MARGIN + offset
        for key in self._keys[start:]:
            if room <= 0:
                break
            room -= self._measure(key)
            seen.append(key)
        self._set_range()
        self._go(self._top(start) + min(offset, self._heights[start] - 1))
        return seen

    def _height_of(self, key: str) -> int:
        """As it was measured once at this width, else a guess."""
        measured = self._measured.get((key, self._width))
        return measured if measured is not None else self._source.guess(key, self._width)

    def _measure(self, key: str) -> int:
        index = self._index[key]
        widget = self._built.get(key)
        if widget is None:
            widget = self._built[key] = self._source.build(key, self._page)
            self._fresh.discard(key)
        self._built.move_to_end(key)
        if key not in self._fresh:
            self._fresh.add(key)
            height = self._ahead_heights.pop(key, None)
            height = _wanted(widget, self._width) if height is None else height
            self._heights[index] = self._measured[key, self._width] = height
        return self._heights[index]

    def _show(self, seen: Sequence[str]) -> None:
        # In the middle of the list, its scroll bar included: what stands below, without one, is in line with it.
        left = max(self._pad, (self.width() - self._width) // 2)
        top = self._at = self.verticalScrollBar().value()
        wanted = set(seen)
        for key in self._seen - wanted:
            if key in self._built:
                self._built[key].hide()
        for key in seen:
            index = self._index[key]
            widget = self._built[key]
            widget.setGeometry(left, self._top(index) - top, self._width, self._heights[index])
            if widget.isHidden():
                widget.show()
        self._seen = wanted
        self._forget_old()

    def _forget_old(self) -> None:
        rows, pixels = KEPT, KEPT_PIXELS
        for key in reversed(tuple(self._built)):
            rows, pixels = rows - 1, pixels - self._heights[self._index[key]]
            if (rows < 0 or pixels < 0) and key not in self._seen and key != self.pinned:
                self._discard(key)

    def _anchor(self) -> tuple[str, int]:
        """The row that keeps its place, and how far it is scrolled out at the top.

        That is the topmost one, unless only a strip of it is left in sight: then its growth
        should push upwards, not move what is read.
        """
        if not self._keys:
            return "", 0
        value = self.verticalScrollBar().value()
        index = self._heights.row_at(value - EDGE)
        if index + 1 < len(self._keys) and self._top(index + 1) - value < _STRIP:
            index += 1
        return self._keys[index], value - self._top(index)

    def _top(self, index: int) -> int:
        return EDGE + self._heights.top(index)

    def _set_range(self) -> None:
        bar, view = self.verticalScrollBar(), self._page.height()
        bar.setRange(0, max(0, self._heights.total() + 2 * EDGE - view))
        bar.setPageStep(max(_LINE, view - _LINE))

    def _go(self, value: int) -> None:
        was, self._busy = self._busy, True
        self.verticalScrollBar().setValue(value)
        self._busy = was

    def _scrolled(self, value: int) -> None:
        if self._busy:
            return
        moved = value - self._at
        self._set_stick(value >= self.verticalScrollBar().maximum() - _AT_BOTTOM)
        self.relayout()
        self._ahead.scrolled(moved)

    def _stick_if_at_end(self) -> None:
        bar = self.verticalScrollBar()
        if bar.value() >= bar.maximum() - _AT_BOTTOM:
            self._set_stick(True)

    def _set_stick(self, stick: bool) -> None:
        if stick != self._stick:
            self._stick = stick
            self.at_bottom_changed.emit(stick)

    # -- rows

    def _renumber(self) -> None:
        self._index = {key: index for index, key in enumerate(self._keys)}

    def _keys_in_order(self, keys: set[str]) -> list[str]:
        return sorted(keys, key=self._index.__getitem__)

    def _discard(self, key: str) -> None:
        row = self._built.pop(key)
        self.row_dropped.emit(row)
        self._disposal.take([row])
        self._seen.discard(key)
        self._fresh.discard(key)
        self._ahead_heights.pop(key, None)

    def _drop_all(self) -> None:
        self._ahead.stop()
        for key in list(self._built):
            self._discard(key)

    # -- Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.relayout()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        """Rows are placed by `relayout`, not shifted."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        bar = self.verticalScrollBar()
        pixels = event.pixelDelta().y() or round(event.angleDelta().y() / 120 * _LINE * 2)
        if pixels:
            bar.setValue(bar.value() - pixels)
            event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        moves = {
            Qt.Key.Key_Up: -_LINE,
            Qt.Key.Key_Down: _LINE,
            Qt.Key.Key_PageUp: -bar.pageStep(),
            Qt.Key.Key_PageDown: bar.pageStep(),
        }
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Home:
            bar.setValue(0)
        elif key == Qt.Key.Key_End:
            self.scroll_to_bottom()
        elif key in moves:
            bar.setValue(bar.value() + moves[key])
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        # Rows are children of the viewport: their wheel events arrive here when they ignore them.
        if isinstance(event, QWheelEvent):
            self.wheelEvent(event)
            return True
        return super().viewportEvent(event)

    def row_at(self, point: QPoint) -> str:
        """The row at a place in the viewport."""
        if not self._keys:
            return ""
        return self._keys[self._heights.row_at(self.verticalScrollBar().value() + point.y() - EDGE)]


def _wanted(widget: QWidget, width: int) -> int:
    # Asked through the protocol; PySide widgets cannot inherit from one.
    row: RowWidget = widget  # type: ignore[assignment]
    return row.wanted(width)
