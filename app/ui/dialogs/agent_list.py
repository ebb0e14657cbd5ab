"""The agents on the left of the settings: choose, new, duplicate, import, export, reset, delete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.core.i18n import _
from app.core.profile import AgentProfile
from app.ui.theme import Theme, icon_names
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import visible


class AgentList(QWidget):
    chosen = Signal(str)
    """A person wants to see this one; the list shows it only after `select`."""
    wanted = Signal(str)
    """new, duplicate, import, export, reset or delete, of the selected one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("pane", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._selected = ""
        self.list = QListWidget()
        self.list.setObjectName("agentList")
        self.list.setAccessibleName(_("Agents"))
        self.list.setIconSize(QSize(theme.space(2), theme.space(2)))
        self.list.setSpacing(theme.space(0.25))
        self.list.currentItemChanged.connect(self._choose)
        self.buttons = {
            "new": IconButton(theme, "plus", _("New agent")),
            "duplicate": IconButton(theme, "copy", _("Duplicate this agent")),
            "import": IconButton(theme, "upload", _("Import an agent")),
            "export": IconButton(theme, "download", _("Export this agent")),
            "reset": IconButton(theme, "undo", _("Reset to the built-in settings")),
            "delete": IconButton(theme, "trash", _("Delete this agent")),
        }
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space(0.5))
        for id, button in self.buttons.items():
            button.clicked.connect(partial(self._want, id))
            row.addWidget(button)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(1), theme.space(1.5), theme.space(1), theme.space(1))
        layout.setSpacing(theme.space(1))
        layout.addWidget(self.list, 1)
        layout.addLayout(row)

    def show_profiles(
        self, profiles: Sequence[AgentProfile], *, is_changed: Callable[[str], bool], is_builtin: Callable[[str], bool]
    ) -> None:
        self._is_changed, self._is_builtin = is_changed, is_builtin
        known = set(icon_names())
        self.list.blockSignals(True)
        self.list.clear()
        for profile in profiles:
            icon = self._theme.icon(profile.icon if profile.icon in known else "sparkles", "text")
            title = visible(profile.title)
            if is_changed(profile.id):
                title = _("{name} (changed)").format(name=title)
            item = QListWidgetItem(icon, title)
            item.setData(Qt.ItemDataRole.UserRole, profile.id)
            item.setSizeHint(QSize(0, self._theme.space(4)))
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.select(self._selected)

    def select(self, id: str) -> None:
        self._selected = id
        self.list.blockSignals(True)
        for row in range(self.list.count()):
            if self.list.item(row).data(Qt.ItemDataRole.UserRole) == id:
                self.list.setCurrentRow(row)
        self.list.blockSignals(False)
        self.buttons["reset"].setEnabled(bool(id) and self._is_changed(id))
        self.buttons["delete"].setEnabled(bool(id) and not self._is_builtin(id))
        for button in ("duplicate", "export"):
            self.buttons[button].setEnabled(bool(id))

    def _want(self, what: str, _checked: bool = False) -> None:
        self.wanted.emit(what)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        id = str(item.data(Qt.ItemDataRole.UserRole))
        self.select(self._selected)
        if id != self._selected:
            self.chosen.emit(id)
