"""What the reasoning pane asks for and says, carried to the services, the run and the chat."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from app.core.errors import TriptychError
from app.core.run.analysis.run_stats import RunFigures
from app.core.run.view import view_of
from app.core.text.i18n import _
from app.core.wording.tools import look_up
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.items import AssistantRow, ToolPart
from app.ui.run_presenter.figures import figures_of
from app.ui.run_presenter.helpers import read_helper
from app.ui.texts import fault_text

if TYPE_CHECKING:
    from app.core.run.events import LoopStart
    from app.services.providers.models import ModelService
    from app.services.runs.chat import ChatService
    from app.services.runs.runs import RunService
    from app.services.settings.settings import SettingsService
    from app.ui.chat.view import ChatView
    from app.ui.main_window.layout.panes import Panes
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.session_actions.rerun import RerunController
    from app.ui.reasoning import ReasoningPane
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.notice_bar import NoticeBar

_EARLIER = 200
"""So many runs back the sums and estimates look."""


class PaneLink(QObject):
    try_asked = Signal(str, int)
    """A run, and the step of it that shall be tried with something else."""

    def __init__(
        self,
        parent: DialogParent,
        panes: Panes,
        notice: NoticeBar,
        chat: ChatView,
        pane: ReasoningPane,
        tasks: Tasks,
        *,
        view: SessionController,
        rerun: RerunController,
        settings: SettingsService,
        models: ModelService,
        runs: RunService,
        running: ChatService,
    ) -> None:
        super().__init__(pane)
        self._parent, self._panes, self._notice, self._chat, self._pane = parent, panes, notice, chat, pane
        self._run, self._messages, self._rerun, self._tasks = view.run, view.messages, rerun, tasks
        self._settings, self._models, self._runs, self._running = settings, models, runs, running
        self._agent = ""
        pane.run_shown.connect(self._run_shown)
        tasks.spawn_on(pane.run_ended, self._tell_once_stored)
        pane.place_activated.connect(self._show_place)
        pane.latest_asked.connect(self._run.back_to_latest)
        tasks.spawn_on(pane.again_asked, self._run_again)
        pane.try_asked.connect(self._try_from)
        pane.narrator.offers_again = True
        tasks.spawn_on(pane.limit_raised, self._raise_limit)
        pane.narrator.source = self._result
        tasks.spawn_on(pane.calls_wanted, self._show_calls, "raw calls")
        view.run.proceeds.connect(self._suggest_pane)

    # ------------------------------------------------------------ what the pane is told

    def _run_shown(self, start: LoopStart) -> None:
        self._agent = start.agent
        self._pane.set_price(self._models.price(start.model))
        self._refresh()

    def _refresh(self) -> None:
        self._tasks.spawn(self._tell_earlier(self._agent))

    async def _tell_once_stored(self) -> None:
        """The run that has just ended is in the sums too."""
        await self._running.recorded()
        await self._tell_earlier(self._agent)

    async def _tell_earlier(self, agent: str) -> None:
        rows = await self._runs.rows(limit=_EARLIER)
        if agent != self._agent:
            return
        figures: list[RunFigures] = [figures_of(row) for row in rows]
        mine = [one for one in figures if one.agent == agent]
        session = next((row.session for row in rows if row.id == self._run.shown_run), "")
        here = [one for one in figures if session and one.session == session]
        sums = [(_("This session"), here), (self._title(agent), mine)]
        self._pane.show_sums(sums, self._models.price)

    def _title(self, agent: str) -> str:
        try:
            return self._settings.profile(agent).title
        except TriptychError:
            return agent

    def _result(self, call_id: str) -> str | Awaitable[str | None] | None:
        handle = self._run.handle
        if handle is not None and (result := handle.full_result(call_id)) is not None:
            return result.for_model()
        return self._stored_result(call_id)

    async def _stored_result(self, call_id: str) -> str | None:
        if not (run := self._run.shown_run):
            return None
        try:
            result = await self._runs.full_result(run, call_id)
        except TriptychError:
            return None
        return result.for_model() if result is not None else None

    async def _show_calls(self) -> None:
        """What was sent and what came, of the run that is shown; live from the run, later from the disk."""
        run, handle = self._run.shown_run, self._run.handle
        if not run:
            return
        if handle is not None and handle.id == run:
            self._pane.raw.show_calls(handle.requests())
            return
        try:
            calls = await self._runs.requests(run)
        except TriptychError:
            calls = []
        if self._run.shown_run == run:
            self._pane.raw.show_calls(calls)

    # ------------------------------------------------------------ what a person does there

    async def _run_again(self, step: int) -> None:
        await self._rerun.from_step(self._run.shown_run, step, is_plan_step=False)

    def _try_from(self, step: int) -> None:
        self.try_asked.emit(self._run.shown_run, step)

    def _suggest_pane(self, mode: str, is_over: bool) -> None:
        """It opens, folds at the end, or stays shut, as the preferences say for the mode."""
        wish = getattr(self._settings.preferences, f"reasoning_{mode}", "")
        if wish in ("open", "fold", "closed"):
            self._panes.suggest("right", wish == "open" or (wish == "fold" and not is_over))

    def _show_place(self, _step: int, call_id: str) -> None:
        """The chat shows the call, or at least the answer it belongs to."""
        row = self._run.shown_row
        if row not in self._chat.keys():  # noqa: SIM118  a method of the view, not of a dict
            return
        self._chat.scroll_to_row(row)
        view = self._chat.list.widget(row)
        part = view.reveal(f"call-{call_id}") if isinstance(view, AssistantRowView) else None
        if part is not None:
            place = part.mapTo(self._chat.list.viewport(), QPoint(0, 0)).y()
            bar = self._chat.list.verticalScrollBar()
            bar.setValue(bar.value() + place - self._parent.theme.space(6))

    # ------------------------------------------------------------ what is asked for at a row of the chat

    def show_reasoning(self, row_id: str) -> None:
        self._panes.ask("right", True, remember=False)
        self._tasks.spawn(self._show_of(row_id))

    def reveal(self, row_id: str, part: str) -> None:
        """The place of a part, where the pane is in sight."""
        if self._panes.is_open("right"):
            self._tasks.spawn(self._show_of(row_id, part))

    def show_whole(self, row_id: str, part: str) -> None:
        self._tasks.spawn(self._show_whole(row_id, part))

    def read_helpers(self, row_id: str, part: str) -> None:
        self._tasks.spawn(self._read_helpers(row_id, part))

    async def _read_helpers(self, row_id: str, part_id: str) -> None:
        """The steps of the runs inside a call, as far as they are written by now."""
        part = self._tool_part(row_id, part_id)
        if part is None:
            return
        helpers = []
        for helper in part.helpers:
            with suppress(TriptychError):
                view = view_of(await self._runs.events(helper.run))
                await look_up(call.call.name for call in view.calls.values())
                helpers.append(read_helper(helper, self._title(helper.agent), view))
        part = self._tool_part(row_id, part_id)
        if part is not None and helpers and not all(one.is_read for one in part.helpers):
            self._chat.put_part(row_id, replace(part, helpers=tuple(helpers)))

    def _tool_part(self, row_id: str, part_id: str) -> ToolPart | None:
        row = self._chat.row(row_id) if row_id in self._chat.keys() else None  # noqa: SIM118  a method of the view
        part = next((one for one in row.parts if one.id == part_id), None) if isinstance(row, AssistantRow) else None
        return part if isinstance(part, ToolPart) else None

    def raise_limit(self, row_id: str, characters: int) -> None:
        self._tasks.spawn(self._raise_limit_of(row_id, characters))

    async def _show_whole(self, row_id: str, part_id: str) -> None:
        """All of a cut result, in the answer itself."""
        message, handle, session = self._messages.message(row_id), self._run.handle, self._notice.session
        call = part_id.removeprefix("call-")
        # Ids of calls repeat from run to run.
        is_live = handle is not None and (message is None or message.run == handle.id)
        result = handle.full_result(call) if handle is not None and is_live else None
        if result is None and message is not None and message.run:
            with suppress(TriptychError):
                result = await self._runs.full_result(message.run, call)
        part = self._tool_part(row_id, part_id)
        if part is None:
            return
        if result is None:
            self._notice.tell(_("The whole result is no longer stored"), "warn", session=session)
        else:
            self._chat.put_part(row_id, replace(part, result=result.for_model(), is_whole=True))

    async def _show_of(self, row_id: str, part: str = "") -> None:
        if (message := self._messages.message(row_id)) is not None:
            await self._run.show_reasoning_of(row_id, message)
        kind, _dash, name = part.partition("-")
        if kind == "call":
            self._pane.reveal(call=name)
        elif kind == "round" and name.isdecimal():
            self._pane.reveal(round=int(name))

    async def _raise_limit_of(self, row_id: str, limit: int) -> None:
        if not self._agent:  # no run was shown so far; this one says whose it is
            await self._show_of(row_id)
        await self._raise_limit(limit)

    async def _raise_limit(self, limit: int) -> None:
        """From the next turn on the model reads more of one result; a batch has room for at least one such."""
        settings, agent = self._settings, self._agent
        try:
            profile = settings.profile(agent)
            total = max(profile.tool_results_total_length, limit)
            changed = {"tool_result_max_length": limit, "tool_results_total_length": total}
            await settings.save_profile(settings.changed_profile(profile, changed))
        except TriptychError as error:
            self._notice.tell(fault_text(error), "warn")
            return
        text = _("{agent}: from the next question on the model reads up to {n} characters of a result.")
        self._notice.tell(text.format(agent=profile.title, n=f"{limit:,}"))
