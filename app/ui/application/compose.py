"""What the application asks of the services, by name. Here alone it knows them all, to hand them to the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.ui.application.data_opening import DataOpening
from app.ui.main_window.compose import compose_window

if TYPE_CHECKING:
    from app.services.container import Services
    from app.ui.main_window import MainWindow
    from app.ui.main_window.window_controller import WindowController
    from app.ui.tasks import Tasks


class Composition:
    def __init__(self, services: Services) -> None:
        self.services = services
        """For who drives the window from outside."""
        self.lifecycle, self.settings, self.sessions = services.lifecycle, services.settings, services.sessions
        self.data_folder, self.chat = services.data_folder, services.chat

    def data_opening(self, window: MainWindow, tasks: Tasks) -> DataOpening:
        backups = self.services.backups
        return DataOpening(window, tasks, lifecycle=self.lifecycle, sessions=self.sessions, backups=backups)

    async def window_controller(self, window: MainWindow, tasks: Tasks) -> WindowController:
        return await compose_window(window, self.services, tasks)

    async def close(self) -> None:
        await self.services.close()
