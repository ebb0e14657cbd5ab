"""What the application asks of the services, by name. Here alone it knows them all, to hand them to the window."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from app.core.text.i18n import _
from app.ui.application.data_opening import DataOpening
from app.ui.main_window.compose import compose_window
from app.ui.texts import fault_text

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
        self.data_folder, self.chat, self.local_api = services.data_folder, services.chat, services.local_api

    def data_opening(self, window: MainWindow, tasks: Tasks) -> DataOpening:
        backups = self.services.backups
        return DataOpening(window, tasks, lifecycle=self.lifecycle, sessions=self.sessions, backups=backups)

    async def window_controller(self, window: MainWindow, tasks: Tasks) -> WindowController:
        return await compose_window(window, self.services, tasks)

    async def warm_up(self, controller: WindowController, *, serves: bool) -> None:
        """Once questions can be sent. With `serves` other programs are answered too, where the person wants it."""
        if serves:
            await self.local_api.begin()
        if (fault := self.local_api.fault) is not None:
            words = _("The local API is not there: {why}").format(why=fault_text(fault))
            controller.window.notice.tell(words, "warn")
        await controller.warm_up()

    async def stop_runs(self) -> None:
        """Those of the window, and those that other programs wait for."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self.local_api.stop())
            both.create_task(self.chat.active.stop_all())

    async def close(self) -> None:
        await self.services.close()
