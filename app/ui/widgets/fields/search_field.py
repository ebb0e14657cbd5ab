"""A field to search in; also its clear button can be heard, and has an icon of ours."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme


class SearchField(QLineEdit):
    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        """`text` says what is searched: placeholder and accessible name."""
        super().__init__(parent)
        self.setPlaceholderText(text)
        self.setAccessibleName(text)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(_("Clear the search"))
        self.set_theme(theme)

    def take_escape(self) -> bool:
        """Whether there was a search to give up."""
        had_text = bool(self.text())
        self.clear()
        return had_text

    def set_theme(self, theme: Theme) -> None:
        dress_clear_button(self, theme)


def dress_clear_button(field: QWidget, theme: Theme) -> None:
    """The icon Qt brings is dark in either theme."""
    for action in field.findChildren(QAction, "_q_qlineeditclearaction"):
        action.setIcon(theme.icon("x"))
