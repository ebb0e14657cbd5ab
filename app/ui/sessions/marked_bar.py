"""Below the list while several sessions are marked: how many, and what can be done with them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel


class MarkedBar(QWidget):
    asked = Signal(str)
    """`folder`, `archive`, `export`, `delete` or `clear`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("markedBar")
        self._told = SafeLabel(role="meta", parent=self)
        self._buttons = {
            what: IconButton(theme, icon, text, self)
            for what, icon, text in (
                ("folder", "folder", _("Move to folder")),
                ("archive", "archive", _("Archive")),
                ("export", "download", _("Export…")),
                ("delete", "trash", _("Move to bin")),
                ("clear", "x", _("Unmark")),
            )
        }
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space(2.25), 0, theme.space(1), 0)
        row.setSpacing(theme.space(0.5))
        row.addWidget(self._told, 1)
        for what, button in self._buttons.items():
            button.clicked.connect(partial(self.asked.emit, what))
            row.addWidget(button)
        self.hide()

    def button(self, what: str) -> IconButton:
        return self._buttons[what]

    def tell(self, count: int, *, may_move: bool) -> None:
        """`may_move`: none of them is temporary."""
        self._told.setText(ngettext("{n} marked", "{n} marked", count).format(n=count))
        for what in ("folder", "archive"):
            self._buttons[what].setVisible(may_move)
        self.setVisible(count > 1)

    def set_theme(self, theme: Theme) -> None:
        for what, icon in zip(self._buttons, ("folder", "archive", "download", "trash", "x"), strict=True):
            self._buttons[what].set_icon(theme, icon)
