"""Everything of the window that needs services: made after the first paint, and the commands' target.

One method per command of `actions`; a command without a method is not offered.
Long because it is one method each.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from app.core.errors import TriptychError
from app.ui.actions import apply_shortcuts, make_actions, menu_sections
from app.ui.cards import card_png
from app.ui.cards.places import GEO, service_address
from app.ui.chat.caret import RestingCaret
from app.ui.chat.find import FindBar
from app.ui.chat.rows.items import AssistantRow, TextPart
from app.ui.dialogs import ask_to_open_link
from app.ui.main_window.dialogs.data_dialogs import DataDialogs
from app.ui.main_window.dialogs.dialog_manager import DialogManager
from app.ui.main_window.dialogs.settings import SettingsController
from app.ui.main_window.escape import is_in, taken_by
from app.ui.main_window.focus_home import FocusHome
from app.ui.main_window.menu_icons import dress
from app.ui.main_window.notices.notifier import Notifier
from app.ui.main_window.notices.startup import offer_to_go_on, tell_safe_mode
from app.ui.main_window.palette.entries import command_entries, place_entries
from app.ui.main_window.palette.palette import Palette
from app.ui.main_window.palette.prompts import Prompts
from app.ui.main_window.pane_focus import next_stop
from app.ui.main_window.plug_ins import take_plug_ins
from app.ui.main_window.session.memory_bar import MemoryBar, MemoryProposals
from app.ui.main_window.session.pane_link import PaneLink
from app.ui.main_window.session.plan_controller import PlanController
from app.ui.main_window.session.row_actions import RowActions
from app.ui.main_window.session.save_status import SaveStatus
from app.ui.main_window.session.session_controller import SessionController
from app.ui.main_window.session_list.controller import SessionList
from app.ui.main_window.session_list.search import go_to_hit, open_search
from app.ui.main_window.session_list.title_menu import TitleMenu
from app.ui.main_window.session_list.transfer import TransferController
from app.ui.main_window.welcome import Welcome
from app.ui.render.warm import warm_up
from app.ui.tasks import TURN_SECONDS
from app.ui.texts import NextAction, error_text, notice_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.services.container import Services
    from app.services.data.first_look import FirstLook
    from app.ui.chat.view import ChatView
    from app.ui.main_window.window import MainWindow
    from app.ui.reasoning import ReasoningPane
    from app.ui.tasks import Tasks
    from app.ui.theme import Theme

_ZOOM_STEP = 10


def print_page(html: str, title: str) -> bytes:
    from app.ui.render.pdf import pdf_of  # only who prints pays for it

    return pdf_of(html, title)


class WindowController:
    """`set_zoom` is asked for percents; whoever owns the theme answers with `set_theme`."""

    def __init__(
        self,
        window: MainWindow,
        services: Services,
        tasks: Tasks,
        chat: ChatView,
        reasoning: ReasoningPane,
        *,
        set_zoom: Callable[[int], None],
    ) -> None:
        self._window, self._services, self._tasks, self._set_zoom = window, services, tasks, set_zoom
        services.pictures.painter = lambda card: card_png(card.to_json(), window.theme)
        services.pictures.printer = print_page
        self._stop_listening = [take_plug_ins(window, services)]
        self.chat, self.reasoning = chat, reasoning
        window.set_chat(self.chat)
        window.set_reasoning(self.reasoning)
        RestingCaret(window.composer.field)
        FocusHome(window, self._home_of)
        self.conversation = SessionController(window, services, self.chat, self.reasoning, tasks, do=self._do)
        self.pane_link = PaneLink(
            window,
            services,
            self.chat,
            self.reasoning,
            self.conversation.talk,
            tasks,
            message_of=self.conversation.messages.message,
            run_again=self.conversation.again.from_step,
        )
        self.plan = PlanController(
            self.conversation.talk, tasks, tools=services.tools, templates=services.templates, runs=services.runs
        )
        self.plan.told.connect(window.notice.tell)
        self.plan.again_asked.connect(lambda run, step: tasks.spawn(self.conversation.again.from_step(run, step, True)))
        RowActions(self.chat, self.conversation, self.pane_link, tasks)
        self.find = FindBar(window.theme, self.chat, self.conversation.messages.sources)
        self.find.closed.connect(window.composer.focus)
        window.put_above_chat(self.find)
        self.transfer = TransferController(window, services, tasks, open_session=self._open)
        self.sessions = SessionList(
            window, services, tasks, on_gone=self._gone, open_session=self._open, export=self.transfer.export_some
        )
        self.keeping = SaveStatus(window, services, tasks, refresh=self.sessions.refresh)
        self.windows = DialogManager()
        self.settings = SettingsController(
            window,
            services,
            tasks,
            actions=lambda: self.actions,
            session=lambda: self.conversation.row.id if self.conversation.row else "",
        )
        self.memory_bar = MemoryBar(window.theme)
        window.put_above_composer(self.memory_bar)
        self.proposals = MemoryProposals(self.memory_bar, services.memory, tasks, window)
        window.session_opened.connect(self.proposals.open_session)
        self.prompts = Prompts(window, services, tasks, self.settings)
        self.notifier = Notifier(window, services, tasks, self.conversation)
        self.records = DataDialogs(
            window, services, tasks, self.windows, conversation=self.conversation, sessions=self.sessions
        )
        self.settings.restored.connect(lambda: tasks.spawn(self.records.reread()))
        more = partial(self.settings.show, "providers")
        self.welcome = Welcome(window, services, tasks, self.chat, self.conversation, more=more)
        self.actions: Mapping[str, QAction] = make_actions(window, self)
        window.header.fill_menu(menu_sections(self.actions))
        dress(self.actions, window.theme)
        self.title_menu = TitleMenu(window.header, window.sessions, self.actions)
        window.header.agents_asked.connect(self.open_agents)
        window.header.providers_asked.connect(self.open_providers)
        self._stop_listening.append(services.settings.listen(self._settings_changed))
        self._stop_listening.append(services.providers.listen(lambda _id: self._settings_changed()))
        window.sessions.session_chosen.connect(self._open)
        window.sessions.new_asked.connect(self.new_session)
        window.sessions.settings_asked.connect(self.open_settings)
        window.sessions.settings_button.show()
        self.chat.link_activated.connect(self._open_link)
        self._apply_preferences()

    def _home_of(self, lost: QWidget | None) -> QWidget:
        """Who had answered a plan goes on at the composer, who had read on in the chat."""
        has_read = is_in(lost, self.chat) and not is_in(lost, self.conversation.talk.plan)
        return self.chat.list if has_read else self._window.composer.field

    # ------------------------------------------------------------ life

    async def begin(
        self, first: FirstLook, cut_off: Collection[str] = (), trouble: TriptychError | None = None
    ) -> None:
        """Open what was asked for, tell what must be told, send what was typed before.

        `cut_off` are sessions whose last answer ended with the process before: going on is offered.
        `trouble` is why the data can be read only.
        """
        # The window gets its turn between the pieces: somebody may be typing.
        await asyncio.sleep(TURN_SECONDS)
        rows = await self._services.sessions.rows(archived=True)
        self._window.sessions.set_rows(rows)
        rows = [row for row in rows if not row.archived]
        await asyncio.sleep(TURN_SECONDS)
        typed = self._window.composer.text()
        is_fresh = bool(first.agent or typed or first.safe_mode)
        await self._open_first(first, rows[0].id if rows and not is_fresh else "")
        if typed:
            self._window.composer.set_text(typed)
        early = self.conversation.take_questions()
        if trouble is None:
            await self.welcome.show_if_new()
        if self.welcome.page is None:
            self.conversation.can_answer()
        for notice in self._services.settings.take_notices():
            self._window.notice.tell(notice_text(notice.code, notice.text, notice.params), "warn")
        if left := [row for row in rows if row.id in cut_off]:
            offer_to_go_on(self._window, self.conversation, left, self._open)
        if first.safe_mode:
            tell_safe_mode(self._window, first.safe_mode)
        if trouble is not None:
            self.keeping.tell(trouble)
        else:
            self._tasks.spawn(self.keeping.warn_of_place(self.open_data))
        if early:
            await self.conversation.send(early)

    async def warm_up(self) -> None:
        """What the first answer needs is loaded while the person still types."""
        await self.reasoning.make_views()
        await asyncio.to_thread(warm_up)
        await self._services.models.warm_up()

    async def _open_first(self, first: FirstLook, latest: str) -> None:
        id = first.session or latest
        if not id or not await self._opened(id):
            self.conversation.new(first.agent)

    async def _opened(self, id: str) -> bool:
        try:
            await self.conversation.open(id)
        except TriptychError as error:
            text = error_text(error.code, error.message, error.params)
            self._window.notice.tell(f"{text.what} {text.do}".strip(), "warn")
            return False
        return True

    async def visit(self, session: str, agent: str) -> None:
        """A further start of the program asks for a session, or else for a new one with `agent`."""
        row = self.conversation.row
        if session and (row is None or row.id != session):
            self.find.forget()
            await self._opened(session)
        elif agent:
            self.find.forget()
            self.conversation.new(agent)

    def answers(self) -> list[str]:
        """The visible text of every answer in the chat, oldest first."""
        rows = [row for row in self.chat.rows() if isinstance(row, AssistantRow)]
        return ["".join(part.text for part in row.parts if isinstance(part, TextPart)) for row in rows]

    def set_theme(self, theme: Theme) -> None:
        self.chat.set_theme(theme)
        self.reasoning.set_theme(theme)
        self.conversation.set_theme(theme)
        self.find.set_theme(theme)
        dress(self.actions, theme)
        self.memory_bar.set_theme(theme)
        self.welcome.set_theme()

    def close(self) -> None:
        """Nothing is heard or followed any more; what runs is for the services to end."""
        self._window.composer.flush_draft()
        for stop in self._stop_listening:
            stop()
        self.keeping.close()
        self.proposals.close()
        self.notifier.close()
        self.windows.close()
        self.settings.close()
        self.welcome.close()
        self.sessions.close()
        self.conversation.close()
        self.chat.close_down()

    # ------------------------------------------------------------ sessions

    def new_session(self) -> None:
        self.find.forget()
        self.conversation.new()

    def new_temporary_session(self) -> None:
        self.find.forget()
        self._tasks.spawn(self._begin_temporary())

    async def _begin_temporary(self) -> None:
        """Made at once, because what is typed for a session that is not there yet would be kept on the disk."""
        unused = (row for row in self._window.sessions.model.all_rows() if row.is_temporary and not row.preview)
        row = next(unused, None)
        if row is None:
            row = await self._services.sessions.create(self.conversation.choices.agent, temporary=True)
        await self.conversation.open(row.id)
        self._window.composer.focus()

    def archive_session(self) -> None:
        if (row := self.conversation.row) is not None and not row.is_temporary:
            self._tasks.spawn(self.sessions.archive([row.id], not row.archived))

    def rename_session(self) -> None:
        self._window.header.title.edit()

    def delete_session(self) -> None:
        if (row := self.conversation.row) is not None:
            self._tasks.spawn(self.sessions.trash([row.id]))

    def export_session(self) -> None:
        if (row := self.conversation.row) is not None:
            self.transfer.export(row)

    def undo_last(self) -> None:
        self._window.notice.undo()

    def open_bin(self) -> None:
        from app.ui.dialogs.data.bin import BinDialog

        sessions, backups = self._services.sessions, self._services.backups
        BinDialog(sessions, backups, self._window.theme, spawn=self._tasks.spawn, parent=self._window).open()

    def import_sessions(self) -> None:
        self.transfer.choose_import()

    def next_session(self) -> None:
        self._open(self._window.sessions.neighbour(1))

    def previous_session(self) -> None:
        self._open(self._window.sessions.neighbour(-1))

    def go_to_session(self, number: int) -> None:
        self._open(self._window.sessions.nth(number - 1))

    def search_sessions(self) -> None:
        go = partial(go_to_hit, self.conversation, self.chat, self.find)
        open_search(self._window, self._services, self._tasks, go)

    def find_in_chat(self) -> None:
        self.find.open_bar()

    def _open(self, id: str) -> None:
        row = self.conversation.row
        if id and (row is None or row.id != id):
            self.find.forget()
            self._tasks.spawn(self.conversation.open(id), f"open {id}")

    def focus_card(self) -> None:
        self.notifier.go_to_card()

    def _open_link(self, address: str) -> None:
        """A place is shown by the map service the person chose; every address is shown before it is opened."""
        if address.startswith(GEO):
            address = service_address(address, self._services.settings.preferences.map_service)
        ask_to_open_link(self._window, self._window.theme, address)

    def answer(self, words: str) -> None:
        """An option of a card was chosen: the answer to what is asked just now, else the next message."""
        if not self.conversation.talk.reply(words):
            self._tasks.spawn(self.conversation.send(words, typed=False))

    def _gone(self, id: str) -> None:
        """A session went to the bin: if it was open, the one beside it opens."""
        row = self.conversation.row
        if row is None or row.id != id:
            return
        neighbour = self._window.sessions.neighbour(1)
        if neighbour and neighbour != id:
            self._open(neighbour)
        else:
            self.conversation.new()

    # ------------------------------------------------------------ panes and looks

    def toggle_left(self) -> None:
        self._window.panes.toggle("left")

    def toggle_right(self) -> None:
        self._window.panes.toggle("right")

    def zoom_in(self) -> None:
        self._set_zoom(round(self._window.theme.zoom * 100) + _ZOOM_STEP)

    def zoom_out(self) -> None:
        self._set_zoom(round(self._window.theme.zoom * 100) - _ZOOM_STEP)

    def zoom_reset(self) -> None:
        self._set_zoom(100)

    def cycle_mode(self) -> None:
        self._window.modes.cycle()

    def focus_composer(self) -> None:
        self._window.composer.focus()

    def next_pane(self) -> None:
        """Sessions, chat, composer, reasoning, and round again; what is folded is passed over."""
        left, card = self._window.sessions, self.conversation.talk.card()
        first = left.list if left.list.isVisible() else left.search
        pane = next_stop([first, self.chat.list, card, self._window.composer.field, self.reasoning])
        if pane is self.reasoning:
            self.reasoning.focus_search()
        elif pane is card:
            self.focus_card()
        else:
            pane.setFocus(Qt.FocusReason.TabFocusReason)

    def escape(self) -> None:
        """A run is stopped from the composer and the chat only; from elsewhere the focus comes back first."""
        window, focus = self._window, QApplication.focusWidget()
        if taken_by(focus):
            return
        if focus is not None and not is_in(focus, window.composer, self.chat):
            window.composer.focus()
        elif self.find.isVisible():
            self.find.close_bar()
        elif self.conversation.talk.handle is not None:
            self.conversation.talk.stop()
        else:
            self._window.notice.dismiss()

    def answer_now(self) -> None:
        self.conversation.talk.answer_now()

    def one_more_round(self) -> None:
        self.conversation.talk.one_more_round()

    def forget_ratings(self) -> None:
        self._tasks.spawn(self.conversation.forget_ratings())

    def close_window(self) -> None:
        if self.settings.may_close():
            self._window.close()

    # ------------------------------------------------------------ settings

    def open_settings(self) -> None:
        self.settings.show()

    def open_agents(self) -> None:
        self.settings.show("agents", self.conversation.choices.agent)

    def open_providers(self) -> None:
        self.settings.show("providers")

    def open_mcp(self) -> None:
        self.settings.show("mcp")

    def open_templates(self) -> None:
        self.settings.show("templates")

    def show_welcome(self) -> None:
        self.new_session()
        self.welcome.show()

    def open_permissions(self) -> None:
        self.settings.show("permissions")

    def open_data(self) -> None:
        self.settings.show("data")

    def open_usage(self) -> None:
        self.settings.show("usage")

    def compare_modes(self) -> None:
        self.records.compare_modes()

    def compare_runs(self) -> None:
        self.records.compare_runs()

    def replay(self) -> None:
        self.records.replay()

    def show_keys(self) -> None:
        self.settings.show("keys")

    def open_palette(self) -> None:
        places = place_entries(self._window, self._services, self.conversation, self._open)
        palette = Palette(self._window.theme, [*command_entries(self.actions), *places], self._window)
        palette.open()
        palette.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _do(self, action: NextAction) -> None:
        match action:
            case "new_session":
                self.new_session()
            case "providers":
                self.open_providers()
            case "agent":
                self.open_agents()

    def _settings_changed(self) -> None:
        self.conversation.choices.refresh()
        self.sessions.tell_agents()
        self._apply_preferences()

    def _apply_preferences(self) -> None:
        preferences = self._services.settings.preferences
        self._window.composer.set_send_key(preferences.send_key)
        apply_shortcuts(self.actions, preferences.shortcuts)
