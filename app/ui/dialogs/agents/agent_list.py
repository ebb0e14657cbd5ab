"""The agents on the left of the settings: choose, new, duplicate, import, export, reset, delete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.profile import AgentProfile
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.side_list import SideList, SideRow


class AgentList(SideList):
    wanted = Signal(str)
    """new, duplicate, import, export, reset or delete, of the selected one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self.buttons = {
            "new": IconButton(theme, "plus", _("New agent")),
            "duplicate": IconButton(theme, "copy", _("Duplicate this agent")),
            "import": IconButton(theme, "upload", _("Import an agent")),
            "export": IconButton(theme, "download", _("Export this agent")),
            "reset": IconButton(theme, "undo", _("Reset to the built-in settings")),
            "delete": IconButton(theme, "trash", _("Delete this agent")),
        }
        super().__init__(theme, _("Agents"), "agentList", self.buttons.values(), parent)
        for id, button in self.buttons.items():
            button.clicked.connect(partial(self._want, id))

    def show_profiles(
        self, profiles: Sequence[AgentProfile], *, is_changed: Callable[[str], bool], is_builtin: Callable[[str], bool]
    ) -> None:
        self._is_changed, self._is_builtin = is_changed, is_builtin
        self.show_rows([SideRow(one.id, self._title(one), one.icon) for one in profiles])

    def select(self, id: str) -> None:
        super().select(id)
        self.buttons["reset"].setEnabled(bool(id) and self._is_changed(id))
        self.buttons["delete"].setEnabled(bool(id) and not self._is_builtin(id))
        for button in ("duplicate", "export"):
            self.buttons[button].setEnabled(bool(id))

    def _title(self, profile: AgentProfile) -> str:
        return _("{name} (changed)").format(name=profile.title) if self._is_changed(profile.id) else profile.title

    def _want(self, what: str, _checked: bool = False) -> None:
        self.wanted.emit(what)
