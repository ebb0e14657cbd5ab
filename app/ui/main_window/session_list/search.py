"""The search over all sessions, and the way from a hit to its place."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from app.ui.dialogs.data.search_all import SearchDialog
from app.ui.texts import mode_title

if TYPE_CHECKING:
    from app.services.container import Services
    from app.ui.chat.find import FindBar
    from app.ui.chat.view import ChatView
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks

Hit = Callable[[str, str, str], Coroutine[Any, Any, None]]


def open_search(window: MainWindow, services: Services, tasks: Tasks, on_hit: Hit) -> None:
    """`on_hit` is given session, message and the words that were looked for."""
    dialog = SearchDialog(
        services.search,
        window.theme,
        agents={profile.id: profile.title for profile in services.settings.profiles()},
        modes={id: mode_title(id) for id in window.modes.modes()},
        spawn=tasks.spawn,
        parent=window,
    )
    dialog.chosen.connect(lambda *hit: tasks.spawn(on_hit(*hit)))
    dialog.open()
    dialog.field.setFocus(Qt.FocusReason.PopupFocusReason)


async def go_to_hit(
    conversation: SessionController, chat: ChatView, find: FindBar, id: str, message: str, words: str
) -> None:
    row = conversation.row
    if row is None or row.id != id:
        await conversation.open(id)
    if message and message in chat.keys():  # noqa: SIM118  a method of the view
        find.open_at(words.strip('"'), message)
