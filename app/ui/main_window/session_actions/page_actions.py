"""What a button of the page beside the chat stands for, as a run of the open session."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.core.errors import TriptychError

if TYPE_CHECKING:
    from app.core.tools.card import CardAction
    from app.services.runs.chat import ChatService
    from app.ui.main_window.session.error_notices import ErrorNotices
    from app.ui.main_window.session_actions.questions import QuestionController
    from app.ui.main_window.session_actions.rerun import RerunController


class PageActions:
    def __init__(
        self, questions: QuestionController, rerun: RerunController, errors: ErrorNotices, chat: ChatService
    ) -> None:
        self._questions, self._rerun, self._errors, self._chat = questions, rerun, errors, chat

    async def act(self, action: CardAction) -> None:
        """Returns when it is over. A session is made where there is none yet."""
        try:
            row = await self._questions.begun_session()
        except TriptychError as error:
            self._errors.tell(error)
            return
        await self._rerun.run_button((row.id, action), partial(self._chat.act, row.id, action))
