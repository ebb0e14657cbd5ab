"""A row of controls that continues in the next line where the width ends."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    def __init__(self, spacing: int, parent: QWidget | None = None, *, is_centred: bool = False) -> None:
        """`is_centred`: in the middle of the height it is given; else at its top."""
        super().__init__(parent)
        self._is_centred = is_centred
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

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
        left, top, line = rect.left(), rect.top(), 0
        placed: list[tuple[QLayoutItem, QPoint, QSize]] = []
        """Of the line, which is placed when its height is known: what is lower stands in its middle."""
        for item in self._items:
            if item.isEmpty():
                continue
            hint = item.sizeHint()
            if left > rect.left() and left + hint.width() > rect.right() + 1:
                _put(() if is_trial else placed, line)
                placed.clear()
                left, top, line = rect.left(), top + line + self.spacing(), 0
            placed.append((item, QPoint(left, top), hint))
            left += hint.width() + self.spacing()
            line = max(line, hint.height())
        _put(() if is_trial else placed, line)
        return top + line - rect.top()


def _put(items: Sequence[tuple[QLayoutItem, QPoint, QSize]], line: int) -> None:
    for item, place, size in items:
        item.setGeometry(QRect(place + QPoint(0, (line - size.height()) // 2), size))
