"""A field to search in; also its clear button can be heard."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from app.core.i18n import _


class SearchField(QLineEdit):
    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        """`text` says what is searched: placeholder and accessible name."""
        super().__init__(parent)
        self.setPlaceholderText(text)
        self.setAccessibleName(text)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(_("Clear the search"))
