"""Everything of the window that needs services, made after the first paint (`compose`)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from app.ui.chat.rows.items import AssistantRow, TextPart
from app.ui.main_window.menu_icons import dress
from app.ui.render.warm import warm_up

if TYPE_CHECKING:
    from app.services.providers.models import ModelService
    from app.services.tools.service import ToolService
    from app.ui.actions import WindowActions
    from app.ui.chat.find import FindBar
    from app.ui.chat.view import ChatView
    from app.ui.main_window.controls.zoom import Zoom
    from app.ui.main_window.dialogs.settings import SettingsController
    from app.ui.main_window.notices.notifier import Notifier
    from app.ui.main_window.session.bars.memory_bar import MemoryBar
    from app.ui.main_window.session.bars.timer_strip import TimerStrip
    from app.ui.main_window.session.folder import FolderController
    from app.ui.main_window.session.save_status import SaveStatus
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.session_actions.page import PageController
    from app.ui.main_window.session_actions.questions import QuestionController
    from app.ui.main_window.session_list.controller import SessionList
    from app.ui.main_window.session_list.navigator import Navigator
    from app.ui.main_window.session_list.transfer import TransferController
    from app.ui.main_window.start import StartController
    from app.ui.main_window.welcome import Welcome
    from app.ui.main_window.window import MainWindow
    from app.ui.reasoning import ReasoningPane
    from app.ui.theme import Theme


class Closing(Protocol):
    def close(self) -> None: ...


@dataclass(frozen=True)
class WindowController:
    """The parts of the window by their names, begun, dressed and closed together."""

    window: MainWindow
    actions: WindowActions
    chat: ChatView
    reasoning: ReasoningPane
    find: FindBar
    conversation: SessionController
    questions: QuestionController
    navigator: Navigator
    sessions: SessionList
    transfer: TransferController
    settings: SettingsController
    welcome: Welcome
    memory_bar: MemoryBar
    timer_strip: TimerStrip
    folder: FolderController
    page: PageController
    notifier: Notifier
    saving: SaveStatus
    start: StartController
    zoom: Zoom
    models: ModelService
    tools: ToolService
    closing: tuple[Closing, ...]
    """What listens to services, in the order it is to let go."""

    async def warm_up(self) -> None:
        """What the first answer needs is loaded while the person still types."""
        await self.reasoning.make_views()
        await asyncio.to_thread(warm_up)
        await self.models.warm_up()

    def answers(self) -> list[str]:
        """The visible text of every answer in the chat, oldest first."""
        rows = [row for row in self.chat.rows() if isinstance(row, AssistantRow)]
        return ["".join(part.text for part in row.parts if isinstance(part, TextPart)) for row in rows]

    def set_theme(self, theme: Theme) -> None:
        self.chat.set_theme(theme)
        self.reasoning.set_theme(theme)
        self.conversation.queue.bar.set_theme(theme)
        self.conversation.run.plan.set_theme(theme)
        self.find.set_theme(theme)
        dress(self.actions, theme)
        self.memory_bar.set_theme(theme)
        self.timer_strip.set_theme(theme)
        self.folder.set_theme()
        self.page.set_theme()
        self.welcome.set_theme()

    def close(self) -> None:
        """Nothing is heard or followed any more; what runs is for the services to end."""
        self.window.composer.flush_draft()
        for one in self.closing:
            one.close()
        self.chat.close_down()
