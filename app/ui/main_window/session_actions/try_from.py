"""Try from here: what a person changes at a call of an answer, run as a variant and shown beside the old run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.core.errors import TriptychError
from app.core.run.mode import mode_ids
from app.core.run.view import view_of
from app.ui.dialogs.approvals.try_card import Trial, TryCard
from app.ui.texts import mode_title
from app.ui.widgets.spawn import starting

if TYPE_CHECKING:
    from app.core.run.messages import Message
    from app.services.providers.models import ModelService
    from app.services.runs.chat import ChatService
    from app.services.runs.runs import RunService
    from app.services.tools.service import ToolService
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.session.error_notices import ErrorNotices
    from app.ui.main_window.session_actions.rerun import RerunController
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent


class TryFromHere(QObject):
    def __init__(
        self,
        parent: DialogParent,
        column: ComposerColumn,
        errors: ErrorNotices,
        rerun: RerunController,
        tasks: Tasks,
        *,
        chat: ChatService,
        runs: RunService,
        tools: ToolService,
        models: ModelService,
    ) -> None:
        super().__init__(column)
        self._parent, self._column, self._errors, self._rerun, self._tasks = parent, column, errors, rerun, tasks
        self._chat, self._runs, self._tools, self._models = chat, runs, tools, models
        self._card: TryCard | None = None

    async def open(self, message: Message, call_id: str) -> None:
        """The card stands above the composer until it is used or left."""
        self._close()
        run = message.run or ""
        try:
            view = view_of(await self._runs.events(run))
        except TriptychError as error:
            self._errors.tell(error)
            return
        call = view.calls.get(call_id)
        if call is None or view.start is None:
            return
        tool = self._tools.named(call.call.name)
        modes = [one for one in mode_ids() if one not in ("auto", "direct", view.mode)]
        listed = self._models.choices(view.start.agent)
        used = view.start.model
        names = [(used, used), *((one.ref, one.label) for one in listed if one.available and one.ref != used)]
        card = self._card = TryCard(
            self._parent.theme,
            call.call.name,
            call.call.args,
            tool.parameters if tool is not None else {},
            modes=[(one, mode_title(one)) for one in (view.mode, *modes)],
            models=names,
        )
        card.left.connect(self._close)
        card.tried.connect(starting(self._tasks.spawn, self._try, message.id, run, call_id))
        self._column.ask(card)
        card.form.focus_first()

    async def _try(self, message: str, run: str, call_id: str, trial: Trial) -> None:
        self._close()
        started: list[Any] = []

        async def start(_session: str) -> Any:
            handle = await self._chat.repeats.try_from(
                run, call_id, args=trial.args, result=trial.result, mode=trial.mode, model=trial.model
            )
            started.append(handle)
            return handle

        await self._rerun.begin(message, start)
        if started:
            await started[0].result()
            await self._chat.recorded()
            self._rerun.compare_asked.emit(run, started[0].id)

    def _close(self) -> None:
        card, self._card = self._card, None
        if card is not None:
            self._column.settle(card)
            self._column.composer.focus()
