"""The open session: opened, begun, written to, asked again; its draft kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QGuiApplication

from app.core.errors import TriptychError
from app.core.i18n import _, current_language
from app.core.mode import PLAN, REACT
from app.core.profile import AgentProfile, in_language
from app.core.session import SessionRow
from app.ui.chat.empty import EmptyChat
from app.ui.main_window.approvals import Approvals
from app.ui.main_window.choices import Choices
from app.ui.main_window.talk import Talk
from app.ui.run_presenter.answer import RERUN
from app.ui.run_presenter.stored import text_length
from app.ui.texts import NextAction, action_title, error_text

if TYPE_CHECKING:
    from app.core.messages import Message
    from app.services.all import Services
    from app.ui.chat.view import ChatView
    from app.ui.main_window.window import MainWindow
    from app.ui.reasoning import ReasoningPane
    from app.ui.tasks import Tasks

_log = logging.getLogger(__name__)
_HISTORY = 100
_NEW_DRAFT = "draft/new"
_KEEP_DRAFT = "keep draft"


class Conversation:
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
        self._is_sending = False
        self._characters = 0
        self._empty = EmptyChat(window.theme)
        chat.set_empty_widget(self._empty)
        self.choices = Choices(window, services, tasks, on_agent=self._show_agent)
        self.talk = Talk(
            window,
            chat,
            pane,
            tasks,
            events=services.runs.events,
            approval_card=Approvals(window, services, tasks).card,
            on_over=self._over,
            on_context=self._tell_context,
            on_mode=self._mode,
        )
        self._connect(pane)

    # ------------------------------------------------------------ opening

    async def open(self, id: str) -> None:
        """Show a stored session at its end. A later `open` or `new` wins over one still reading."""
        self._window.composer.flush_draft()
        self._opening += 1
        me = self._opening
        await self._tasks.finish(_KEEP_DRAFT)
        row = await self._services.sessions.row(id)
        messages = await self._services.sessions.messages(id)
        if me != self._opening:
            return
        self.row = row
        self._window.set_open(row.id, row.title)
        self.choices.show(row)
        self._fill_composer(row.draft, messages)
        self._characters = text_length(messages)
        self.talk.show(messages, self.choices.faces(), row.agent, self._services.chat.running(id))
        self._tell_context()

    def new(self, agent: str = "") -> None:
        """An empty chat; it becomes a session with its first question."""
        self._window.composer.flush_draft()
        self._opening += 1
        self.row = None
        self._characters = 0
        self._window.set_open("", "")
        self.choices.show(None, agent)
        draft = self._window.settings.value(_NEW_DRAFT, "")
        self._fill_composer(str(draft or ""), [])
        self.talk.show([], {}, "", None)
        self._tell_context()
        self._window.composer.focus()

    def _fill_composer(self, draft: str, messages: list[Message]) -> None:
        composer = self._window.composer
        composer.set_text(draft)
        asked = (message for message in reversed(messages) if message.role == "user")
        composer.field.set_history([message.text for message in islice(asked, _HISTORY)][::-1])

    # ------------------------------------------------------------ asking

    async def send(self, text: str) -> None:
        """Stays in the composer until it is stored."""
        if self._is_sending:
            return
        if self.talk.handle is not None:
            self._tell_error("ALREADY_RUNNING")
            return
        self._is_sending = True
        try:
            await self._send(text)
        except TriptychError as error:
            self._tell_error(error.code, error)
        finally:
            self._is_sending = False

    async def _send(self, text: str) -> None:
        composer, choices = self._window.composer, self.choices
        if not self.can_answer():
            # Before a session is made for a question nobody can answer.
            return
        row, mode = self.row, self._window.modes.mode()
        if row is None:
            row = await self._services.sessions.create(choices.profile().id, mode, choices.model)
            self.row = row
            choices.show(row)
        handle = await self._services.chat.send(row.id, text, mode)
        composer.clear_sent(text)
        self._window.settings.setValue(_NEW_DRAFT, "")
        self._tasks.spawn(self._services.sessions.update(row.id, draft=""), _KEEP_DRAFT)
        if self.row is not None and self.row.id == row.id:
            self._window.set_open(row.id, self._window.header.title.full_text() if row.title else "")
            self._window.notice.dismiss()
            self._characters += len(text)
            self.talk.add_question(text, handle, choices.faces(), row.agent)

    def can_answer(self) -> bool:
        """Whether there is a model; if not, the way to one is told."""
        if self.choices.model_in_use():
            return True
        self._tell_error("NOT_CONFIGURED")
        return False

    async def ask_again(self, mode: str = "") -> None:
        """The last question once more, in another mode if one is named."""
        if self.row is None or self.talk.handle is not None:
            return
        row = self.row
        try:
            handle = await self._services.chat.rerun(row.id, mode)
        except TriptychError as error:
            self._tell_error(error.code, error)
            return
        if self.row is row:
            self.talk.replace_answer(handle, self.choices.faces(), row.agent)

    # ------------------------------------------------------------ slots

    def row_action(self, _row_id: str, action: str) -> None:
        if action == "regenerate":
            self._tasks.spawn(self.ask_again())
        elif action.startswith(RERUN):
            self._tasks.spawn(self.ask_again(action.removeprefix(RERUN)))
        elif action == "continue":
            self._tasks.spawn(self.send(_("Please continue where you stopped.")))
        elif action.startswith("do:"):
            self._next(action.removeprefix("do:"))

    def _next(self, action: str) -> None:
        match action:
            case "retry" | "regenerate":
                self._tasks.spawn(self.ask_again())
            case "report":
                QGuiApplication.clipboard().setText(self._window.notice.text())
            case "new_session" | "providers" | "agent":
                self._do(action)
            case _:
                _log.warning("no such action: %s", action)

    def _draft(self, text: str) -> None:
        if self.row is None:
            self._window.settings.setValue(_NEW_DRAFT, text)
            self._window.settings.sync()
        else:
            self._tasks.spawn(self._services.sessions.update(self.row.id, draft=text), _KEEP_DRAFT)

    def _show_agent(self, profile: AgentProfile) -> None:
        examples = profile.examples.get("zh" if current_language() == "zh_CN" else "en") or ()
        self._empty.show_agent(profile.title, in_language(profile.description), profile.icon, examples)
        self._tell_context()

    def _example(self, text: str) -> None:
        self._window.composer.fill(text)
        self._window.composer.submit()

    def _mode(self, mode: str, is_over: bool) -> None:
        """The reasoning pane opens, folds at the end, or stays shut, as the preferences say for the mode."""
        self._window.composer.offer_answer(mode in (REACT, PLAN) and not is_over)
        wish = getattr(self._services.settings.preferences, f"reasoning_{mode}", "")
        panes = self._window.panes
        if wish == "open" or (wish == "fold" and not is_over):
            panes.suggest("right", True)
        elif wish in ("closed", "fold"):
            panes.suggest("right", False)

    def _over(self) -> None:
        if self.row is not None:
            row = self.row
            self._tasks.spawn(self._count(row.id))

    async def _count(self, id: str) -> None:
        messages = await self._services.sessions.messages(id)
        if self.row is not None and self.row.id == id:
            self._characters = text_length(messages)
            self._tell_context()

    def _tell_context(self, _tokens: int = 0) -> None:
        profile = self.choices.profile()
        used = self._characters + len(profile.system_prompt) if self._characters else 0
        self._window.header.meter.set_figures(used, profile.context_limit)

    def _tell_error(self, code: str, error: TriptychError | None = None) -> None:
        text = error_text(code, error.message if error else "", error.params if error else None)
        action = text.action
        answer = (lambda: self._next(action)) if action else None
        words = f"{text.what} {text.do}".strip()
        self._window.notice.tell(words, "warn", button=action_title(action), answer=answer)

    def _connect(self, pane: ReasoningPane) -> None:
        window = self._window
        window.composer.submitted.disconnect(window.keep_early)
        window.composer.submitted.connect(lambda text: self._tasks.spawn(self.send(text)))
        window.composer.stop_asked.connect(self.talk.stop)
        window.composer.answer_asked.connect(self.talk.answer_now)
        window.composer.draft_changed.connect(self._draft)
        self._empty.example_chosen.connect(self._example)
        self._chat.row_action.connect(self.row_action)
        pane.plan_submitted.connect(self._submit_plan)

    def _submit_plan(self, goal: str, steps: list[Mapping[str, Any]]) -> None:
        if (handle := self.talk.handle) is not None:
            handle.submit_plan(goal, steps)
