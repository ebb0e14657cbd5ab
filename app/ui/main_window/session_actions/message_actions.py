"""What one does with single messages of the open session: other variants, forks, thumbs, details, deleting."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.ui.chat.rows.items import AssistantRow
from app.ui.dialogs.data.answer_details import AnswerDetails
from app.ui.main_window.session.messages import mode_of
from app.ui.run_presenter.stored import rated

if TYPE_CHECKING:
    from app.core.run.messages import Message
    from app.services.data.sessions import SessionService
    from app.services.providers.models import ModelService
    from app.services.runs.ratings import RatingService
    from app.ui.chat.view import ChatView
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.error_notices import ErrorNotices
    from app.ui.main_window.session.messages import Messages
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.session_actions.rerun import RerunController
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.notice_bar import NoticeBar


class MessageActions(QObject):
    def __init__(
        self,
        parent: DialogParent,
        notice: NoticeBar,
        errors: ErrorNotices,
        chat: ChatView,
        tasks: Tasks,
        *,
        open_session: OpenSession,
        messages: Messages,
        view: SessionController,
        rerun: RerunController,
        sessions: SessionService,
        ratings: RatingService,
        models: ModelService,
    ) -> None:
        super().__init__(chat)
        self._parent, self._notice, self._errors, self._chat, self._tasks = parent, notice, errors, chat, tasks
        self._open_session, self._messages, self._view, self._rerun = open_session, messages, view, rerun
        self._sessions, self._ratings, self._models = sessions, ratings, models

    def show_variant(self, row_id: str, number: int) -> None:
        if (at := self._place(row_id)) is not None:
            self._do(self._show_variant(*at, number))

    def fork(self, row_id: str) -> None:
        if (at := self._place(row_id)) is not None:
            self._do(self._fork(*at))

    def delete(self, row_id: str) -> None:
        if (at := self._place(row_id)) is not None:
            self._do(self._delete(*at))

    def rate(self, row_id: str, value: int) -> None:
        if (at := self._place(row_id)) is not None:
            self._do(self._rate(row_id, at[1], value))

    def details(self, row_id: str) -> None:
        if (at := self._place(row_id)) is not None:
            self._details(at[1])

    def forget_ratings(self) -> None:
        self._tasks.spawn(self._forget_ratings())

    def _place(self, row_id: str) -> tuple[str, Message] | None:
        """The open session, and the stored message of a row in it."""
        message, row = self._messages.message(row_id), self._open_session.row
        return (row.id, message) if message is not None and row is not None else None

    # ------------------------------------------------------------ inner work

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.spawn(self._carefully(work))

    async def _carefully(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except TriptychError as error:
            self._errors.tell(error)

    async def _show_variant(self, session: str, message: Message, number: int) -> None:
        options = self._messages.line.variants.get(message.id, ())
        if 1 <= number <= len(options):
            await self._sessions.edits.choose(session, options[number - 1])
            await self._view.reload(options[number - 1])

    async def _fork(self, session: str, message: Message) -> None:
        row = await self._sessions.edits.fork(session, message.id)
        await self._view.open(row.id)
        self._notice.tell(_("This is a new session with the messages up to there."), session=row.id)

    async def _delete(self, session: str, message: Message) -> None:
        place = next((n for n, one in enumerate(self._messages.line.messages) if one.id == message.id), 0)
        near = self._messages.line.messages[max(0, place - 1)].id
        await self._sessions.edits.hide_message(session, message.id)
        await self._view.reload(near if near != message.id else "")
        undo = partial(self._undo_delete, session, message.id)
        self._notice.offer_undo(_("The message was deleted."), undo, session=session)

    def _undo_delete(self, session: str, message: str) -> None:
        self._do(self._take_back(session, message))

    async def _take_back(self, session: str, message: str) -> None:
        await self._sessions.edits.show_message(session, message)
        if (row := self._open_session.row) is not None and row.id == session:
            await self._view.reload(message)

    async def _forget_ratings(self) -> None:
        await self._ratings.reset()
        self._notice.tell(_("Your ratings were forgotten; nothing is suggested by them any more."))
        await self._view.reload()

    async def _rate(self, row_id: str, message: Message, value: int) -> None:
        """The same thumb again takes it back."""
        value = 0 if self._messages.ratings.get(message.id, 0) == value else value
        start = message.start
        await self._ratings.rate(
            message.id,
            value,
            agent=start.agent if start else "",
            mode=mode_of(message),
            query=start.query if start else "",
        )
        self._messages.ratings = {**self._messages.ratings, message.id: value}
        if row_id in self._chat.keys():  # noqa: SIM118  a method of the view
            row = self._chat.row(row_id)
            if isinstance(row, AssistantRow):
                self._chat.update_row(row_id, actions=rated(row.actions, value))

    def _details(self, message: Message) -> None:
        price = self._models.price(message.start.model) if message.start else None
        dialog = AnswerDetails(self._parent.theme, message, mode_of(message), price=price, parent=self._parent)
        dialog.again_asked.connect(partial(self._again, message.id))
        dialog.open()

    def _again(self, message: str, settings: Mapping[str, Any]) -> None:
        self._tasks.spawn(self._rerun.ask("", message, settings))
