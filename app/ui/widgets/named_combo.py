"""A drop-down whose purpose is heard as well as what is chosen."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QWidget


class NamedCombo(QComboBox):
    """On Linux Qt says what is chosen for the name, so the purpose is at the head of the description too."""

    _help = ""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The style sheet reaches the rows of the list only through this one.
        self.setItemDelegate(QStyledItemDelegate(self))

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        if (field := self.lineEdit()) is not None:
            field.setAccessibleName(name)
        self.setAccessibleDescription(self._help)

    def setAccessibleDescription(self, help: str) -> None:
        self._help = help
        super().setAccessibleDescription(". ".join(filter(None, (self.accessibleName(), help))))
