"""The windows about runs: modes and runs compared, a run played again.

Opened by commands; each lies over the window once, as those of `windows`, and is imported when it is first asked for.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from app.services.batch.service import BatchService
    from app.services.data.sessions import SessionService
    from app.services.providers.models import ModelService
    from app.services.runs.compare import CompareService
    from app.services.runs.runs import RunRow, RunService
    from app.ui.chat.composer import Composer
    from app.ui.main_window.dialogs.dialog_manager import DialogManager
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.session_actions.rerun import RerunController
    from app.ui.main_window.session_list.controller import SessionList
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent


class DataDialogs(QObject):
    def __init__(
        self,
        parent: DialogParent,
        composer: Composer,
        tasks: Tasks,
        dialogs: DialogManager,
        *,
        conversation: SessionController,
        rerun: RerunController,
        listed: SessionList,
        compare: CompareService,
        batches: BatchService,
        models: ModelService,
        runs: RunService,
        sessions: SessionService,
    ) -> None:
        super().__init__(parent)
        self._parent, self._composer, self._tasks, self._dialogs = parent, composer, tasks, dialogs
        self._conversation, self._rerun, self._listed = conversation, rerun, listed
        self._compare, self._runs, self._sessions = compare, runs, sessions
        self._batches, self._models = batches, models
        rerun.compare_asked.connect(self.compare_two)

    def compare_modes(self) -> None:
        self._dialogs.show("compare_modes", self._modes_compared)

    def try_agent(self) -> None:
        self._dialogs.show("try_agent", self._agent_tried)

    def compare_runs(self) -> None:
        self.compare_two()

    def compare_two(self, left: str = "", right: str = "") -> None:
        """Two runs by their ids; the newest two where none are named."""
        self._dialogs.show("compare_runs", partial(self._runs_compared, left, right))

    def replay(self) -> None:
        self._dialogs.show("replay", self._replayed)

    # ------------------------------------------------------------ inner work

    def _modes_compared(self) -> QDialog:
        from app.ui.dialogs.data.compare_modes import CompareModesDialog

        dialog = CompareModesDialog(
            self._compare,
            self._conversation.choices.agent,
            self._parent.theme,
            spawn=self._tasks.spawn,
            text=self._composer.text(),
            parent=self._parent,
        )
        dialog.open_asked.connect(self._open)
        return dialog

    def _agent_tried(self) -> QDialog:
        from app.ui.dialogs.data.try_agent import TryAgentDialog

        return TryAgentDialog(
            self._batches,
            self._conversation.choices.agent,
            [choice.ref for choice in self._models.choices() if choice.available],
            self._parent.theme,
            spawn=self._tasks.spawn,
            text=self._composer.text(),
            parent=self._parent,
        )

    def _runs_compared(self, left: str, right: str) -> QDialog:
        from app.ui.dialogs.data.compare_runs import CompareRunsDialog
        from app.ui.main_window.dialogs.replay import run_title

        return CompareRunsDialog(
            self._runs,
            self._parent.theme,
            spawn=self._tasks.spawn,
            title_of=partial(run_title, faces=self._conversation.choices.faces()),
            chosen=(left, right),
            parent=self._parent,
        )

    def _replayed(self) -> QDialog:
        from app.ui.main_window.dialogs.replay import ReplayWindow

        row = self._conversation.row
        dialog = ReplayWindow(
            self._runs,
            self._conversation.choices.faces(),
            self._parent.theme,
            spawn=self._tasks.spawn,
            session=row.id if row else "",
            parent=self._parent,
        )
        dialog.offer_again()
        self._tasks.spawn_on(dialog.again_asked, self._run_again)
        return dialog

    async def _run_again(self, run: RunRow, step: int, is_plan_step: bool) -> None:
        """In its session, which comes to sight; a run whose answer is not read there any more is told."""
        if self._conversation.row is None or self._conversation.row.id != run.session:
            await self._conversation.open(run.session)
        await self._rerun.from_step(run.id, step, is_plan_step=is_plan_step)
        self._parent.raise_()
        self._parent.activateWindow()

    def _open(self, session: str) -> None:
        self._tasks.spawn(self._conversation.open(session), f"open {session}")

    async def reread(self) -> None:
        """After a restore: what is shown may not be there any more."""
        await self._listed.refresh()
        ids = {row.id for row in await self._sessions.rows()}
        row = self._conversation.row
        if row is not None and row.id in ids:
            await self._conversation.open(row.id)
        else:
            self._conversation.new()
