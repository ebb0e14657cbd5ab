"""The page of the session's folder: opened beside the chat, filled, asked, and watched while a tool writes for it.

How the open text and its file stay one is `page_text`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.core import detached
from app.core.errors import TriptychError
from app.core.page import DRAFT, TEXT, PageContents
from app.core.run.view import CallItem
from app.core.text.i18n import _, current_language
from app.ui.main_window.session_actions.page_text import SAVING, OpenText
from app.ui.widgets.throttle import Throttle

if TYPE_CHECKING:
    from app.core.tools.card import CardAction
    from app.services.workspace.pages import OpenPage, PageService
    from app.services.workspace.service import WorkspaceService
    from app.ui.cards.factory import CardFactory
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.choices import Choices
    from app.ui.main_window.session.folder import FolderController
    from app.ui.main_window.session.passages import Passages
    from app.ui.main_window.session.run_session import RunSession
    from app.ui.main_window.session_actions.page_actions import PageActions
    from app.ui.main_window.window import MainWindow
    from app.ui.page import PagePane
    from app.ui.tasks import Tasks

_CENTRE = 900
"""What chat and page need together, with the wider pane at the left."""
_ROOM = 1_000
"""Width of the window from which a page opens by itself."""
_CLOSING_SECONDS = 2.0
_SETTING = "page/open"
_LIVE = ("page", "live")
log = logging.getLogger(__name__)


class PageController(OpenText):
    def __init__(
        self,
        window: MainWindow,
        cards: CardFactory,
        passages: Passages,
        run: RunSession,
        folder: FolderController,
        actions: PageActions,
        tasks: Tasks,
        *,
        open_session: OpenSession,
        choices: Choices,
        pages: PageService,
        workspace: WorkspaceService,
    ) -> None:
        super().__init__(window, tasks)
        self._window, self._cards, self._run, self._folder = window, cards, run, folder
        self._actions, self._open_session, self._choices, self._pages = actions, open_session, choices, pages
        self._remarks: set[str] = set()
        self._live = Throttle(self)
        self._live.gathered.connect(self._append_live)
        passages.text_wanted.connect(self.go_to)
        folder.page_asked.connect(self.toggle)
        choices.agent_shown.connect(self._renew_soon)
        open_session.changed.connect(self._renew_soon)
        run.over.connect(self._renew_soon)
        run.wrote.connect(self._wrote)
        window.column.room_asked.connect(self._make_way)
        self._stop = workspace.listen(self._renew_soon)

    # ------------------------------------------------------------ shown and put away

    def toggle(self) -> None:
        if self.is_open:
            self._put_away()
            self._window.settings.setValue(_SETTING, "false")
        elif self._page is not None:
            self._window.settings.setValue(_SETTING, "true")
            self._show()

    def go_to(self, text: str, quote: str) -> None:
        """The text is opened where these words stand."""
        if self._page is not None:
            self._show()
            self._tasks.spawn(self._go_to(text, quote), "go to a passage")

    def set_theme(self) -> None:
        if self._pane is not None:
            self._pane.set_theme(self._window.theme)

    def close(self) -> None:
        """What was typed a moment ago is written before the program ends."""
        self._stop()
        for timer in (self._save_timer, self._count_timer, self._look):
            timer.stop()
        page, text = self._page, self._text
        if page is None or text is None or not self._is_changed():
            return
        keeps = text.id not in self._kept
        try:
            detached.bounded(page.page.save, _CLOSING_SECONDS)(
                page.folder, text.id, self._typed(), text.sha, keeps=keeps
            )
        except (TriptychError, OSError, TimeoutError):
            log.warning("the open text could not be saved at the end", exc_info=True)

    def _show(self) -> None:
        pane = self._made()
        self._window.panes.set_centre(_CENTRE)
        self._window.beside.show_page(pane)
        self._look.start()
        self._renew_soon()

    def _put_away(self) -> None:
        self._tasks.spawn(self._save(), SAVING)
        self._look.stop()
        if self._pane is not None:
            self._pane.focus_button.setChecked(False)
            self._window.beside.hide_page()
            self._window.panes.set_centre()

    def _make_way(self) -> None:
        """Something waits for an answer in the chat, which the page covers in a narrow window."""
        if self.is_open and not self._window.beside.has_room_for_both():
            self._window.beside.hide_page()

    def _focus(self, is_alone: bool) -> None:
        if self._pane is not None and self.is_open:
            self._window.panes.suggest("left", not is_alone)
            self._window.panes.suggest("right", not is_alone)
            self._window.beside.show_page(self._pane, alone=is_alone)
            self._pane.editor.setFocus()

    def _made(self) -> PagePane:
        if self._pane is None:
            from app.ui.page import PagePane  # most sessions have none

            pane = self._pane = PagePane(self._window.theme, self._cards)
            pane.close_asked.connect(self.toggle)
            pane.focus_asked.connect(self._focus)
            self._tasks.spawn_on(pane.text_chosen, self._open_text, "open a text")
            self._tasks.spawn_on(pane.board_chosen, self._open_board, "open a board")
            self._tasks.spawn_on(pane.acted, self._act, "act on the page")
            self._tasks.spawn_on(pane.passages.asked, self._act_on, "act on a passage")
            pane.stop_asked.connect(self._run.stop)
            pane.editor.edited.connect(self._edited)
        return self._pane

    # ------------------------------------------------------------ read

    def _renew_soon(self, *_given: object) -> None:
        self._tasks.spawn(self._renew(), "renew the page")

    async def _renew(self) -> None:
        """Another session, folder or agent; or the run that is over may have changed something."""
        session = self._open_session.id
        try:
            page = await self._pages.of(self._choices.profile(), session)
            contents = await page.contents() if page is not None else None
        except (TriptychError, OSError) as error:
            self._tell_fault(error)
            return
        if session != self._open_session.id:
            return
        self._end_live()
        if page is None or contents is None:
            await self._leave()
            return
        if self._page is None or self._page.folder != page.folder:
            await self._save()
            if self._is_changed():
                return
            self._page, self._text, self._wanted = page, None, ""
            self._kept.clear()
            self._remarks.clear()
        self._page = page
        self._folder.offer_page(True)
        if not self.is_open:
            wants = self._window.settings.value(_SETTING, "true") != "false"
            if not wants or self._window.width() < _ROOM or self._text is not None:
                return
            self._show()
        await self._fill(contents)

    async def _leave(self) -> None:
        """The session has no such folder."""
        if self._page is not None:
            await self._save()
            self._page, self._text, self._wanted = None, None, ""
            self._folder.offer_page(False)
            if self.is_open:
                self._put_away()

    async def _fill(self, contents: PageContents) -> None:
        pane = self._made()
        current = self._wanted or contents.newest
        pane.show_contents(contents, current)
        if news := [one for one in contents.remarks if one not in self._remarks]:
            self._remarks.update(news)
            pane.tell("\n".join(news))
        if current:
            await self._open_text(current)
        await self._open_board(pane.board)

    async def _open_text(self, id: str) -> None:
        """What is typed stays: a text is only shown anew where its file holds another."""
        page, pane = self._page, self._pane
        if page is None or pane is None or self._is_live:
            return
        self._wanted = id
        await self._save()
        if self._text is not None and self._text.id != id and self._is_changed():
            self._wanted = self._text.id
            return  # it could not be saved, and says so: what is typed stays in sight
        try:
            text = await page.text(id)
        except (TriptychError, OSError) as error:
            self._tell_fault(error)
            return
        if self._wanted != id or self._is_live:
            return  # another was asked for meanwhile
        is_same = self._text is not None and self._text.id == id
        if is_same and self._is_changed():
            return  # typed meanwhile: the next save says what is so
        if not is_same or text.text != self._saved:
            pane.show_text(text, is_same=is_same)
        else:
            pane.show_draft(text.draft)
        self._text, self._saved = text, text.text
        self._count()
        self._tasks.spawn(self._show_shares(page, pane, id), "the context of a text")

    async def _show_shares(self, page: OpenPage, pane: PagePane, id: str) -> None:
        """Whoever reads the text does not wait for it: the whole book is looked through."""
        try:
            shares, room = await page.shares(id)
        except (TriptychError, OSError):
            return  # the text itself has told it
        if self._wanted == id:
            pane.foot.shares.show_shares(shares, room)

    async def _open_board(self, id: str) -> None:
        page, pane, text = self._page, self._pane, self._text
        if page is None or pane is None or id == TEXT:
            return
        try:
            card = await page.board(id, text.id if text is not None else "")
        except (TriptychError, OSError) as error:
            self._tell_fault(error)
            return
        if pane.board == id:
            pane.show_card(card)

    async def _go_to(self, chapter: str, quote: str) -> None:
        id = await self._part(chapter, quote)
        await self._open_text(id)
        if self._pane is not None and self._text is not None and self._text.id == id:
            self._pane.choose(TEXT)
            self._pane.editor.go_to(quote)
            self._pane.editor.setFocus()

    async def _part(self, id: str, quote: str) -> str:
        try:
            return await self._page.part(id, quote) if self._page is not None else id
        except (TriptychError, OSError) as error:
            self._tell_fault(error)
            return id

    # ------------------------------------------------------------ asked, and watched

    async def _act_on(self, action: str, wish: str) -> None:
        """On the selected passage, as its file has it."""
        page, pane = self._page, self._pane
        if page is None or pane is None:
            return
        passage = pane.editor.passage()
        await self._save()
        if self._text is None:
            return
        try:
            call = await page.action(action, self._text.id, passage, wish)
        except (TriptychError, OSError) as error:
            self._tell_fault(error)
            return
        await self._act(call)

    async def _act(self, action: CardAction) -> None:
        await self._save()
        if not self._window.beside.has_room_for_both():
            self._window.beside.hide_page()  # what comes of it is in the chat
        await self._actions.act(action)
        self._renew_soon()

    def _wrote(self, item: CallItem, text: str) -> None:
        """Text of a tool that writes for the page; "": its result is there."""
        if self._page is None or item.call.name not in self._page.writers or not self.is_open:
            return
        if text:
            self._begin_live()
            self._live.add(_LIVE, text)
        else:
            self._end_live()
            card = item.result.card if item.result is not None else None
            payload = card.get("payload") if card is not None else None
            place = payload.get("passage") if isinstance(payload, Mapping) else None
            if isinstance(place, Mapping) and place.get("doc"):
                self._tasks.spawn(self._show_draft(str(place["doc"])), "show what was written")

    def _begin_live(self) -> None:
        pane = self._made()
        if self._is_live:
            return
        if self._page is not None and self._text is not None and self._is_changed():
            self._tasks.spawn(self._write(self._page, self._text, self._typed()), SAVING)
        self._is_live = True
        pane.choose(TEXT)
        pane.tell(_("Being written. It is a draft beside the text until you accept it."))
        pane.editor.show_text("", is_indented=current_language().startswith("zh"), is_live=True)
        pane.set_live(True)

    def _append_live(self, texts: Mapping[tuple[str, str], str]) -> None:
        if self._pane is not None and self._is_live:
            self._pane.editor.append_live(texts[_LIVE])
            self._count()

    def _end_live(self) -> None:
        if not self._is_live or self._pane is None:
            return
        self._live.flush()
        self._is_live = False
        self._pane.set_live(False)
        self._pane.tell("")
        if self._text is not None:
            self._pane.show_text(self._text)
            self._saved = self._text.text
            self._count()

    async def _show_draft(self, id: str) -> None:
        await self._open_text(id)
        if self._pane is not None and self._text is not None and self._text.draft and self._pane.board == TEXT:
            self._pane.choose(DRAFT)
