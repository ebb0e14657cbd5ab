"""What the command palette offers: every command, and modes, agents and sessions by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

from app.core.text.i18n import _
from app.ui.actions import COMMANDS
from app.ui.main_window.palette.palette import PaletteEntry
from app.ui.sessions.model import session_title
from app.ui.texts import mode_title

if TYPE_CHECKING:
    from app.services.container import Services
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.window import MainWindow

_NATIVE = QKeySequence.SequenceFormat.NativeText


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
        if one.id in actions and not one.argument and one.id != "palette"
    ]


def place_entries(
    window: MainWindow, services: Services, conversation: SessionController, open_session: Callable[[str], None]
) -> list[PaletteEntry]:
    """Where one goes to by name."""
    modes = [
        PaletteEntry(mode_title(id), _("Mode"), partial(conversation.choices.choose_mode, id), "bolt")
        for id in window.modes.modes()
    ]
    agents = [
        PaletteEntry(one.title, _("Agent"), partial(conversation.new, one.id), one.icon)
        for one in services.settings.profiles()
    ]
    sessions = [
        PaletteEntry(session_title(row), _("Session"), partial(open_session, row.id), "book")
        for row in window.sessions.model.all_rows()
    ]
    return [*modes, *agents, *sessions]
