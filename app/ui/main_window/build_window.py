"""Makes the desk piece by piece: the window gets its turn in between, for somebody may be typing already."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.ui.cards import make_card
from app.ui.chat.view import ChatView
from app.ui.main_window.session.remote_pictures import offer_to_load
from app.ui.main_window.session.written_files import WrittenFiles
from app.ui.main_window.window_controller import WindowController
from app.ui.reasoning import ReasoningPane
from app.ui.render.parts.pictures import PictureLoader
from app.ui.tasks import TURN_SECONDS

if TYPE_CHECKING:
    from app.services.container import Services
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks


async def make_desk(
    window: MainWindow, services: Services, tasks: Tasks, *, set_zoom: Callable[[int], None]
) -> WindowController:
    """As `WindowController`, which gets its two great views from here."""

    def answer(words: str) -> None:
        desk.answer(words)

    pictures = PictureLoader(services.attachments.content, tasks.spawn, window, fetch=services.remote_pictures.load)
    offer_to_load(window, pictures, tasks)
    files = WrittenFiles(window, tasks)
    chat = ChatView(
        window.theme,
        make_card=lambda display, parent: make_card(
            display, window.theme, parent, answer=answer, pictures=pictures, files=files
        ),
        pictures=pictures,
    )
    await asyncio.sleep(TURN_SECONDS)
    reasoning = ReasoningPane(window.theme, spawn=tasks.spawn)
    await asyncio.sleep(TURN_SECONDS)
    desk = WindowController(window, services, tasks, chat, reasoning, set_zoom=set_zoom)
    return desk
