"""Try from here: what a person changes at a step of an answer, run as a variant and shown beside the old run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.core.errors import TriptychError
from app.core.run.mode import mode_ids
from app.core.run.view import view_of
from app.core.text.i18n import _
from app.core.wording.tools import tool_title
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
    from app.ui.main_window.session_actions.pane_link import PaneLink
    from app.ui.main_window.session_actions.rerun import RerunController
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a run: at a call, a request, or a step of the plan."""

    call: str
    step: int
    plan_step: int


class TryFromHere(QObject):
    def __init__(
        self,
        parent: DialogParent,
        column: ComposerColumn,
        errors: ErrorNotices,
        rerun: RerunController,
        tasks: Tasks,
        *,
        pane: PaneLink,
        chat: ChatService,
        runs: RunService,
        tools: ToolService,
        models: ModelService,
    ) -> None:
        super().__init__(column)
        self._parent, self._column, self._errors, self._rerun, self._tasks = parent, column, errors, rerun, tasks
        self._chat, self._runs, self._tools, self._models = chat, runs, tools, models
        self._card: TryCard | None = None
        tasks.spawn_on(pane.try_asked, self.open_step)

    async def open(self, message: Message, part: str) -> None:
        """By a row of the work: that of a call, or of a step of the plan that made none."""
        run, (kind, _dash, name) = message.run or "", part.partition("-")
        if kind == "call":
            await self._open(message.id, run, call=name)
        elif name.isdecimal():
            await self._open(message.id, run, plan_step=int(name))

    async def open_step(self, run: str, step: int) -> None:
        """By a request of the outline."""
        message = self._rerun.message_of(run)
        if message:
            await self._open(message, run, step=step)

    async def _open(self, message: str, run: str, *, call: str = "", step: int = 0, plan_step: int = 0) -> None:
        """The card stands above the composer until it is used or left."""
        self._close()
        try:
            view = view_of(await self._runs.events(run))
        except TriptychError as error:
            self._errors.tell(error)
            return
        item = view.calls.get(call)
        if view.start is None or (call and item is None):
            return
        tool = self._tools.named(item.call.name) if item is not None else None
        planned = view.plan.plan.step(plan_step) if view.plan is not None and plan_step else None
        title = tool_title(item.call.name) if item is not None else _("Request {n}").format(n=step)
        if item is None and plan_step:
            title = _("Plan step {n}").format(n=plan_step)
        modes = [one for one in mode_ids() if one not in ("auto", "direct", view.mode)]
        listed = self._models.choices(view.start.agent)
        used = view.start.model
        names = [(used, used), *((one.ref, one.label) for one in listed if one.available and one.ref != used)]
        card = self._card = TryCard(
            self._parent.theme,
            planned.description if planned is not None and planned.description else title,
            item.call.args if item is not None else {},
            tool.parameters if tool is not None else {},
            has_call=item is not None,
            modes=[(one, mode_title(one)) for one in (view.mode, *modes)],
            models=names,
        )
        card.left.connect(self._close)
        card.tried.connect(starting(self._tasks.spawn, self._try, message, run, _Place(call, step, plan_step)))
        self._column.ask(card)
        card.begin()

    async def _try(self, message: str, run: str, place: _Place, trial: Trial) -> None:
        self._close()
        started: list[Any] = []
        repeats = self._chat.repeats

        async def start(_session: str) -> Any:
            if place.call:
                handle = await repeats.try_from(
                    run, place.call, args=trial.args, result=trial.result, mode=trial.mode, model=trial.model
                )
            else:
                handle = await repeats.try_from_step(
                    run,
                    step=place.step,
                    plan_step=place.plan_step,
                    result=trial.result,
                    mode=trial.mode,
                    model=trial.model,
                )
            started.append(handle)
            return handle

        await self._rerun.begin(message, start)
        if started:
            await started[0].result()
            await self._chat.active.written(started[0].session)
            self._rerun.compare_asked.emit(run, started[0].id)

    def _close(self) -> None:
        card, self._card = self._card, None
        if card is not None:
            self._column.settle(card)
            self._column.composer.focus()
