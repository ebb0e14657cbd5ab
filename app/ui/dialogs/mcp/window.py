"""MCP servers: which there are and how they do, what starts, what they offer, what they said last."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.profile import PermissionWord
from app.core.text.i18n import _
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.mcp.add import AddServer
from app.ui.dialogs.mcp.add_flow import AddFlow
from app.ui.dialogs.mcp.changes import ServerChanges
from app.ui.dialogs.mcp.list import NEW, McpList
from app.ui.dialogs.mcp.page import McpPage
from app.ui.dialogs.mcp.review import McpReviewSheet
from app.ui.dialogs.mcp.sign_in_flow import SignInFlow
from app.ui.dialogs.providers.key_storage import SecretKeeper
from app.ui.dialogs.providers.labels import error_words
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.theme import Theme
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.layout.master_detail import MasterDetail
from app.ui.widgets.spawn import Spawn, starting

if TYPE_CHECKING:
    from app.services.mcp.paste.found import Pasted
    from app.services.mcp.service import McpService
    from app.services.mcp.views import McpServerEntry, McpServerForm
    from app.services.providers.service import ProviderService
    from app.services.settings.settings import SettingsService

_WORDS: Mapping[str, PermissionWord] = {"allow": "allow", "ask": "ask", "deny": "deny"}


class ServersPage(SettingsPage):
    def __init__(
        self,
        mcp: McpService,
        providers: ProviderService,
        settings: SettingsService,
        theme: Theme,
        *,
        spawn: Spawn,
        server: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """`providers` knows where secret values may be kept."""
        super().__init__(theme, parent)
        self.setObjectName("mcpPage")
        self._mcp, self._providers, self._settings = mcp, providers, settings
        self._spawn = spawn
        self._shown: str | None = None
        self._sign_ins = SignInFlow(mcp, self, theme, self._show_sign_in)
        self._is_new = self._wants_new = False
        self._build()
        self._saving = self.save_at_once(self.page.form.changed, self._store_changes, spawn)
        stop = mcp.listen(self._changed)
        self.destroyed.connect(stop)
        self.show_server(server or next((entry.id for entry in mcp.servers()), ""))

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        theme = self._theme
        self.list = McpList(theme)
        self.list.chosen.connect(partial(self.leave_to, self.show_server))
        self.list.add_wanted.connect(partial(self.leave_to, self._add))
        self.list.delete_wanted.connect(self._ask_delete)
        self.page = McpPage(theme)
        self.page.wanted.connect(self._wish)
        self.page.saved.wanted.connect(self.undo)
        self.page.tools.accepted.connect(starting(self._do, self._accept_tools))
        self.page.tools.word_chosen.connect(self._set_word)
        sentence = _("No MCP server yet. Servers bring further tools to your agents.")
        self._empty = EmptyState(theme, "plug", sentence, _("Add a server"))
        self._empty.button.clicked.connect(partial(self._add, "paste"))
        self.page.agents.toggled.connect(self._give)
        adding = self.adding = AddServer(self._mcp.pasting, theme)
        adding.back_wanted.connect(self._end_adding)
        adding.form_wanted.connect(partial(self._add, "form"))
        adding.add_wanted.connect(starting(self._do, self._add_pasted))
        title = _("Where should the values be kept?")
        self._secrets = SecretKeeper(self, theme, self._providers, self._settings, title=title)
        self._changes = ServerChanges(self.page.form, self._mcp, self._secrets)
        self._flow = AddFlow(self._mcp, self._settings, adding, self._secrets, spawn=self._do)
        self._flow.started.connect(self._started)
        self._flow.ready.connect(self._ready)
        adding.tools.word_chosen.connect(self._set_word)
        detail = QWidget()
        right = QVBoxLayout(detail)
        right.setContentsMargins(theme.space(3), theme.space(2), theme.space(3), theme.space(1.5))
        right.setSpacing(theme.space(1.5))
        right.addWidget(self.page, 1)
        right.addWidget(self._empty, 0, Qt.AlignmentFlag.AlignTop)
        self._details = QStackedWidget()
        self._details.addWidget(detail)
        self._details.addWidget(adding)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.split = MasterDetail(theme, self.list, self._details, _("MCP servers"))
        layout.addWidget(self.split)

    # ------------------------------------------------------------ what is shown

    def show_item(self, item: str) -> None:
        self.split.show_detail()
        if self._shown != item:
            self.leave(partial(self.show_server, item))

    def go_back(self) -> bool:
        if self._details.currentWidget() is self.adding:
            self._end_adding()
            return True
        return self.split.go_back()

    def _end_adding(self) -> None:
        self._details.setCurrentIndex(0)
        self.show_server(self._shown or next((entry.id for entry in self._mcp.servers()), ""))

    def show_server(self, id: str) -> None:
        self._details.setCurrentIndex(0)
        ids = {entry.id for entry in self._mcp.servers()}
        self._is_new = self._is_new and id == NEW
        self._shown = id if id in ids or self._is_new else None
        self._changes.clear()
        self._saving.drop()
        self.page.saved.tell("")
        if self._shown is not None:
            self.page.form.show_form(self._mcp.form(id) if not self._is_new else self._new_form())
        self.tell("")
        self.page.show_sign_in(is_running=bool(id) and self._sign_ins.signing == id, is_done=False)
        if self._shown:
            self._do(self._sign_ins.show(self._shown))
        if self._is_new:
            self.page.turn_to("server")
        self._arrange()

    def tell(self, text: str, *, is_error: bool = False) -> None:
        self.page.tell(text, is_error=is_error)

    def _changed(self, _id: str) -> None:
        if shiboken6.isValid(self):
            self._arrange()

    def _arrange(self) -> None:
        self.list.show_servers(self._mcp.servers(), with_new=self._is_new)
        self.list.select(self._shown if self._shown is not None else "\0")
        entry = self._entry()
        self.page.setVisible(self._shown is not None)
        self._empty.setVisible(self._shown is None)
        self.list.delete_button.setEnabled(entry is not None)
        if self._shown is not None:
            self.page.show_entry(entry)
            self.page.saved.button.setVisible(self._changes.can_undo)
        if entry is not None:
            self.page.show_tools(self._mcp.reviews.tools(entry.id))
            tokens = self._mcp.reviews.tool_tokens(entry.id)
            self.page.agents.show_agents(*self._flow.agents_of(entry.id), tokens=tokens)
            self.page.show_log(self._mcp.log(entry.id))

    def _started(self, id: str) -> None:
        """Of what was pasted: it is tried where it was pasted, or shown with what went wrong."""
        self._shown = id
        entry = self._entry()
        if entry is None or entry.state != "tools":
            self.show_server(id)
            return
        self.list.show_servers(self._mcp.servers(), with_new=False)
        self.list.select(id)

    def _give(self, agent: str, on: bool) -> None:
        if self._shown:
            self._do(self._flow.give(self._shown, agent, on=on))

    def _ready(self, id: str) -> None:
        self.show_server(id)
        self.page.turn_to("tools")
        self.tell(_("Ready: from their next question on these agents have its tools."))

    def _entry(self) -> McpServerEntry | None:
        return next((entry for entry in self._mcp.servers() if entry.id == self._shown), None)

    @property
    def is_dirty(self) -> bool:
        return self._shown is not None and self.page.form.is_dirty

    # ------------------------------------------------------------ adding, saving, deleting

    def _add(self, how: str) -> None:
        self.split.show_detail()
        if how == "paste":
            self.adding.begin()
            self._details.setCurrentWidget(self.adding)
            self.adding.focus()
            return
        self._is_new = True
        self.show_server(NEW)
        self.page.form.name.setFocus()

    async def _add_pasted(self, found: list[Pasted]) -> None:
        async def add() -> None:
            ids = await self._mcp.pasting.add_pasted(found)
            if shiboken6.isValid(self):
                self.show_server(ids[0])
                self.tell(_("Added, and switched off until you have looked at what it starts."))

        await self._secrets.do(add)

    @staticmethod
    def _new_form() -> McpServerForm:
        from app.services.mcp.views import McpServerForm

        return McpServerForm()

    def _store_changes(self) -> Coroutine[Any, Any, None] | None:
        form = self.page.form.form() if self._shown is not None else None
        wants_new, self._wants_new = self._wants_new, False
        if form is None or not (wants_new if self._is_new else self.is_dirty):
            return None
        return self._store(form)

    async def _store(self, form: McpServerForm) -> None:
        """Changes, or all of a new one."""
        id, is_stored, why = form.id, False, _("Not saved: nobody has said where the values may be kept.")
        try:
            if id:
                is_stored = await self._changes.store(form)
            else:
                id = await self._changes.add(form)
        except (TriptychError, OSError) as error:
            why = error_words(error)
        if not shiboken6.isValid(self) or self._shown != form.id:
            return
        if not form.id and id:
            self._is_new = False
            self.show_server(id)
            self.tell(_("Added, and switched off until you have looked at what it starts."))
            return
        self.page.saved.tell(_("Saved.") if is_stored else why, is_error=not is_stored)
        self._arrange()

    def undo(self) -> None:
        """The last change since the server was shown."""
        self._saving.now(self._take_back)

    def _take_back(self) -> None:
        if self._changes.can_undo:
            self._changes.take_back()
            self._saving.now(again=True)

    def _ask_delete(self) -> None:
        entry = self._entry()
        if entry is None:
            return
        answers = [("", _("Cancel"), ""), ("yes", _("Delete"), "danger")]
        text = _("{name} is stopped and removed with its values. Agents that name it lose its tools.")
        question = AskDialog(self, self._theme, _("Delete this server?"), text.format(name=entry.name), answers)
        question.agreed.connect(starting(self._do, self._delete, entry.id))
        question.open()

    async def _delete(self, id: str) -> None:
        await self._mcp.delete_server(id)
        if shiboken6.isValid(self):
            self.show_server(next((entry.id for entry in self._mcp.servers()), ""))

    # ------------------------------------------------------------ looking, starting, stopping

    def _wish(self, what: str) -> None:
        match what:
            case "add":
                self._wants_new = True
                self._saving.now(again=True)
            case "log":
                if self._shown:
                    self.page.show_log(self._mcp.log(self._shown))
            case _ if self._saving.is_waiting:
                self._saving.now(partial(self._wish_stored, what))
            case _:
                wishes: Mapping[str, Callable[[], Coroutine[Any, Any, None]]] = {
                    "review": self._review, "enable": self._enable,
                    "disable": partial(self._mcp.disable, self._shown or NEW),
                    "start": self._start, "restart": self._restart, "stop": self._stop,
                    "sign_in": self._sign_in, "cancel_sign_in": self._cancel_sign_in,
                    "sign_out": partial(self._sign_ins.forget, self._shown or NEW),
                }  # fmt: skip
                self._do(wishes[what]())

    def _wish_stored(self, what: str) -> None:
        if not self.is_dirty:
            self._wish(what)
        self._arrange()

    async def _enable(self) -> None:
        assert self._shown is not None
        if not await self._mcp.enable(self._shown):
            await self._review()
        elif shiboken6.isValid(self):
            self._arrange()

    async def _review(self) -> None:
        assert self._shown is not None
        try:
            review = await self._mcp.reviews.review(self._shown)
        finally:
            if shiboken6.isValid(self):
                self._arrange()  # the switch stands where it stood
        if shiboken6.isValid(self):
            sheet = McpReviewSheet(review, self._theme, self)
            sheet.start_agreed.connect(starting(self._do, self._accept_start, review.id))
            sheet.open()

    async def _accept_start(self, id: str, fingerprint: str) -> None:
        await self._mcp.reviews.accept_start(id, fingerprint)
        if shiboken6.isValid(self):
            self.tell("")
        entry = await self._mcp.start(id)
        if shiboken6.isValid(self) and self._shown == id and entry.state == "tools":
            self.page.turn_to("tools")

    async def _accept_tools(self, digest: str) -> None:
        assert self._shown is not None
        await self._mcp.reviews.accept_tools(self._shown, digest)
        if shiboken6.isValid(self):
            self.tell(_("Accepted. Agents that name this server have its tools from their next question on."))

    def _set_word(self, tool: str, word: str) -> None:
        if self._shown:
            self._do(self._mcp.reviews.set_word(self._shown, tool, _WORDS[word]))

    async def _start(self) -> None:
        self.tell("")
        await self._mcp.start(self._shown or NEW)

    async def _restart(self) -> None:
        self.tell("")
        await self._mcp.restart(self._shown or NEW)

    async def _stop(self) -> None:
        await self._mcp.stop(self._shown or NEW)

    async def _sign_in(self) -> None:
        assert self._shown is not None
        id = self._shown
        await self._sign_ins.begin(id)
        entry = await self._mcp.start(id)
        if shiboken6.isValid(self) and self._shown == id:
            self.tell("")
            self.page.turn_to("tools" if entry.state == "tools" else "server")
            self._arrange()

    async def _cancel_sign_in(self) -> None:
        self._sign_ins.cancel()

    def _show_sign_in(self, id: str, *, is_running: bool, is_done: bool) -> None:
        if self._shown == id:
            if is_running:
                self.tell(_("Go on in the browser; this page goes on by itself."))
            self.page.show_sign_in(is_running=is_running, is_done=is_done)
            self._arrange()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        self._spawn(self._reported(work))

    async def _reported(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (TriptychError, OSError) as error:
            if shiboken6.isValid(self):
                self.tell(error_words(error), is_error=True)
                self._arrange()

    # ------------------------------------------------------------ leaving

    def leave(self, then: Callable[[], object]) -> None:
        if not self.is_dirty:
            self._is_new = False  # nothing was typed into it
        self._wants_new = self._is_new
        super().leave(then)

    def changed_name(self) -> str:
        return self.page.title.full_text()

    def discard(self) -> None:
        self._is_new = False
        if self._shown:
            self.page.form.show_form(self._mcp.form(self._shown))
        else:
            self._shown = None
