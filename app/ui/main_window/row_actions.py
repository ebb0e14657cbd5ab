"""Carries out what a person asks for at a row of the chat: every RowAction, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, assert_never

from PySide6.QtCore import QObject

from app.core.text.i18n import _
from app.ui.chat.rows.row_actions import (
    AskAgainIn,
    CorrectSlot,
    Follow,
    Plain,
    PressCardButton,
    RaiseLimit,
    ReadHelpers,
    Reveal,
    RowAction,
    RunFromStep,
    ShowFacts,
    ShowVariant,
    ShowWhole,
    SteerStep,
    TryFrom,
    UseRound,
)

if TYPE_CHECKING:
    from app.ui.chat.view import ChatView
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.session_actions.message_actions import MessageActions
    from app.ui.main_window.session_actions.pane_link import PaneLink
    from app.ui.main_window.session_actions.questions import QuestionController
    from app.ui.main_window.session_actions.rerun import RerunController
    from app.ui.main_window.session_actions.try_from import TryFromHere
    from app.ui.main_window.ways_out import WaysOut
    from app.ui.tasks import Tasks


_OF_A_MESSAGE = (ShowVariant, TryFrom, UseRound, RunFromStep)
_PLAIN_OF_A_MESSAGE = (
    Plain.EDIT, Plain.FORK, Plain.DELETE, Plain.DETAILS, Plain.GOOD, Plain.BAD, Plain.ANSWER_NOW,
)  # fmt: skip


def _needs_message(action: RowAction) -> bool:
    """Whether it can be carried out only once the message of its row is stored."""
    return isinstance(action, _OF_A_MESSAGE) or action in _PLAIN_OF_A_MESSAGE


class RowActions(QObject):
    def __init__(
        self,
        chat: ChatView,
        tasks: Tasks,
        *,
        view: SessionController,
        messages: MessageActions,
        questions: QuestionController,
        rerun: RerunController,
        pane: PaneLink,
        ways: WaysOut,
        trying: TryFromHere,
    ) -> None:
        super().__init__(chat)
        self._line, self._run, self._tasks = view.messages, view.run, tasks
        self._messages, self._questions, self._rerun, self._pane, self._ways = messages, questions, rerun, pane, ways
        self._trying = trying
        chat.row_action.connect(self.carry_out)

    def carry_out(self, row_id: str, action: RowAction) -> None:
        """What needs the message of an answer that has just ended waits until that is stored."""
        if _needs_message(action) and self._line.message(row_id) is None and self._run.handle is None:
            self._tasks.spawn(self._once_stored(row_id, action))
        else:
            self._carry_out(row_id, action)

    async def _once_stored(self, row_id: str, action: RowAction) -> None:
        if await self._rerun.stored(row_id):
            self._carry_out(row_id, action)

    def _carry_out(self, row_id: str, action: RowAction) -> None:
        match action:
            case Plain():
                self._plain(row_id, action)
            case AskAgainIn(mode):
                self._tasks.spawn(self._ask_again(row_id, mode))
            case ShowVariant(number):
                self._messages.show_variant(row_id, number)
            case Reveal(part):
                self._pane.reveal(row_id, part)
            case TryFrom(part):
                if (message := self._line.message(row_id)) is not None and message.run:
                    self._tasks.spawn(self._trying.open(message, part))
            case CorrectSlot(label, words):
                self._questions.answer(_("{slot}: {value}").format(slot=label, value=words))
            case SteerStep(order, step):
                self._run.steer(order, step)
            case ReadHelpers(part):
                self._pane.read_helpers(row_id, part)
            case ShowWhole(part):
                self._pane.show_whole(row_id, part)
            case RaiseLimit(characters):
                self._pane.raise_limit(row_id, characters)
            case PressCardButton(pressed, call, button, values):
                self._tasks.spawn(self._press(pressed, row_id, call, button, values))
            case UseRound(number):
                if (message := self._line.message(row_id)) is not None and message.run:
                    self._tasks.spawn(self._rerun.use_round(message.id, message.run, number))
            case RunFromStep(step):
                if (message := self._line.message(row_id)) is not None and message.run:
                    self._tasks.spawn(self._rerun.from_step(message.run, step, is_plan_step=False))
            case Follow(way):
                self._ways.follow(way)
            case ShowFacts(ids):
                self._ways.show_facts(ids)
            case _:
                assert_never(action)

    def _plain(self, row_id: str, action: Plain) -> None:
        match action:
            case Plain.COPY:
                pass  # done by the view
            case Plain.EDIT:
                self._questions.edit(row_id)
            case Plain.REGENERATE:
                self._tasks.spawn(self._ask_again(row_id))
            case Plain.FORK:
                self._messages.fork(row_id)
            case Plain.DELETE:
                self._messages.delete(row_id)
            case Plain.DETAILS:
                self._messages.details(row_id)
            case Plain.GOOD | Plain.BAD:
                self._messages.rate(row_id, 1 if action is Plain.GOOD else -1)
            case Plain.REASONING:
                self._pane.show_reasoning(row_id)
            case Plain.CONTINUE:
                self._tasks.spawn(self._resume(row_id))
            case Plain.ONE_MORE_ROUND:
                self._tasks.spawn(self._one_more_round(row_id))
            case Plain.ANSWER_NOW:
                self._answer_now(row_id)
            case Plain.RETRY_NOW:
                self._run.retry_now()
            case Plain.STOP:
                self._run.stop()
            case Plain.FORGET_RATINGS:
                self._messages.forget_ratings()
            case _:
                assert_never(action)

    async def _ask_again(self, row_id: str, mode: str = "") -> None:
        if (message := await self._rerun.stored(row_id)) is not None:
            await self._rerun.ask(mode, message)

    async def _resume(self, row_id: str) -> None:
        if (message := await self._rerun.stored(row_id)) is not None:
            await self._rerun.resume(message)

    async def _one_more_round(self, row_id: str) -> None:
        if (message := await self._rerun.stored(row_id)) is not None:
            await self._rerun.one_more_round(message)

    async def _press(self, message: str, row_id: str, call: str, button: str, values: Mapping[str, Any]) -> None:
        if pressed := message or await self._rerun.stored(row_id):
            await self._rerun.press(pressed, call, button, values)

    def _answer_now(self, row_id: str) -> None:
        message = self._line.message(row_id)
        if message is not None and message.run:
            self._tasks.spawn(self._rerun.answer_now(message.id, message.run))
