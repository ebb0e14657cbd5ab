"""The badge of an answer: its mode, why it was chosen, and a menu to ask again in another one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from app.core.i18n import _
from app.ui.chat.rows.items import Action
from app.ui.theme import Theme
from app.ui.widgets.safe_text import set_safe_tooltip, visible


class ModeChip(QToolButton):
    action = Signal(str)

    def __init__(self, parent: QWidget, theme: Theme, text: str, others: Sequence[Action]) -> None:
        super().__init__(parent)
        self._others, self._theme = others, theme
        self._full = visible(text)
        self.setObjectName("modeChip")
        self.setProperty("kind", "chip")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setText(self._full.replace("&", "&&"))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(theme.space(5))
        self.setAccessibleName(_("Mode: {mode}").format(mode=text))
        set_safe_tooltip(self, _("{mode} – click to ask again in another mode").format(mode=text))
        self.clicked.connect(lambda _checked=False: self._show_menu())

    def _show_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for one in self._others:
            entry = QAction(self._theme.icon("refresh"), visible(one.label), menu)
            entry.triggered.connect(lambda _checked=False, name=one.id: self.action.emit(name))
            menu.addAction(entry)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))
