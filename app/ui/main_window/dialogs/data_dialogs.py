"""The windows about runs: modes and runs compared, a run played again.

Opened by commands; each lies over the window once, as those of `windows`, and is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.services.container import Services
    from app.services.runs.runs import RunRow
    from app.ui.main_window.dialogs.dialog_manager import DialogManager
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.session_actions.rerun import RerunController
    from app.ui.main_window.session_list.controller import SessionList
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks


class DataDialogs:
    def __init__(
        self,
        window: MainWindow,
        services: Services,
        tasks: Tasks,
        windows: DialogManager,
        *,
        conversation: SessionController,
        rerun: RerunController,
        sessions: SessionList,
    ) -> None:
        self._window, self._services, self._tasks, self._windows = window, services, tasks, windows
        self._conversation, self._rerun, self._sessions = conversation, rerun, sessions

    def compare_modes(self) -> None:
        from app.ui.dialogs.data.compare_modes import CompareModesDialog

        self._windows.show(
            "compare_modes",
            lambda: CompareModesDialog(
                self._services.compare,
                self._conversation.choices.agent,
                self._window.theme,
                spawn=self._tasks.spawn,
                on_open=self._open,
                text=self._window.composer.text(),
                parent=self._window,
            ),
        )

    def compare_runs(self) -> None:
        from app.ui.dialogs.data.compare_runs import CompareRunsDialog
        from app.ui.main_window.dialogs.replay import run_title

        faces = self._conversation.choices.faces()
        self._windows.show(
            "compare_runs",
            lambda: CompareRunsDialog(
                self._services.runs,
                self._window.theme,
                spawn=self._tasks.spawn,
                title_of=lambda row: run_title(row, faces),
                parent=self._window,
            ),
        )

    def replay(self) -> None:
        from app.ui.main_window.dialogs.replay import ReplayWindow

        row = self._conversation.row
        self._windows.show(
            "replay",
            lambda: ReplayWindow(
                self._services.runs,
                self._conversation.choices.faces(),
                self._window.theme,
                spawn=self._tasks.spawn,
                session=row.id if row else "",
                on_again=lambda *run: self._tasks.spawn(self._run_again(*run)),
                parent=self._window,
            ),
        )

    async def _run_again(self, run: RunRow, step: int, is_plan_step: bool) -> None:
        """In its session, which comes to sight; a run whose answer is not read there any more is told."""
        if self._conversation.row is None or self._conversation.row.id != run.session:
            await self._conversation.open(run.session)
        await self._rerun.from_step(run.id, step, is_plan_step=is_plan_step)
        self._window.raise_()
        self._window.activateWindow()

    def _open(self, session: str) -> None:
        self._tasks.spawn(self._conversation.open(session), f"open {session}")

    async def reread(self) -> None:
        """After a restore: what is shown may not be there any more."""
        await self._sessions.refresh()
        ids = {row.id for row in await self._services.sessions.rows()}
        row = self._conversation.row
        if row is not None and row.id in ids:
            await self._conversation.open(row.id)
        else:
            self._conversation.new()
