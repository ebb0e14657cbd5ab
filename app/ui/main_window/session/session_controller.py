"""The open session: opened, begun, written to, asked again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, assert_never

from PySide6.QtGui import QGuiApplication

from app.core.errors import TriptychError
from app.core.profile import AgentProfile, in_language
from app.core.run.mode import PLAN, REACT
from app.core.run.outcome import UNFINISHED
from app.core.session.branches import Branch
from app.core.session.summary import SessionRow
from app.core.text.i18n import _, language_key
from app.ui.chat.empty import EmptyChat
from app.ui.main_window.session.approvals import Approvals
from app.ui.main_window.session.choices import Choices
from app.ui.main_window.session.context import Context
from app.ui.main_window.session.drafts import Drafts
from app.ui.main_window.session.files import Files
from app.ui.main_window.session.message_queue import Waiting
from app.ui.main_window.session.messages import Messages
from app.ui.main_window.session.rerun import RerunController
from app.ui.main_window.session.run_session import RunSession
from app.ui.main_window.session.save_status import UNWRITTEN, save_text
from app.ui.run_presenter.stored import files_of
from app.ui.texts import NextAction, action_title, error_text

if TYPE_CHECKING:
    from app.core.run.events import RunHandle
    from app.core.run.messages import Message
    from app.services.container import Services
    from app.ui.chat.view import ChatView
    from app.ui.main_window.window import MainWindow
    from app.ui.reasoning import ReasoningPane
    from app.ui.tasks import Tasks
    from app.ui.theme import Theme

_HISTORY = 100


class SessionController:
    """`do` carries out what a button beside an error names: open a dialog, begin anew."""

    def __init__(
        self,
        window: MainWindow,
        services: Services,
        chat: ChatView,
        pane: ReasoningPane,
        tasks: Tasks,
        *,
        do: Callable[[NextAction], None],
    ) -> None:
        self._window, self._services, self._chat, self._tasks, self._do = window, services, chat, tasks, do
        self.row: SessionRow | None = None
        self._opening = 0
        self._editing = ""
        """The question that what stands in the composer shall replace."""
        self._is_sending = False
        self.drafts = Drafts(window, services, tasks, shown=self._shown, on_error=self._tell)
        self._empty = EmptyChat(window.theme)
        chat.set_empty_widget(self._empty)
        self.choices = Choices(window, services, tasks, on_agent=self._show_agent)
        self.context = Context(window, services, tasks, row=lambda: self.row, profile=self.choices.profile)
        self.talk = RunSession(
            window,
            chat,
            pane,
            tasks,
            events=services.runs.events,
            approval_card=Approvals(window, services, tasks).card,
            on_over=self._over,
            on_context=lambda _tokens: self.context.tell(),
            on_mode=self._mode,
        )
        self.messages = Messages(
            window,
            services,
            chat,
            tasks,
            row=lambda: self.row,
            reload=self.reload,
            open_session=self.open,
            again=lambda message, settings: self.again.ask("", message, settings),
            on_error=self._tell,
        )
        self.again = RerunController(
            services,
            self.talk,
            self.choices,
            self.messages,
            row=lambda: self.row,
            reload=self.reload,
            on_error=self._tell_error,
        )
        self.files = Files(window, services, tasks, pictures=lambda: chat.pictures, on_error=self._tell)
        self.waiting = Waiting(
            window,
            services,
            tasks,
            shown=self._shown,
            send=lambda text: self.send(text, typed=False),
        )
        self._connect()

    def take_questions(self) -> str:
        """From now on; returns what was sent before, if anything was.

        Not earlier than the first session is open: it would come to stand where a question has just made one.
        """
        window = self._window
        window.composer.submitted.disconnect(window.keep_early)
        window.composer.submitted.connect(self._submitted)
        return window.take_early_message()

    # ------------------------------------------------------------ opening

    async def open(self, id: str) -> None:
        """Show a stored session at its end. A later `open` or `new` wins over one still reading."""
        composer = self._window.composer
        composer.flush_draft()
        was_empty = not composer.text()
        self._opening += 1
        me = self._opening
        await self.drafts.written()
        row = await self._services.sessions.row(id)
        line = await self._whole_line(id)
        ratings = await self._services.ratings.of_session(id)
        await self.context.read(id)
        if me != self._opening:
            return
        self.row = row
        self.end_edit()
        self._window.set_open(row.id, row.title)
        self.choices.show(row)
        # What somebody began to type meanwhile was meant for the session they opened.
        typed = composer.text() if was_empty else ""
        self._fill_composer(self.drafts.of(row) + typed, line.messages)
        if typed:
            self.drafts.changed(composer.text())
        self.files.show(row.id)
        self._show(row, line, ratings)
        await self.waiting.show(id)

    async def _whole_line(self, id: str) -> Branch:
        """A run that ends while we read is read again: nobody would tell us the rest."""
        line = await self.messages.read(id)
        if line.messages and line.messages[-1].state in UNFINISHED and self._services.chat.running(id) is None:
            await self._services.chat.recorded()
            line = await self.messages.read(id)
        return line

    def _shown(self) -> str:
        return self.row.id if self.row is not None else ""

    async def reload(self, message: str = "", handle: RunHandle | None = None) -> None:
        """The open session once more, e.g. with another variant; a message of it comes into sight.

        `handle` is a run that has just been started in it, and may be over by now.
        """
        if (row := self.row) is None:
            return
        line = await self.messages.read(row.id)
        ratings = await self._services.ratings.of_session(row.id)
        if self._shown() == row.id:
            self._show(row, line, ratings, handle=handle)
            if message and line.messages and line.messages[-1].id != message:
                self._chat.scroll_to_row(message)

    def _show(self, row: SessionRow, line: Branch, ratings: dict[str, int], *, handle: RunHandle | None = None) -> None:
        self.messages.use(line, ratings)
        self.talk.show(line, self.choices.faces(), row.agent, handle or self._services.chat.running(row.id), ratings)
        self.context.show(line.messages)

    def new(self, agent: str = "") -> None:
        """An empty chat; it becomes a session with its first question."""
        self._window.composer.flush_draft()
        self._opening += 1
        self.row = None
        self.end_edit()
        self.files.show("")
        self.messages.use(Branch(), {})
        self.waiting.tell()
        self._window.set_open("", "")
        self.choices.show(None, agent)
        self._fill_composer(self.drafts.of_no_session(), [])
        self.talk.show(Branch(), {}, "", None)
        self.context.show(())
        self._window.composer.focus()

    def _fill_composer(self, draft: str, messages: Sequence[Message]) -> None:
        composer = self._window.composer
        composer.set_text(draft)
        questions = (message for message in reversed(messages) if message.role == "user")
        composer.field.set_history([message.text for message in islice(questions, _HISTORY)][::-1])

    def close(self) -> None:
        self.row = None
        self.waiting.close()
        self.talk.leave()

    def set_theme(self, theme: Theme) -> None:
        self.waiting.bar.set_theme(theme)
        self.talk.plan.set_theme(theme)

    # ------------------------------------------------------------ asking

    def _submitted(self, text: str) -> None:
        # At once: a moment later another session may be open.
        if self.talk.handle is not None and self.row is not None:
            self._queue(text)
        else:
            self._tasks.spawn(self.send(text))

    async def send(self, text: str, *, typed: bool = True, mode: str = "") -> bool:
        """Whether it was taken; `typed` text stays in the composer until it is stored. `mode` for this one question."""
        if self._is_sending:
            return False
        if self.talk.handle is not None and self.row is not None:
            return self._queue(text)
        self._is_sending = True
        session = self._shown()
        try:
            if self._editing and typed:
                return await self._send_edited(text)
            return await self._send(text, typed=typed, mode=mode)
        except TriptychError as error:
            self._tell_error(error.code, error, session=session or self._shown())
            return False
        finally:
            self._is_sending = False

    def _queue(self, text: str) -> bool:
        if self.files.chosen() or self._editing:
            self._tell_error("ALREADY_RUNNING")
            return False
        self.waiting.put(text)
        self._window.composer.clear_sent(text)
        self.drafts.changed("")
        return True

    async def _send(self, text: str, *, typed: bool, mode: str = "") -> bool:
        composer, choices = self._window.composer, self.choices
        if not self.can_answer():
            # Before a session is made for a question nobody can answer.
            return False
        row, mode = self.row, mode or self._window.modes.mode()
        files = self.files.chosen() if typed else ()
        if row is None:
            row = await self._services.sessions.create(choices.profile().id, mode, choices.model)
            self.row = row
            self._window.notice.open_session(row.id)  # what goes wrong from here on belongs to it
            choices.show(row)
        handle = await self._services.chat.send(row.id, text, mode, attachments=files)
        if typed:
            self.files.sent()
            self.files.show(row.id)
            composer.clear_sent(text)
            self.drafts.first_sent()
            self.drafts.keep(row.id, "")
        if self._shown() == row.id:
            self._window.set_open(row.id, self._window.header.title.full_text() if row.title else "")
            self._window.notice.dismiss()
            self.context.add(len(text))
            self.talk.add_question(text, handle, choices.faces(), row.agent, files_of(files))
            self._tasks.spawn(self.messages.refresh())
        return True

    async def _send_edited(self, text: str) -> bool:
        """The text takes the place of an earlier question; the old line stays as a variant."""
        row = self.row
        if row is None or not self.can_answer():
            return False
        handle = await self._services.chat.edit(row.id, self._editing, text, self._window.modes.mode())
        self._window.composer.clear_sent(text)
        self.drafts.keep(row.id, "")
        self.end_edit()
        if self._shown() == row.id:
            await self.reload(handle=handle)
        return True

    def edit(self, row_id: str) -> None:
        """The question of a row comes into the composer; what is sent then takes its place."""
        if (message := self.messages.message(row_id)) is None:
            return
        self._editing = message.id
        self._window.composer.set_editing(True)
        self._window.composer.fill(message.text)

    def end_edit(self) -> None:
        if self._editing:
            self._editing = ""
            self._window.composer.set_editing(False)

    def _cancel_edit(self) -> None:
        self.end_edit()
        self._window.composer.fill("")

    def can_answer(self) -> bool:
        """Whether there is a model; if not, the way to one is told."""
        if self.choices.model_in_use():
            return True
        self._tell_error("NOT_CONFIGURED")
        return False

    # ------------------------------------------------------------ slots

    def resume(self) -> None:
        """The last answer goes on where it was cut off."""
        self._tasks.spawn(self.again.go_on(""))

    async def forget_ratings(self) -> None:
        await self._services.ratings.reset()
        self._window.notice.tell(_("Your ratings were forgotten; nothing is suggested by them any more."))
        await self.reload()

    def follow(self, way: NextAction) -> None:
        """The way out that the sentence of an error names."""
        match way:
            case "retry" | "regenerate":
                self._tasks.spawn(self.again.ask())
            case "report":
                QGuiApplication.clipboard().setText(self._window.notice.text())
            case "new_session" | "providers" | "agent":
                self._do(way)
            case "":
                pass
            case _:
                assert_never(way)

    def _show_agent(self, profile: AgentProfile) -> None:
        examples = profile.examples.get(language_key()) or profile.examples.get("en") or ()
        self._empty.show_agent(profile.title, in_language(profile.description), profile.icon, examples)
        self.context.tell()

    def _example(self, text: str) -> None:
        self._window.composer.fill(text)
        self._window.composer.submit()

    def _mode(self, mode: str, is_over: bool) -> None:
        """The reasoning pane opens, folds at the end, or stays shut, as the preferences say for the mode."""
        self._window.composer.offer_answer(mode in (REACT, PLAN) and not is_over)
        wish = getattr(self._services.settings.preferences, f"reasoning_{mode}", "")
        panes = self._window.panes
        if wish in ("open", "fold", "closed"):
            panes.suggest("right", wish == "open" or (wish == "fold" and not is_over))

    def _over(self) -> None:
        if self.row is not None:
            row = self.row
            self._tasks.spawn(self._settle(row.id))

    async def _settle(self, id: str) -> None:
        """A run has ended: what it left on the disk is looked at once more."""
        await self._services.chat.recorded()
        if self._shown() == id and await self.messages.refresh():
            self.context.show(self.messages.line.messages)
            self.choices.tell_modes()
            await self.messages.suggest_mode()

    def _tell(self, error: TriptychError) -> None:
        self._tell_error(error.code, error)

    def _tell_error(self, code: str, error: TriptychError | None = None, *, session: str | None = None) -> None:
        """`session`: whose notice it is, by default of the open one."""
        text = error_text(code, error.message if error else "", error.params if error else None)
        action = text.action
        button, answer = action_title(action), (lambda: self.follow(action)) if action else None
        agent, name = self.choices.another_agent() if code == "NOT_CONFIGURED" else ("", "")
        if agent:
            button, answer = _("Ask {agent}").format(agent=name), lambda: self._use_agent(agent)
        if code in UNWRITTEN and self._window.composer.text().strip():
            button, answer = _("Save the text elsewhere…"), lambda: save_text(self._window)
        words = f"{text.what} {text.do}".strip()
        self._window.notice.tell(
            words, "warn", button=button, answer=answer, session=self._shown() if session is None else session
        )

    def _use_agent(self, agent: str) -> None:
        self._window.notice.dismiss()
        self.choices.choose_agent(agent)
        self._window.composer.focus()

    def _connect(self) -> None:
        window = self._window
        window.composer.stop_asked.connect(self.talk.stop)
        window.composer.answer_asked.connect(self.talk.answer_now)
        window.composer.round_asked.connect(self.talk.one_more_round)
        window.composer.edit_cancelled.connect(self._cancel_edit)
        self._empty.example_chosen.connect(self._example)
