"""Questions: sent, put into the queue, sent in the place of an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.errors import TriptychError
from app.ui.run_presenter.stored import files_of

if TYPE_CHECKING:
    from app.core.session.summary import SessionRow
    from app.services.data.sessions import SessionService
    from app.services.runs.chat import ChatService
    from app.services.workspace.service import WorkspaceService
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.header import WindowHeader
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.error_notices import ErrorNotices
    from app.ui.main_window.session.question_edit import QuestionEdit
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.tasks import Tasks
    from app.ui.widgets.fields.mode_selector import ModeSelector


class QuestionController(QObject):
    def __init__(
        self,
        header: WindowHeader,
        column: ComposerColumn,
        modes: ModeSelector,
        errors: ErrorNotices,
        tasks: Tasks,
        *,
        open_session: OpenSession,
        edit: QuestionEdit,
        view: SessionController,
        sessions: SessionService,
        chat: ChatService,
        workspace: WorkspaceService,
    ) -> None:
        super().__init__(column)
        self._header, self._composer, self._notice, self._modes = header, column.composer, column.notice, modes
        self._errors, self._tasks, self._open_session, self._edit, self._view = errors, tasks, open_session, edit, view
        self._sessions, self._chat, self._workspace = sessions, chat, workspace
        self._is_sending = False

    def take_questions(self) -> None:
        """From now on.

        Not earlier than the first session is open: it would come to stand where a question has just made one.
        """
        self._composer.submitted.connect(self._submitted)

    def answer(self, words: str) -> None:
        """An option of a card was chosen: the answer to what is asked just now, else the next message."""
        if not self._view.run.cards.reply(words):
            self._tasks.spawn(self.send(words, typed=False))

    def edit(self, row_id: str) -> None:
        """The question of a row comes into the composer; what is sent then takes its place."""
        if (message := self._view.messages.message(row_id)) is not None:
            self._edit.begin(message)

    def _submitted(self, text: str) -> None:
        # At once: a moment later another session may be open.
        if self._is_running():
            self._queue(text)
        else:
            self._tasks.spawn(self.send(text))

    async def send(self, text: str, *, typed: bool = True) -> bool:
        """Whether it was taken; `typed` text stays in the composer until it is stored."""
        if self._is_sending:
            return False
        if self._is_running():
            return self._queue(text)
        self._is_sending = True
        session = self._open_session.id
        try:
            if self._edit.message and typed:
                return await self._send_edited(text)
            return await self._send(text, typed=typed)
        except TriptychError as error:
            self._errors.tell(error, session=session or self._open_session.id)
            return False
        finally:
            self._is_sending = False

    def _queue(self, text: str) -> bool:
        if self._view.files.chosen() or self._view.drafts.origin() or self._edit.message:
            self._errors.tell_code("ALREADY_RUNNING")
            return False
        self._view.queue.put(text)
        self._composer.clear_sent(text)
        self._view.drafts.changed("")
        return True

    async def _send(self, text: str, *, typed: bool) -> bool:
        view, choices = self._view, self._view.choices
        if not self.can_answer():
            # Before a session is made for a question nobody can answer.
            return False
        mode = self._modes.mode()
        files = view.files.chosen() if typed else ()
        origin = view.drafts.origin() if typed else ""
        row = await self.begun_session()
        handle = await self._chat.send(row.id, text, mode, attachments=files, origin=origin)
        if typed:
            view.files.sent()
            view.files.show(row.id)
            self._composer.clear_sent(text)
            view.drafts.first_sent()
            view.drafts.keep(row.id, "")
        if self._open_session.id == row.id:
            self._open_session.show_title(self._header.title.full_text() if row.title else "")
            self._notice.dismiss()
            view.context.add(len(text))
            view.run.add_question(text, handle, choices.faces(), row.agent, files_of(files))
            self._tasks.spawn(view.messages.refresh())
        return True

    async def begun_session(self) -> SessionRow:
        """The open session, made now where there is none yet."""
        row, choices = self._open_session.row, self._view.choices
        if row is None:
            row = await self._sessions.create(choices.profile().id, self._modes.mode(), choices.model)
            await self._workspace.adopt(row.id)
            self._open_session.set(row)  # what goes wrong from here on belongs to it
            choices.show(row)
        return row

    async def _send_edited(self, text: str) -> bool:
        """The text takes the place of an earlier question; the old line stays as a variant."""
        row = self._open_session.row
        if row is None or not self.can_answer():
            return False
        origin = self._view.drafts.origin()
        handle = await self._chat.edit(row.id, self._edit.message, text, self._modes.mode(), origin=origin)
        self._composer.clear_sent(text)
        self._view.drafts.keep(row.id, "")
        self._edit.end()
        if self._open_session.id == row.id:
            await self._view.reload(handle=handle)
        return True

    def can_answer(self) -> bool:
        """Whether there is a model; if not, the way to one is told."""
        if self._view.choices.model_in_use():
            return True
        self._errors.tell_code("NOT_CONFIGURED")
        return False

    def _is_running(self) -> bool:
        return self._view.run.handle is not None and self._open_session.row is not None
