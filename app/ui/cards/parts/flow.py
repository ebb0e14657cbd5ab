"""A row of buttons that continues in the next line where there is no room; what follows a gap is at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import Theme


class Flow(QWidget):
    def __init__(self, parts: Sequence[QWidget | None], theme: Theme) -> None:
        """None is the gap."""
        super().__init__()
        gap = parts.index(None) if None in parts else len(parts)
        self._left = [part for part in parts[:gap] if part is not None]
        self._right = [part for part in parts[gap:] if part is not None]
        self._gap = theme.space(1)
        for part in (*self._left, *self._right):
            part.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(width, move=False)

    def sizeHint(self) -> QSize:
        parts = (*self._left, *self._right)
        wide = sum(self._size(part).width() for part in parts) + self._gap * max(0, len(parts) - 1)
        return QSize(wide, self.heightForWidth(self.width() or wide))

    def minimumSizeHint(self) -> QSize:
        wide = max((self._size(part).width() for part in (*self._left, *self._right)), default=0)
        return QSize(wide, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(self.width(), move=True)

    @staticmethod
    def _size(part: QWidget) -> QSize:
        part.ensurePolished()
        return part.sizeHint().expandedTo(part.minimumSize())  # a fixed height is a minimum that no hint knows of

    def _arrange(self, width: int, *, move: bool) -> int:
        """The height; with `move` everything is put in its place."""
        x = y = line = 0
        for part in self._left:
            size = self._size(part)
            if x and x + size.width() > width:
                x, y, line = 0, y + line + self._gap, 0
            if move:
                part.setGeometry(x, y, min(size.width(), width), size.height())
            x, line = x + size.width() + self._gap, max(line, size.height())
        wanted = sum(self._size(part).width() for part in self._right)
        if wanted and x + wanted > width and x:
            x, y, line = 0, y + line + self._gap, 0
        x, tallest = max(0, width - wanted), max((self._size(part).height() for part in self._right), default=0)
        line = max(line, tallest)
        for part in self._right:
            size = self._size(part)
            if move:
                part.setGeometry(x, y + (line - size.height()) // 2, size.width(), size.height())
            x += size.width()
        return y + line
