"""The composition of the window: every part is built here, once, and handed the parts and services it uses.

Each part comes after those it needs; what comes back from a part is a signal, connected where both are there. The
window gets its turn in between, for somebody may be typing already.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from app.ui.actions import WindowActions, menu_sections
from app.ui.cards import card_png
from app.ui.cards.factory import CardFactory
from app.ui.cards.map.tiles import TileLayer, use_tiles
from app.ui.chat.caret import RestingCaret
from app.ui.chat.find import FindBar
from app.ui.chat.view import ChatView
from app.ui.hotkey.controller import GlobalHotkey
from app.ui.hotkey.desktop import desktop_keyboard
from app.ui.main_window.controls.focus import FocusController
from app.ui.main_window.controls.focus_home import FocusHome
from app.ui.main_window.controls.links import LinkOpener
from app.ui.main_window.controls.preferences import AppliedPreferences
from app.ui.main_window.controls.zoom import Zoom
from app.ui.main_window.dialogs.agent_pages import AgentPages
from app.ui.main_window.dialogs.data_dialogs import DataDialogs
from app.ui.main_window.dialogs.dialog_manager import DialogManager
from app.ui.main_window.dialogs.program_pages import ProgramPages
from app.ui.main_window.dialogs.settings import SettingsController
from app.ui.main_window.dialogs.skill_draft import SkillDraft
from app.ui.main_window.menu_icons import dress
from app.ui.main_window.notices.notifier import Notifier
from app.ui.main_window.notices.startup import StartupNotices
from app.ui.main_window.open_session import OpenSession
from app.ui.main_window.palette.entries import PaletteController
from app.ui.main_window.palette.mentions import Mentions
from app.ui.main_window.palette.prompts import Prompts
from app.ui.main_window.plug_ins import CardFaults, take_plug_ins
from app.ui.main_window.quick_ask import QuickAskController
from app.ui.main_window.row_actions import RowActions
from app.ui.main_window.session.approvals import Approvals
from app.ui.main_window.session.bars.memory_bar import MemoryBar, MemoryProposals
from app.ui.main_window.session.bars.timer_strip import TimerPlace, TimerStrip
from app.ui.main_window.session.choices import Choices
from app.ui.main_window.session.context import ContextController
from app.ui.main_window.session.drafts import Drafts
from app.ui.main_window.session.error_notices import ErrorNotices
from app.ui.main_window.session.files import AttachmentController
from app.ui.main_window.session.folder import FolderController
from app.ui.main_window.session.message_queue import MessageQueue
from app.ui.main_window.session.messages import Messages
from app.ui.main_window.session.passages import Passages
from app.ui.main_window.session.question_edit import QuestionEdit
from app.ui.main_window.session.remote_pictures import RemotePictures
from app.ui.main_window.session.run_cards import RunCards
from app.ui.main_window.session.run_session import RunSession
from app.ui.main_window.session.save_status import SaveStatus
from app.ui.main_window.session.session_controller import SessionController
from app.ui.main_window.session.written_files import WrittenFiles
from app.ui.main_window.session_actions.message_actions import MessageActions
from app.ui.main_window.session_actions.page import PageController
from app.ui.main_window.session_actions.page_actions import PageActions
from app.ui.main_window.session_actions.pane_link import PaneLink
from app.ui.main_window.session_actions.plan_controller import PlanController
from app.ui.main_window.session_actions.questions import QuestionController
from app.ui.main_window.session_actions.queue_sender import QueueSender
from app.ui.main_window.session_actions.rerun import RerunController
from app.ui.main_window.session_actions.try_from import TryFromHere
from app.ui.main_window.session_list.controller import SessionList
from app.ui.main_window.session_list.navigator import Navigator
from app.ui.main_window.session_list.search import SearchController
from app.ui.main_window.session_list.title_menu import TitleMenu
from app.ui.main_window.session_list.transfer import TransferController
from app.ui.main_window.start import StartController
from app.ui.main_window.ways_out import WaysOut
from app.ui.main_window.welcome import Welcome
from app.ui.main_window.window_controller import WindowController
from app.ui.reasoning import ReasoningPane
from app.ui.render.parts.pictures import PictureLoader
from app.ui.tasks import TURN_SECONDS

if TYPE_CHECKING:
    from app.core.tools.card import Card
    from app.services.container import Services
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks


async def compose_window(window: MainWindow, services: Services, tasks: Tasks) -> WindowController:  # noqa: PLR0915  one list, in its order
    """Takes about a tenth of a second; the window has its turn every few parts, so that it never stands still."""
    header, column, panes, modes, panel, composer, notice, status = (
        window.header, window.column, window.panes, window.modes, window.sessions,
        window.composer, window.notice, window.status,
    )  # fmt: skip

    # ------------------------------------------------------------ the two great views

    take_plug_ins(modes, services.settings, services.card_plugins)
    faults = CardFaults(notice)
    pictures = _pictures(window, services, tasks)
    cards, passages = _cards(window, services, tasks, pictures)
    chat = ChatView(window.theme, cards=cards, pictures=pictures)
    chat.link_activated.connect(LinkOpener(window, services.settings).open)
    await asyncio.sleep(TURN_SECONDS)
    reasoning = ReasoningPane(window.theme, spawn=tasks.spawn)
    await asyncio.sleep(TURN_SECONDS)
    window.set_panes(chat, reasoning)
    await asyncio.sleep(TURN_SECONDS)
    RestingCaret(composer.field)

    # ------------------------------------------------------------ the open session

    open_session = OpenSession(window)
    open_session.titled.connect(window.set_open)
    open_session.changed.connect(notice.open_session)
    choices = Choices(
        header, modes, composer, tasks,
        settings=services.settings, models=services.models, sessions=services.sessions, runs=services.runs,
        acp_agents=services.acp_agents,
    )  # fmt: skip
    errors = ErrorNotices(column, open_session, choices)
    approvals = Approvals(
        window, notice, tasks,
        tools=services.tools, settings=services.settings, mcp=services.mcp, grants=services.grants,
    )  # fmt: skip
    run = RunSession(
        window.theme, column, status, chat, reasoning, RunCards(window, column, approvals), services.runs, tasks
    )
    FocusHome(window, chat, run.plan, composer.field)
    context = ContextController(
        window, header, modes, notice, tasks,
        open_session=open_session, choices=choices, chat=services.chat, sessions=services.sessions,
    )  # fmt: skip
    run.step_ended.connect(context.tell)
    messages = Messages(chat, open_session, sessions=services.sessions, ratings=services.ratings)
    queue = MessageQueue(window.theme, column, open_session, tasks, sessions=services.sessions, chat=services.chat)
    edit = QuestionEdit(composer)
    files = AttachmentController(window, column, errors, pictures, services.attachments, tasks)
    conversation = SessionController(
        window.theme, composer, chat, tasks,
        open_session=open_session,
        choices=choices,
        context=context,
        drafts=Drafts(composer, window.settings, open_session, errors, services.sessions, tasks),
        edit=edit,
        files=files,
        messages=messages,
        queue=queue,
        run=run,
        sessions=services.sessions,
        ratings=services.ratings,
        runs=services.chat,
    )  # fmt: skip
    await asyncio.sleep(TURN_SECONDS)

    # ------------------------------------------------------------ what is done in it

    questions = QuestionController(
        header, column, modes, errors, tasks,
        open_session=open_session, edit=edit, view=conversation, sessions=services.sessions, chat=services.chat,
        workspace=services.workspace,
    )  # fmt: skip
    cards.chosen.connect(questions.answer)
    folder = FolderController(
        window, composer, notice, tasks, open_session=open_session, choices=choices, workspace=services.workspace
    )
    sender = QueueSender(queue, questions, open_session, tasks, sessions=services.sessions, chat=services.chat)
    rerun = RerunController(conversation, open_session, errors, chat=services.chat, runs=services.runs)
    page = PageController(
        window, cards, passages, run, folder, PageActions(questions, rerun, errors, services.chat), tasks,
        open_session=open_session, choices=choices, pages=services.pages, workspace=services.workspace,
    )  # fmt: skip
    message_actions = MessageActions(
        window, notice, errors, chat, tasks,
        open_session=open_session, messages=messages, view=conversation, rerun=rerun,
        sessions=services.sessions, ratings=services.ratings, models=services.models,
    )  # fmt: skip
    pane_link = PaneLink(
        window, panes, notice, chat, reasoning, tasks,
        view=conversation, rerun=rerun, settings=services.settings, models=services.models, runs=services.runs,
        running=services.chat,
    )  # fmt: skip
    plan = PlanController(
        run, tasks,
        tools=services.tools, templates=services.templates, runs=services.runs, notes=services.sessions.notes,
    )  # fmt: skip
    plan.told.connect(notice.tell)
    tasks.spawn_on(plan.again_asked, rerun.from_plan_step)
    find = _find_bar(window, chat, messages)
    await asyncio.sleep(TURN_SECONDS)

    # ------------------------------------------------------------ all sessions

    sessions = SessionList(
        window, panel, notice, window.settings, open_session, tasks,
        sessions=services.sessions, chat=services.chat, settings=services.settings, transfer=services.transfer,
        backups=services.backups,
    )  # fmt: skip
    navigator = Navigator(
        panel, column, find, tasks,
        view=conversation, open_session=open_session, listed=sessions, sessions=services.sessions,
    )  # fmt: skip
    transfer = TransferController(
        window, notice, open_session, tasks, transfer=services.transfer, sessions=services.sessions
    )
    transfer.imported.connect(navigator.open)
    transfer.take_drops(window.files_dropped, window.composer.field.files_given)
    sessions.export_asked.connect(transfer.export_some)
    search = SearchController(
        window, modes, chat, find, tasks,
        view=conversation, open_session=open_session, search=services.search, settings=services.settings,
    )  # fmt: skip
    panel.everything_asked.connect(search.open)
    await asyncio.sleep(TURN_SECONDS)

    # ------------------------------------------------------------ dialogs, notices, commands

    actions = WindowActions(window)
    hotkey = GlobalHotkey(desktop_keyboard(window), services.settings, window)
    program_pages = ProgramPages(
        window, tasks, actions, open_session, hotkey,
        settings=services.settings, models=services.models, runs=services.runs, data_folder=services.data_folder,
        backups=services.backups, checks=services.checks, updates=services.updates,
        remote_backups=services.remote_backups,
    )  # fmt: skip
    program_pages.moved.connect(window.restart_asked)
    settings = _settings(window, program_pages, services, tasks)
    approvals.settings_asked.connect(partial(settings.show, "permissions"))
    dialogs = DialogManager()
    records = DataDialogs(
        window, composer, tasks, dialogs,
        conversation=conversation, rerun=rerun, listed=sessions,
        compare=services.compare, batches=services.batches, models=services.models, runs=services.runs,
        sessions=services.sessions,
    )  # fmt: skip
    tasks.spawn_on(program_pages.restored, records.reread)
    memory_bar = MemoryBar(window.theme)
    column.put_above_composer(memory_bar)
    proposals = MemoryProposals(memory_bar, services.memory, tasks, window)
    window.session_opened.connect(proposals.open_session)
    Prompts(
        window, column, tasks,
        settings=settings, prompts=services.prompts, servers=services.mcp.prompts, drafts=conversation.drafts,
    )  # fmt: skip
    Mentions(window, column, tasks, files=files, knowledge=services.knowledge, resources=services.mcp.resources)
    ways = WaysOut(notice, errors, tasks, rerun=rerun, navigator=navigator, choices=choices, settings=settings)
    trying = TryFromHere(
        window, column, errors, rerun, tasks,
        pane=pane_link, chat=services.chat, runs=services.runs, tools=services.tools, models=services.models,
    )  # fmt: skip
    RowActions(
        chat, tasks, trying=trying,
        view=conversation, messages=message_actions, questions=questions, rerun=rerun, pane=pane_link, ways=ways,
    )  # fmt: skip
    await asyncio.sleep(TURN_SECONDS)
    notifier = Notifier(
        window, tasks,
        view=conversation, open_session=open_session, sessions=services.sessions, chat=services.chat,
        settings=services.settings,
    )  # fmt: skip
    saving = SaveStatus(
        notice, window.settings, tasks,
        chat=services.chat, data_folder=services.data_folder, lifecycle=services.lifecycle,
    )  # fmt: skip
    tasks.spawn_on(saving.opened_again, sessions.refresh)
    saving.data_asked.connect(partial(settings.show, "data"))
    startup = StartupNotices(notice, open_session, tasks, rerun=rerun, navigator=navigator)
    startup.restart_asked.connect(window.restart_asked)
    welcome = Welcome(
        window, composer, chat, tasks,
        view=conversation, navigator=navigator, first_run=services.first_run, providers=services.providers,
        models=services.models, settings=services.settings, sessions=services.sessions,
    )  # fmt: skip
    welcome.providers_asked.connect(partial(settings.show, "providers"))
    focus = FocusController(panel, chat, find, column, reasoning, run=run, notifier=notifier)
    palette = PaletteController(
        window, panel, modes, actions, view=conversation, navigator=navigator, settings=services.settings
    )
    zoom = Zoom(window)
    quick = QuickAskController(window, tasks, hotkey, navigator=navigator, questions=questions)
    await asyncio.sleep(TURN_SECONDS)
    actions.bind(
        quick=quick,
        drafts=SkillDraft(settings, notice, open_session, tasks, sessions=services.sessions),
        notice=notice, panes=panes, modes=modes, title=header.title, composer=composer, find=find, zoom=zoom,
        focus=focus, page=page,
        navigator=navigator, sessions=sessions, transfer=transfer, search=search, palette=palette, run=run,
        messages=message_actions, notifier=notifier, ways=ways, settings=settings, records=records, welcome=welcome,
    )  # fmt: skip
    await asyncio.sleep(TURN_SECONDS)
    _offer_commands(window, actions)
    await asyncio.sleep(TURN_SECONDS)
    preferences = AppliedPreferences(
        composer, actions,
        choices=choices, listed=sessions, settings=services.settings, providers=services.providers,
        acp_agents=services.acp_agents,
    )  # fmt: skip
    return WindowController(
        window=window, actions=actions, chat=chat, reasoning=reasoning, find=find, conversation=conversation,
        questions=questions, navigator=navigator, sessions=sessions, transfer=transfer, settings=settings,
        welcome=welcome, memory_bar=memory_bar, folder=folder, page=page, notifier=notifier, saving=saving, zoom=zoom,
        timer_strip=_timer_strip(window, cards, chat, open_session, navigator), models=services.models,
        tools=services.tools,
        start=StartController(
            window, tasks,
            navigator=navigator, questions=questions, welcome=welcome, notices=startup, saving=saving,
            sessions=services.sessions, settings=services.settings,
        ),
        closing=(
            page, quick, faults, preferences, saving, proposals, notifier, dialogs, settings, welcome, sessions, sender,
            conversation, folder,
        ),
    )  # fmt: skip


def _timer_strip(
    window: MainWindow, cards: CardFactory, chat: ChatView, open_session: OpenSession, navigator: Navigator
) -> TimerStrip:
    strip = TimerStrip(window.theme, cards.timers)
    window.column.put_above_composer(strip)
    TimerPlace(strip, cards.timers, chat, open_session).session_asked.connect(navigator.open)
    return strip


def _cards(
    window: MainWindow, services: Services, tasks: Tasks, pictures: PictureLoader
) -> tuple[CardFactory, Passages]:
    passages = Passages(window, window.notice, services.knowledge, tasks)
    files = WrittenFiles(window, window.notice, tasks)
    return CardFactory(pictures, files, window, passages=passages.open), passages


def _pictures(window: MainWindow, services: Services, tasks: Tasks) -> PictureLoader:
    """Those that are shown, and those that are painted of cards for tools."""

    def paint(card: Card) -> bytes:
        return card_png(card.to_json(), window.theme)

    def credit() -> str | None:
        wishes = services.tiles.wishes
        return wishes.credit if wishes.is_usable else None

    use_tiles(TileLayer(services.tiles.tile, tasks.spawn, credit, window))
    services.pictures.painter = paint
    services.pictures.printer = print_page
    pictures = PictureLoader(services.attachments.content, tasks.spawn, window, fetch=services.remote_pictures.load)
    RemotePictures(window, pictures, tasks)
    return pictures


def _find_bar(window: MainWindow, chat: ChatView, messages: Messages) -> FindBar:
    find = FindBar(window.theme, chat, messages.sources)
    find.closed.connect(window.composer.focus)
    window.put_above_chat(find)
    return find


def print_page(html: str, title: str, one_page: bool = False) -> bytes:
    from app.ui.render.pdf import pdf_of  # only who prints pays for it

    return pdf_of(html, title, one_page=one_page)


def _settings(window: MainWindow, program_pages: ProgramPages, services: Services, tasks: Tasks) -> SettingsController:
    agent_pages = AgentPages(
        window, tasks,
        settings=services.settings, providers=services.providers, models=services.models, mcp=services.mcp,
        tools=services.tools, calls=services.calls, runs=services.runs, grants=services.grants, chat=services.chat,
        prompts=services.prompts, knowledge=services.knowledge, memory=services.memory,
        web_search=services.web_search, endpoints=services.endpoints, skills=services.skills,
        acp_agents=services.acp_agents, webhooks=services.webhooks, local_api=services.local_api,
    )  # fmt: skip
    return SettingsController(window, window.settings, window.notice, services.mcp, agent_pages, program_pages)


def _offer_commands(window: MainWindow, actions: WindowActions) -> None:
    """In the menus, and by the buttons that stand for one."""
    window.header.fill_menu(menu_sections(actions))
    dress(actions, window.theme)
    TitleMenu(window.header, window.sessions, actions)
    window.header.agents_asked.connect(actions["agents"].trigger)
    window.header.providers_asked.connect(actions["providers"].trigger)
    window.sessions.offer_settings(actions["settings"])
