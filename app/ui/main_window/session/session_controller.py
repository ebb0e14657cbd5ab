"""Shows a session: opened, begun, read again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.profile import AgentProfile, in_language
from app.core.run.outcome import UNFINISHED
from app.core.session.branches import Branch
from app.core.session.summary import SessionRow
from app.core.text.i18n import language_key
from app.ui.chat.empty import EmptyChat
from app.ui.chat.held_place import hold, take_up
from app.ui.run_presenter.stored import pressed_row

if TYPE_CHECKING:
    from app.core.run.messages import Message
    from app.core.run.run_handle import RunHandle
    from app.services.data.sessions import SessionService
    from app.services.runs.chat import ChatService
    from app.services.runs.ratings import RatingService
    from app.ui.chat.composer import Composer
    from app.ui.chat.view import ChatView
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.choices import Choices
    from app.ui.main_window.session.context import ContextController
    from app.ui.main_window.session.drafts import Drafts
    from app.ui.main_window.session.files import AttachmentController
    from app.ui.main_window.session.message_queue import MessageQueue
    from app.ui.main_window.session.messages import Messages
    from app.ui.main_window.session.question_edit import QuestionEdit
    from app.ui.main_window.session.run_session import RunSession
    from app.ui.tasks import Tasks
    from app.ui.theme import Theme

_HISTORY = 100


class SessionController(QObject):
    """The parts of a session are built before it and told what is shown; what acts on a session comes after it."""

    def __init__(
        self,
        theme: Theme,
        composer: Composer,
        chat: ChatView,
        tasks: Tasks,
        *,
        open_session: OpenSession,
        choices: Choices,
        context: ContextController,
        drafts: Drafts,
        edit: QuestionEdit,
        files: AttachmentController,
        messages: Messages,
        queue: MessageQueue,
        run: RunSession,
        sessions: SessionService,
        ratings: RatingService,
        runs: ChatService,
    ) -> None:
        super().__init__(chat)
        self._composer, self._chat, self._tasks, self._open_session = composer, chat, tasks, open_session
        self.choices, self.context, self.drafts, self.files = choices, context, drafts, files
        self.messages, self.queue, self.run = messages, queue, run
        self._edit = edit
        self._sessions, self._ratings, self._runs = sessions, ratings, runs
        self._opening = 0
        self._empty = EmptyChat(theme)
        self._empty.example_chosen.connect(self._example)
        chat.set_empty_widget(self._empty)
        choices.agent_shown.connect(self._show_agent)
        run.over.connect(self._over)

    @property
    def row(self) -> SessionRow | None:
        """Of the open session; None while the chat is none yet."""
        return self._open_session.row

    # ------------------------------------------------------------ opening

    async def open(self, id: str) -> None:
        """Show a stored session at its end. A later `open` or `new` wins over one still reading."""
        composer = self._composer
        composer.flush_draft()
        was_empty = not composer.text()
        self._opening += 1
        me = self._opening
        await self.drafts.written()
        row = await self._sessions.row(id)
        line = await self._whole_line(id)
        ratings = await self._ratings.of_session(id)
        await self.context.read(id)
        if me != self._opening:
            return
        self._open_session.set(row)
        self._edit.end()
        self._open_session.show_title(row.title)
        self.choices.show(row)
        # What somebody began to type meanwhile was meant for the session they opened.
        typed = composer.text() if was_empty else ""
        self._fill_composer(self.drafts.of(row) + typed, line.messages)
        if typed:
            self.drafts.changed(composer.text())
        self.files.show(row.id)
        self._show(row, line, ratings)
        await self.queue.show(id)

    async def _whole_line(self, id: str) -> Branch:
        """A run that ends while we read is read again: nobody would tell us the rest."""
        line = await self.messages.read(id)
        if line.messages and line.messages[-1].state in UNFINISHED and self._runs.running(id) is None:
            await self._runs.active.written(id)
            line = await self.messages.read(id)
        return line

    async def reload(self, message: str = "", handle: RunHandle | None = None, *, in_place: bool = False) -> None:
        """The open session once more, e.g. with another variant; a message of it comes into sight, or with `in_place`
        stays where it is.

        `handle` is a run that has just been started in it, and may be over by now.
        """
        if (row := self.row) is None:
            return
        ratings = await self._ratings.of_session(row.id)
        line = await self.messages.read(row.id)  # last: nothing newer may come between it and the screen
        if self._open_session.id == row.id:
            # A card of its own at the end, as a file, is what the person wants to see.
            stays = in_place and line.messages and pressed_row(line.messages[-1]) is not None
            held = hold(self._chat) if stays else None
            self._show(row, line, ratings, handle=handle)
            if held is not None:
                take_up(self._chat, held, message)
            elif message and not in_place and line.messages and line.messages[-1].id != message:
                self._chat.scroll_to_row(message)

    def _show(self, row: SessionRow, line: Branch, ratings: dict[str, int], *, handle: RunHandle | None = None) -> None:
        self.messages.use(line, ratings)
        self.run.show(line, self.choices.faces(), row.agent, handle or self._runs.running(row.id), ratings)
        self.context.show(line.messages)

    def new(self, agent: str = "") -> None:
        """An empty chat; it becomes a session with its first question."""
        self._composer.flush_draft()
        self._opening += 1
        self._open_session.set(None)
        self._edit.end()
        self.files.show("")
        self.messages.use(Branch(), {})
        self.queue.tell()
        self._open_session.show_title("")
        self.choices.show(None, agent)
        self._fill_composer(self.drafts.of_no_session(), [])
        self.run.show(Branch(), {}, "", None)
        self.context.show(())
        self._composer.focus()

    def _fill_composer(self, draft: str, messages: Sequence[Message]) -> None:
        composer = self._composer
        composer.set_text(draft)
        questions = (message for message in reversed(messages) if message.role == "user")
        composer.field.set_history([message.text for message in islice(questions, _HISTORY)][::-1])

    def close(self) -> None:
        self._open_session.set(None)
        self.run.leave()

    # ------------------------------------------------------------ slots

    def _show_agent(self, profile: AgentProfile) -> None:
        examples = profile.examples.get(language_key()) or profile.examples.get("en") or ()
        self._empty.show_agent(profile.title, in_language(profile.description), profile.icon, examples)

    def _example(self, text: str) -> None:
        self._composer.fill(text)
        self._composer.submit()

    def _over(self) -> None:
        if self.row is not None:
            self._tasks.spawn(self._settle(self.row.id))

    async def _settle(self, id: str) -> None:
        """A run has ended: what it left on the disk is looked at once more."""
        await self._runs.active.written(id)  # of this session alone: others may go on for long
        if self._open_session.id == id and await self.messages.refresh():
            self.context.show(self.messages.line.messages)
            self.choices.tell_modes()
            await self.messages.suggest_mode()
