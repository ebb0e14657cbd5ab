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
from app.ui.dialogs.approvals.link import ask_to_open_link
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.mcp.add import AddServer
from app.ui.dialogs.mcp.add_flow import AddFlow
from app.ui.dialogs.mcp.list import NEW, McpList
from app.ui.dialogs.mcp.page import McpPage
from app.ui.dialogs.mcp.review import McpReviewSheet
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
    from app.services.mcp.views import McpServerEntry, McpServerForm, StartReview
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
        self._signing = ""
        """The server a sign-in goes on for."""
        self._is_new = False
        self._build()
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
        self.page.form.changed.connect(self._arrange)
        self.page.tools.accepted.connect(starting(self._do, self._accept_tools))
        self.page.tools.word_chosen.connect(self._set_word)
        sentence = _("No MCP server yet. Servers bring further tools to your agents.")
        self._empty = EmptyState(theme, "wrench", sentence, _("Add a server"))
        self._empty.button.clicked.connect(partial(self._add, "paste"))
        self.page.agents.toggled.connect(self._give)
        adding = self.adding = AddServer(self._mcp, theme)
        adding.back_wanted.connect(self._end_adding)
        adding.form_wanted.connect(partial(self._add, "form"))
        adding.add_wanted.connect(starting(self._do, self._add_pasted))
        self._secrets = SecretKeeper(self, theme, self._providers, self._settings, spawn=self._do)
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
        if self._shown is not None:
            self.page.form.show_form(self._mcp.form(id) if not self._is_new else self._new_form())
        self.tell("")
        self.page.show_sign_in(is_running=bool(id) and self._signing == id, is_done=False)
        if self._shown:
            self._do(self._tell_sign_in(self._shown))
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
            self.page.show_entry(entry, is_dirty=self.is_dirty)
        if entry is not None:
            self.page.show_tools(self._mcp.tools(entry.id))
            self.page.agents.show_agents(*self._flow.agents_of(entry.id), tokens=self._mcp.tool_tokens(entry.id))
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
            ids = await self._mcp.add_pasted(found)
            if shiboken6.isValid(self):
                self.show_server(ids[0])
                self.tell(_("Added, and switched off until you have looked at what it starts."))

        await self._secrets.do(add)

    @staticmethod
    def _new_form() -> McpServerForm:
        from app.services.mcp.views import McpServerForm

        return McpServerForm()

    def save(self, then: Callable[[], object] | None = None) -> None:
        form = self.page.form.form()
        if form is not None:
            self._do(self._saved(form, then))

    async def _saved(self, form: McpServerForm, then: Callable[[], object] | None) -> None:
        async def save() -> None:
            id = await self._mcp.save_server(form)
            if not shiboken6.isValid(self):
                return
            was_new, self._is_new = self._is_new, False
            self.show_server(id)
            self.tell(_("Saved, and switched off until you have looked at what it starts.") if was_new else _("Saved."))
            if then:
                then()

        await self._secrets.do(save)

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
            case "save":
                self.save()
            case "log":
                if self._shown:
                    self.page.show_log(self._mcp.log(self._shown))
            case _:
                wishes = {
                    "review": self._review, "enable": self._enable, "disable": self._disable,
                    "start": self._start, "restart": self._restart, "stop": self._stop,
                    "sign_in": self._sign_in, "cancel_sign_in": self._cancel_sign_in, "sign_out": self._sign_out,
                }  # fmt: skip
                self._do(wishes[what]())

    async def _enable(self) -> None:
        assert self._shown is not None
        if not await self._mcp.enable(self._shown):
            await self._review()
        elif shiboken6.isValid(self):
            self._arrange()

    async def _disable(self) -> None:
        await self._mcp.disable(self._shown or NEW)

    async def _review(self) -> None:
        assert self._shown is not None
        try:
            review = await self._mcp.review(self._shown)
        finally:
            if shiboken6.isValid(self):
                self._arrange()  # the switch stands where it stood
        if shiboken6.isValid(self):
            self._open_review(review)

    def _open_review(self, review: StartReview) -> None:
        sheet = McpReviewSheet(review, self._theme, self)
        sheet.start_agreed.connect(starting(self._do, self._accept_start, review.id))
        sheet.open()

    async def _accept_start(self, id: str, fingerprint: str) -> None:
        await self._mcp.accept_start(id, fingerprint)
        if shiboken6.isValid(self):
            self.tell("")
        entry = await self._mcp.start(id)
        if shiboken6.isValid(self) and self._shown == id and entry.state == "tools":
            self.page.turn_to("tools")

    async def _accept_tools(self, digest: str) -> None:
        assert self._shown is not None
        await self._mcp.accept_tools(self._shown, digest)
        if shiboken6.isValid(self):
            self.tell(_("Accepted. Agents that name this server have its tools from their next question on."))

    def _set_word(self, tool: str, word: str) -> None:
        if self._shown:
            self._do(self._mcp.set_word(self._shown, tool, _WORDS[word]))

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
        self._signing = id
        self.page.show_sign_in(is_running=True, is_done=False)
        self.tell(_("Go on in the browser; this page goes on by itself."))
        self._arrange()
        try:
            await self._mcp.sign_ins.begin(id, partial(self._ask_browser, id))
        finally:
            self._signing = ""
            await self._tell_sign_in(id)
        entry = await self._mcp.start(id)
        if shiboken6.isValid(self) and self._shown == id:
            self.tell("")
            self.page.turn_to("tools" if entry.state == "tools" else "server")
            self._arrange()

    def _ask_browser(self, id: str, url: str) -> None:
        """The server names the address: it is shown before anything opens."""
        if not shiboken6.isValid(self):
            self._mcp.sign_ins.cancel(id)
            return
        sheet = ask_to_open_link(self, self._theme, url)
        sheet.answered.connect(partial(self._give_up_sign_in, id))

    def _give_up_sign_in(self, id: str, answer: str) -> None:
        if not answer:
            self._mcp.sign_ins.cancel(id)

    async def _cancel_sign_in(self) -> None:
        self._mcp.sign_ins.cancel(self._signing)

    async def _sign_out(self) -> None:
        assert self._shown is not None
        id = self._shown
        await self._mcp.sign_ins.forget(id)
        await self._mcp.stop(id)
        await self._tell_sign_in(id)

    async def _tell_sign_in(self, id: str) -> None:
        is_done = await self._mcp.sign_ins.is_done(id)
        if shiboken6.isValid(self) and self._shown == id:
            self.page.show_sign_in(is_running=self._signing == id, is_done=is_done)
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
        super().leave(then)

    def changed_name(self) -> str:
        return self.page.title.full_text()

    def discard(self) -> None:
        self._is_new = False
        if self._shown:
            self.page.form.show_form(self._mcp.form(self._shown))
        else:
            self._shown = None
