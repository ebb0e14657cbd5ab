"""A drop-down whose purpose is heard as well as what is chosen."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QWidget

_LEAST = 14
"""Letters of what is chosen that are seen in the narrowest place."""


class NamedCombo(QComboBox):
    """On Linux Qt says what is chosen for the name, so the purpose is at the head of the description too."""

    _help = ""
    _wanted = 0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The style sheet reaches the rows of the list only through this one.
        self.setItemDelegate(QStyledItemDelegate(self))

    def prefer_width(self, width: int, *, is_most: bool = False) -> None:
        """At least so many pixels where there is room, or just as many (`is_most`)."""
        self._wanted = width
        if is_most:
            self.setMaximumWidth(width)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(self._wanted, 0))

    def minimumSizeHint(self) -> QSize:
        """Where there is no room for its longest line, that is elided."""
        least = super().minimumSizeHint()
        return QSize(min(least.width(), self.fontMetrics().averageCharWidth() * _LEAST), least.height())

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        if (field := self.lineEdit()) is not None:
            field.setAccessibleName(name)
        self.setAccessibleDescription(self._help)

    def setAccessibleDescription(self, help: str) -> None:
        self._help = help
        super().setAccessibleDescription(". ".join(filter(None, (self.accessibleName(), help))))
