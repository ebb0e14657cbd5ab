"""A row of controls that continues in the next line where the width ends."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    def __init__(self, spacing: int, parent: QWidget | None = None, *, is_centred: bool = False) -> None:
        """`is_centred`: in the middle of the height it is given; else at its top."""
        super().__init__(parent)
        self._is_centred = is_centred
        self._items: list[QLayoutItem] = []
        self._growing: set[QWidget] = set()
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def add_growing(self, widget: QWidget) -> None:
        """It gets what its line leaves."""
        self._growing.add(widget)
        self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal if self._growing else Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), is_trial=True)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        spare = rect.height() - self.heightForWidth(rect.width()) if self._is_centred else 0
        self._place(rect.translated(0, max(0, spare // 2)), is_trial=False)

    def sizeHint(self) -> QSize:
        """All in one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in sizes) + self.spacing() * max(0, len(sizes) - 1)
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, is_trial: bool) -> int:
        top = rect.top()
        for line in self._lines(rect.width()):
            widths = self._widths(line, rect.width())
            heights = [
                item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
                for item, width in zip(line, widths, strict=True)
            ]
            high, left = max(heights), rect.left()
            for item, width, height in zip(line, widths, heights, strict=True):
                if not is_trial:  # what is lower than its line stands in its middle
                    item.setGeometry(QRect(QPoint(left, top + (high - height) // 2), QSize(width, height)))
                left += width + self.spacing()
            top += high + self.spacing()
        return max(0, top - self.spacing() - rect.top())

    def _lines(self, room: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        left = 0
        for item in self._items:
            if item.isEmpty():
                continue
            width = item.sizeHint().width()
            if not lines or left + width > room:
                lines.append([])
                left = 0
            lines[-1].append(item)
            left += width + self.spacing()
        return lines

    def _widths(self, line: Sequence[QLayoutItem], room: int) -> list[int]:
        """None wider than the whole line: what is, is wrapped or elided."""
        widths = [min(item.sizeHint().width(), room) for item in line]
        growing = [place for place, item in enumerate(line) if item.widget() in self._growing]
        spare = room - sum(widths) - self.spacing() * (len(line) - 1)
        for place in growing:
            widths[place] += max(0, spare) // len(growing)
        return widths


class FlowRow(QWidget):
    """A widget that is such a row. A flow inside another layout, without a widget of its own, loses its items: Qt for
    Python may hand back items that are gone."""

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self._flow = FlowLayout(spacing, self)

    def add(self, widget: QWidget) -> None:
        self._flow.addWidget(widget)

    def add_growing(self, widget: QWidget) -> None:
        """It gets what its line leaves."""
        self._flow.add_growing(widget)


class FieldRow(QWidget):
    """A title, its field, which takes the room there is, and its buttons. Without room the title stands above them."""

    def __init__(self, spacing: int, title: QLabel, field: QWidget, *buttons: QWidget) -> None:
        super().__init__()
        title.setBuddy(field.focusProxy() or field)
        beside = QWidget()
        inner = FlowLayout(spacing, beside)
        inner.add_growing(field)
        for button in buttons:
            inner.addWidget(button)
        outer = FlowLayout(spacing, self)
        outer.addWidget(title)
        outer.add_growing(beside)


def together(spacing: int, *widgets: QWidget) -> QWidget:
    """One item of a flow: these stay in one line. What wraps or elides among them gives way."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(spacing)
    for widget in widgets:
        row.addWidget(widget, 1 if widget.hasHeightForWidth() else 0)
    return holder
