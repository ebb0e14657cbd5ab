"""What the command palette offers: every command, and modes, agents and sessions by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from app.core.text.i18n import _
from app.ui.actions import COMMANDS
from app.ui.main_window.palette.palette import Palette, PaletteEntry
from app.ui.sessions.model import session_title
from app.ui.texts import mode_title

if TYPE_CHECKING:
    from app.services.settings.settings import SettingsService
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.session_list.navigator import Navigator
    from app.ui.sessions.panel import SessionsPanel
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.fields.mode_selector import ModeSelector

_NATIVE = QKeySequence.SequenceFormat.NativeText


class PaletteController(QObject):
    def __init__(
        self,
        parent: DialogParent,
        panel: SessionsPanel,
        modes: ModeSelector,
        actions: Mapping[str, QAction],
        *,
        view: SessionController,
        navigator: Navigator,
        settings: SettingsService,
    ) -> None:
        super().__init__(parent)
        self._parent, self._panel, self._modes, self._actions = parent, panel, modes, actions
        self._view, self._navigator, self._settings = view, navigator, settings

    def open(self) -> None:
        palette = Palette(self._parent.theme, [*command_entries(self._actions), *self._places()], self._parent)
        palette.open()
        palette.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _places(self) -> list[PaletteEntry]:
        """Where one goes to by name."""
        modes = [
            PaletteEntry(mode_title(id), _("Mode"), partial(self._view.choices.choose_mode, id), "bolt")
            for id in self._modes.modes()
        ]
        agents = [
            PaletteEntry(one.title, _("Agent"), partial(self._view.new, one.id), one.icon)
            for one in self._settings.profiles()
            if not one.helper
        ]
        sessions = [
            PaletteEntry(session_title(row), _("Session"), partial(self._navigator.open, row.id), "book")
            for row in self._panel.model.rows.values()
        ]
        return [*modes, *agents, *sessions]


def command_entries(actions: Mapping[str, QAction]) -> list[PaletteEntry]:
    return [
        PaletteEntry(
            actions[one.id].text(),
            _("Command"),
            actions[one.id].trigger,
            one.icon or "chevron-right",
            actions[one.id].shortcut().toString(_NATIVE),
        )
        for one in COMMANDS
        if one.id in actions and not one.is_numbered and one.id != "palette"
    ]
