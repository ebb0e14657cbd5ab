"""Carries out what a person asks for at a row of the chat: every RowAction, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from PySide6.QtCore import QObject

from app.ui.chat.rows.row_actions import (
    AskAgainIn,
    Follow,
    Plain,
    PressCardButton,
    RaiseLimit,
    Reveal,
    RowAction,
    RunFromStep,
    ShowVariant,
    ShowWhole,
    UseRound,
)

if TYPE_CHECKING:
    from app.ui.chat.view import ChatView
    from app.ui.main_window.session.pane_link import PaneLink
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.tasks import Tasks


class RowActions(QObject):
    def __init__(self, chat: ChatView, conversation: SessionController, pane: PaneLink, tasks: Tasks) -> None:
        super().__init__(chat)
        self._conversation, self._pane, self._tasks = conversation, pane, tasks
        self._messages, self._again, self._run = conversation.messages, conversation.again, conversation.talk
        chat.row_action.connect(self.carry_out)

    def carry_out(self, row_id: str, action: RowAction) -> None:
        match action:
            case Plain():
                self._plain(row_id, action)
            case AskAgainIn(mode):
                self._tasks.spawn(self._again.ask(mode, self._message(row_id)))
            case ShowVariant(number):
                self._messages.show_variant(row_id, number)
            case Reveal(part):
                self._pane.reveal(row_id, part)
            case ShowWhole(part):
                self._pane.show_whole(row_id, part)
            case RaiseLimit(characters):
                self._pane.raise_limit(row_id, characters)
            case PressCardButton(message, call, button):
                self._tasks.spawn(self._again.press(message or self._message(row_id), call, button))
            case UseRound(number):
                if (answer := self._messages.message(row_id)) is not None and answer.run:
                    self._tasks.spawn(self._again.use_round(answer.id, answer.run, number))
            case RunFromStep(step):
                if (answer := self._messages.message(row_id)) is not None and answer.run:
                    self._tasks.spawn(self._again.from_step(answer.run, step, False))
            case Follow(way):
                self._conversation.follow(way)
            case _:
                assert_never(action)

    def _plain(self, row_id: str, action: Plain) -> None:
        match action:
            case Plain.COPY:
                pass  # done by the view
            case Plain.EDIT:
                self._conversation.edit(row_id)
            case Plain.REGENERATE:
                self._tasks.spawn(self._again.ask("", self._message(row_id)))
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
                self._tasks.spawn(self._again.go_on(self._message(row_id)))
            case Plain.ONE_MORE_ROUND:
                self._tasks.spawn(self._again.one_more_round(self._message(row_id)))
            case Plain.ANSWER_NOW:
                self._answer_now(row_id)
            case Plain.RETRY_NOW:
                self._run.retry_now()
            case Plain.STOP:
                self._run.stop()
            case Plain.FORGET_RATINGS:
                self._tasks.spawn(self._conversation.forget_ratings())
            case _:
                assert_never(action)

    def _message(self, row_id: str) -> str:
        """The id of the stored message of a row, "" while there is none."""
        message = self._messages.message(row_id)
        return message.id if message is not None else ""

    def _answer_now(self, row_id: str) -> None:
        message = self._messages.message(row_id)
        if message is not None and message.run:
            self._tasks.spawn(self._again.answer_now(message.id, message.run))
