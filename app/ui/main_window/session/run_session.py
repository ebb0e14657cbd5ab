"""The run of the open session: started, followed, stopped, asked again.

A run belongs to the chat service. Leaving its session only ends the looking; coming back looks
again from the first event.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from app.core.errors import TriptychError
from app.core.run.messages import Message, PlanPart
from app.core.run.mode import PLAN, REACT
from app.core.run.run_handle import RunHandle
from app.core.run.transcript import replay
from app.core.run.view import view_of
from app.core.session.branches import Branch
from app.core.text.i18n import _
from app.ui.chat.rows.items import AssistantRow, File, UserRow
from app.ui.main_window.session.run_cards import BUDGET_CARD, RunCards
from app.ui.plan.feed import PlanFeed
from app.ui.plan.view import PlanView
from app.ui.run_presenter import RunPresenter, RunProgress
from app.ui.run_presenter.canvas import LiveCanvas
from app.ui.run_presenter.stored import AgentLabel, blank_row, clock, question_actions, rows_of, without_continue
from app.ui.texts import phase_title, state_title

if TYPE_CHECKING:
    from app.services.runs.runs import RunService
    from app.ui.chat.view import ChatView
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.status import RunStatus
    from app.ui.reasoning import ReasoningPane
    from app.ui.tasks import Tasks
    from app.ui.theme import Theme

AgentLabels = Mapping[str, AgentLabel]


class RunSession(QObject):
    over = Signal()
    """The run that is followed has ended, and its end is painted."""
    step_ended = Signal()
    wrote = Signal(object, str)
    """As `RunPresenter.wrote`."""
    stored_plan_shown = Signal(str)
    """The agent whose plan of an answer that is over stands in the chat."""
    proceeds = Signal(str, bool)
    """The mode the run proceeds in, and again with True when it is over."""

    def __init__(
        self,
        theme: Theme,
        column: ComposerColumn,
        status: RunStatus,
        chat: ChatView,
        pane: ReasoningPane,
        cards: RunCards,
        runs: RunService,
        tasks: Tasks,
    ) -> None:
        super().__init__(chat)
        self._composer, self._notice, self._status = column.composer, column.notice, status
        self._chat, self._pane, self._runs, self._tasks = chat, pane, runs, tasks
        self.cards = cards
        cards.answer_now_asked.connect(self.answer_now)
        cards.stop_asked.connect(self.stop)
        column.composer.stop_asked.connect(self.stop)
        column.composer.run.answer_asked.connect(self.answer_now)
        column.composer.run.round_asked.connect(self.one_more_round)
        self._presenter: RunPresenter | None = None
        self._following: asyncio.Task[None] | None = None
        self._question = ""
        self._last_answer = ""
        self._is_stopping = self._is_hurried = False
        """The person has pressed Stop, or Answer now."""
        self._last_message: Message | None = None
        self.shown_row = ""
        """The row of the answer the reasoning pane belongs to."""
        self.shown_run = ""
        """The run whose events the reasoning pane shows."""
        self.plan = PlanView(theme)
        self.plan_feed = PlanFeed(self.plan)
        chat.keep_plan(self.plan)
        self.plan.height_changed.connect(self._plan_grew)
        self.plan.left.connect(column.composer.focus)
        self.plan_feed.plan_came.connect(self._show_plan)
        self.plan_feed.waiting.connect(self._announce_plan)

    # ------------------------------------------------------------ what is seen

    def show(
        self,
        line: Branch,
        faces: AgentLabels,
        agent: str,
        handle: RunHandle | None,
        ratings: Mapping[str, int] | None = None,
    ) -> None:
        """The rows of a session, and its run if one goes on."""
        self.leave()
        messages = list(line.messages)
        if handle is not None:
            messages = [message for message in messages if message.run != handle.id]
        self._chat.set_rows(rows_of(messages, faces, line.variants, ratings))
        answer = next((message for message in reversed(messages) if message.role == "assistant"), None)
        question = next((message for message in reversed(messages) if message.role == "user"), None)
        self._last_answer = answer.id if answer else ""
        self._question = question.text if question else ""
        self._show_stored_plan(messages)
        if handle is not None:
            self._follow(handle, faces, agent)
        else:
            self._show_reasoning(answer)
            self._tell_idle()

    def _show_stored_plan(self, messages: Sequence[Message]) -> None:
        """The newest plan of the session in its card."""
        self.plan_feed.clear()
        for message in reversed(messages):
            part = next((part for part in message.parts if isinstance(part, PlanPart)), None)
            if part is not None:
                self.plan.run = message.run or ""
                self.plan_feed.show_stored(part.plan)
                self._chat.lend_plan(message.id, self.plan)
                self.stored_plan_shown.emit(message.start.agent if message.start else "")
                return

    def _show_plan(self) -> None:
        self._chat.lend_plan(self._last_answer, self.plan)

    def _plan_grew(self) -> None:
        self._chat.plan_grew()

    def _announce_plan(self) -> None:
        self._announce(phase_title("approval"))

    def add_question(
        self, text: str, handle: RunHandle, faces: AgentLabels, agent: str, files: tuple[File, ...] = ()
    ) -> None:
        """A question was taken over and its run has started."""
        self._drop_old_actions()
        row_id = f"question-{handle.id}"
        self._chat.append(UserRow(row_id, text, clock(time.time()), files, actions=question_actions()))
        self._chat.jump_to_latest()
        self._question = text
        self._follow(handle, faces, agent)

    def replace_answer(self, handle: RunHandle, faces: AgentLabels, agent: str) -> None:
        """The last question is asked again: its old answer makes room."""
        self.leave()
        for row_id in reversed(self._chat.keys()):
            if isinstance(self._chat.row(row_id), UserRow):
                break
            self._chat.remove(row_id)
        self._follow(handle, faces, agent)

    def leave(self) -> None:
        """Look away; the run goes on."""
        if self._following is not None:
            self._following.cancel()
        if self._presenter is not None:
            self._presenter.deleteLater()
        self._following = self._presenter = None
        self.cards.clear()

    # ------------------------------------------------------------ the run

    @property
    def handle(self) -> RunHandle | None:
        """The run that goes on in the open session."""
        presenter = self._presenter
        return presenter.handle if presenter and not presenter.progress.is_over else None

    async def seen(self) -> None:
        """Returns when the terminal event of the run has been painted."""
        if self._following is not None:
            await asyncio.wait([self._following])

    def stop(self) -> None:
        """First press: finish safely. Second press: give up what hangs."""
        if (handle := self.handle) is not None:
            self._is_stopping = True
            self._composer.run.set_stopping(is_stopping=True)
            self._status.set_state(state_title("stopping"), seconds=0)
            self._notice.tell(state_title("stopping_safely"), session=handle.session)
            handle.cancel()

    def answer_now(self) -> None:
        if (handle := self.handle) is not None:
            handle.answer_now()
            self._is_hurried = True
            self._composer.run.offer_answer(False)
            self._composer.run.offer_round(False)
            handle.control_plan("resume")  # a plan that is held would not hear it
            self.plan.set_paused(False)
            self.cards.answered(BUDGET_CARD)

    def hold(self, *, is_held: bool) -> None:
        """The person holds the plan, or lets it go on; said as soon as nothing is at work."""
        if self._presenter is not None and self.handle is not None:
            self._presenter.progress.hold(is_held=is_held)
            self._status.set_words(self._presenter.progress.words)

    def steer(self, order: str, step: int) -> None:
        """An order for a step of the plan that is worked off; other arguments are filled in on the plan card."""
        if order != "change":
            self.plan.ordered.emit(order, step, None)
            return
        self._chat.show_plan()
        self.plan.change_step(step)

    def retry_now(self) -> None:
        """What waits before trying again waits no longer."""
        if (handle := self.handle) is not None:
            handle.retry_now()

    def one_more_round(self) -> None:
        if (handle := self.handle) is not None:
            handle.one_more_round()
            self._notice.tell(_("One further reflection round is allowed."), session=self._notice.session)

    def _follow(self, handle: RunHandle, faces: AgentLabels, agent: str) -> None:
        row_id = f"answer-{handle.id}"
        self._last_answer = self.shown_row = row_id
        self.shown_run = handle.id
        self._is_stopping = self._is_hurried = False
        self._pane.show_earlier(is_earlier=False)
        self._chat.keep_plan(self.plan)
        self.plan_feed.clear()
        self.plan.session, self.plan.run = handle.session, handle.id
        self._chat.append(blank_row(row_id, agent, faces, time.time(), busy=True, seconds=handle.seconds))
        self.cards.begin(handle, self._question, agent)
        presenter = self._presenter = RunPresenter(
            handle, LiveCanvas(self._chat, row_id), self._pane, self.plan_feed, self
        )
        presenter.progressed.connect(self._tell)
        presenter.asked.connect(self.cards.ask)
        presenter.answered.connect(self.cards.answered)
        presenter.step_ended.connect(self.step_ended)
        presenter.wrote.connect(self.wrote)
        presenter.proceeds.connect(self._proceeds)
        self._composer.run.set_running(True)
        self._status.set_state(state_title("starting"), seconds=0)
        self._following = self._tasks.start(presenter.follow(), f"follow {handle.id}")

    def _tell(self, progress: RunProgress) -> None:
        handle = self.handle
        if self._is_stopping and not progress.is_over:
            return  # what it does until then is told already: it stops
        if not progress.is_over:
            self._composer.run.offer_round(progress.round > 0 and not self._is_hurried)
            # Not when this was told: who comes back to a run is told of its past in one go.
            self._status.set_state(progress.words, seconds=handle.seconds if handle else 0)
            return
        self._tell_idle()
        self._announce(_("The answer is complete."))
        self.over.emit()

    def _tell_idle(self) -> None:
        self._composer.run.set_running(False)
        self._status.set_state("")
        if self._notice.text() == state_title("stopping_safely"):
            self._notice.dismiss()

    def _proceeds(self, mode: str, is_over: bool) -> None:
        self.cards.set_mode(mode)
        self._composer.run.offer_answer(mode in (REACT, PLAN) and not is_over)
        self.proceeds.emit(mode, is_over)

    def _announce(self, text: str) -> None:
        """Once per answer, not per token."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._chat, text))

    def focus_waiting(self) -> bool:
        """To what waits for the person, by keyboard. False if nothing does, or it is not ready yet."""
        if self.cards.first() is not None:
            return self.cards.focus_first()
        if not self.plan.is_waiting:
            return False
        self._chat.show_plan()
        return self.plan.focus_answer()

    # ------------------------------------------------------------ rows that are over

    def _drop_old_actions(self) -> None:
        """Only the last answer can be continued."""
        if self._last_answer in self._chat.keys():  # noqa: SIM118  a method of the view, not of a dict
            row = self._chat.row(self._last_answer)
            if isinstance(row, AssistantRow) and row.actions:
                self._chat.update_row(row.id, actions=without_continue(row.actions))

    def _show_reasoning(self, message: Message | None) -> None:
        self._last_message = message
        self._pane.clear()
        self._pane.show_earlier(is_earlier=False)
        self.shown_row = message.id if message else ""
        self.shown_run = (message.run or "") if message else ""
        if message is not None:
            self._tasks.spawn(self._replay(message, message.id))

    async def show_reasoning_of(self, row_id: str, message: Message) -> None:
        """The pane shows the run of one answer, be it an earlier one."""
        if row_id == self.shown_row:
            return
        if row_id == self._last_answer:
            self.back_to_latest()
            return
        if self._presenter is not None:
            self._presenter.look_away()
        self._pane.clear()
        self._pane.show_earlier(is_earlier=True)
        self.shown_row, self.shown_run = row_id, message.run or ""
        await self._replay(message, row_id)

    def back_to_latest(self) -> None:
        if self._presenter is None:
            self._show_reasoning(self._last_message)
            return
        self._pane.show_earlier(is_earlier=False)
        self.shown_row, self.shown_run = self._last_answer, self._presenter.handle.id
        self._presenter.look_back()

    async def _replay(self, message: Message, row_id: str) -> None:
        """The run's own log has the times; an answer that came from elsewhere has only its parts."""
        run = message.run or ""
        try:
            stored = await self._runs.events(run) if run else []
        except TriptychError:
            stored = []
        if self.shown_row != row_id or (self.handle is not None and row_id == self._last_answer):
            return  # another answer is shown by now
        self._pane.show_all(view_of(stored or replay(message)), live=False)
