"""The badge of an answer: its mode, why it was chosen, and the ways to ask again in another one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from app.core.text.i18n import _
from app.ui.chat.rows.items import Action
from app.ui.chat.rows.row_actions import AskAgainIn
from app.ui.texts import mode_title
from app.ui.theme import Theme
from app.ui.widgets.safe_text import set_safe_tooltip, visible

_AT_HAND = 3


class ModeChip(QToolButton):
    action = Signal(object)
    """A RowAction."""

    def __init__(self, parent: QWidget, theme: Theme, text: str, others: Sequence[Action], *, icon: str = "") -> None:
        """Without others it only says the mode."""
        super().__init__(parent)
        self._others, self._theme = others, theme
        self._full = visible(text)
        self.setObjectName("modeChip")
        self.setProperty("kind", "chip")
        if icon:
            self.setIcon(theme.icon(icon, "muted", 14))
            self.setIconSize(QSize(theme.space(1.75), theme.space(1.75)))
        self.setFont(theme.font("meta"))  # what the width is reckoned from; the style sheet alone changes what is drawn
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setText(self._full.replace("&", "&&"))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(theme.space(5))
        self.setAccessibleName(_("Mode: {mode}").format(mode=text))
        if not others:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            return
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        set_safe_tooltip(self, _("{mode} – click to ask again in another mode").format(mode=text))
        self.clicked.connect(self._show_menu)

    def _show_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for one in self._others:
            entry = QAction(self._theme.icon("refresh"), visible(one.label), menu)
            entry.triggered.connect(partial(self.action.emit, one.what))
            menu.addAction(entry)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))


class AgainButtons(QWidget):
    """One press asks again in that mode. Further modes, of plug-ins, stand in the menu of the badge."""

    action = Signal(object)
    """A RowAction."""

    def __init__(self, parent: QWidget, theme: Theme, others: Sequence[Action]) -> None:
        super().__init__(parent)
        self._theme, self._others = theme, others[:_AT_HAND]
        self.hide()

    def setVisible(self, visible: bool) -> None:
        if visible and self.layout() is None:  # with the first look: most answers are scrolled by
            box = QHBoxLayout(self)
            box.setContentsMargins(0, 0, 0, 0)
            box.setSpacing(self._theme.space(0.25))
            for one in self._others:
                box.addWidget(self._button(self._theme, one))
        super().setVisible(visible)

    def _button(self, theme: Theme, one: Action) -> QToolButton:
        mode = one.what.mode if isinstance(one.what, AskAgainIn) else ""
        button = QToolButton(self)
        button.setObjectName(f"again-{mode}")
        button.setProperty("kind", "small")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIcon(theme.icon("refresh"))
        button.setIconSize(QSize(theme.space(1.5), theme.space(1.5)))
        button.setText(visible(mode_title(mode)).replace("&", "&&"))
        button.setAccessibleName(one.label)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_safe_tooltip(button, one.label)
        button.clicked.connect(partial(self.action.emit, one.what))
        return button
