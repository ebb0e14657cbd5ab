"""Message templates beside the composer, by its button or by "/", and prompts of MCP servers; their gaps are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu

from app.core.errors import BadInput
from app.core.session.prompt_template import Gap, filled
from app.core.text.i18n import _, ngettext
from app.ui.chat.composer_field import SLASHES
from app.ui.main_window.palette.palette import PaletteEntry
from app.ui.texts import fault_text
from app.ui.widgets.safe_text import visible
from app.ui.widgets.spawn import starting

if TYPE_CHECKING:
    from app.core.session.prompt_template import PromptTemplate
    from app.services.mcp.prompts import ServerPrompt, ServerPrompts
    from app.services.settings.message_templates import PromptService
    from app.ui.chat.template_form import TemplateForm
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.dialogs.settings import SettingsController
    from app.ui.main_window.palette.template_list import TemplateList
    from app.ui.main_window.session.drafts import Drafts
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent

_IN_MENU = 12
_NOTE = 60


class Prompts(QObject):
    def __init__(
        self,
        parent: DialogParent,
        column: ComposerColumn,
        tasks: Tasks,
        *,
        settings: SettingsController,
        prompts: PromptService,
        servers: ServerPrompts,
        drafts: Drafts,
    ) -> None:
        super().__init__(column)
        self._parent, self._column, self._composer, self._tasks = parent, column, column.composer, tasks
        self._settings, self._prompts, self._servers, self._drafts = settings, prompts, servers, drafts
        self._form: TemplateForm | None = None
        self._list: TemplateList | None = None
        self._search = ""
        """What was typed to find the template: the template takes its place."""
        self._slashes = 0
        """How often one was typed. Only the list of the last one is shown: a late one would take the next Return."""
        composer = column.composer
        composer.templates_button.show()
        tasks.spawn_on(composer.templates_asked, self._show_menu)
        tasks.spawn_on(composer.field.slash_typed, self._offer)

    async def _show_menu(self) -> None:
        templates = await self._prompts.list()
        button = self._composer.templates_button
        menu = QMenu(button)
        menu.setObjectName("templatesMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for one in templates[:_IN_MENU]:
            menu.addAction(visible(one.name).replace("&", "&&")).triggered.connect(partial(self._use, one))
        if templates:
            menu.addSeparator()
        typed = self._composer.text().strip()
        save = menu.addAction(_("Keep this text as a template…"))
        save.setEnabled(bool(typed))
        save.triggered.connect(partial(self._keep, typed))
        menu.addAction(_("Message templates…")).triggered.connect(self._manage)
        corner = button.mapToGlobal(QPoint(0, 0))
        menu.popup(corner - QPoint(0, menu.sizeHint().height()))

    def _keep(self, text: str, _checked: bool = False) -> None:
        self._settings.new_template(text)

    def _manage(self) -> None:
        self._settings.show("templates")

    async def _offer(self) -> None:
        """Without templates and prompts a slash is just a slash."""
        self._slashes += 1
        slash = self._slashes
        entries = [
            PaletteEntry(one.name, " ".join(one.text.split())[:_NOTE], partial(self._found, one), "file")
            for one in await self._prompts.list()
        ]
        if slash != self._slashes:
            return
        if entries:
            self._shown_list().offer(entries)
        found = [
            PaletteEntry(one.prompt.title, one.prompt.note[:_NOTE], partial(self._ask, one), "wrench", one.server_name)
            for one in await self._servers.offered()
        ]
        is_open = not entries or self._shown_list().offered  # unless it was closed meanwhile
        if found and is_open and slash == self._slashes and self._composer.text().startswith(SLASHES):
            self._shown_list().offer([*entries, *found])

    def _shown_list(self) -> TemplateList:
        if self._list is None or self._list.theme is not self._parent.theme:
            from app.ui.main_window.palette.template_list import TemplateList

            if self._list is not None:
                self._list.close_list()
                self._list.deleteLater()
            self._list = TemplateList(self._parent.theme, self._composer)
        return self._list

    def _found(self, template: PromptTemplate) -> None:
        self._use(template, search=self._composer.text())

    def _use(self, template: PromptTemplate, _checked: bool = False, *, search: str = "") -> None:
        self._drop_form()
        self._search = search
        if template.gaps:
            self._fill_in(template.name, template.gaps, partial(self._insert_filled, template))
        else:
            self._insert(template.text)

    def _ask(self, prompt: ServerPrompt) -> None:
        self._drop_form()
        self._search = self._composer.text()
        if prompt.arguments:
            gaps = [Gap(one.name, "", one.title, one.note, one.is_required) for one in prompt.arguments]
            name = f"{prompt.prompt.title} – {prompt.server_name}"
            self._fill_in(name, gaps, starting(self._tasks.spawn, self._fetch, prompt))
        else:
            self._tasks.spawn(self._fetch(prompt, {}))

    async def _fetch(self, prompt: ServerPrompt, values: Mapping[str, str]) -> None:
        """What the server makes of it is read before it is sent, and stays the words of others."""
        self._drop_form()
        id, notice = self._drafts.place, self._column.notice
        try:
            text, left_out = await self._servers.text(prompt, values)
        except BadInput as error:
            notice.tell(fault_text(error), "warn")
            return
        if self._drafts.place != id:
            return  # another session is open: it was not asked for there
        self._insert(text)
        self._drafts.note_origin(f"MCP server {prompt.server_name}")
        words = _("{server} wrote this: read it before you send it.").format(server=prompt.server_name)
        if left_out:
            more = ngettext(
                "{n} part that is no text was left out.", "{n} parts that are no text were left out.", left_out
            )
            words += " " + more.format(n=left_out)
        notice.tell(words, "info")

    def _fill_in(self, name: str, gaps: Sequence[Gap], then: Callable[[dict[str, str]], object]) -> None:
        from app.ui.chat.template_form import TemplateForm

        form = self._form = TemplateForm(self._parent.theme, name, gaps)
        form.entered.connect(then)
        form.cancelled.connect(self._cancel)
        self._column.ask(form)
        form.show()  # now, not with the next event: it is given the focus
        form.begin()

    def _insert_filled(self, template: PromptTemplate, values: Mapping[str, str]) -> None:
        self._insert(filled(template.text, values))

    def _insert(self, text: str) -> None:
        """A text begun in the composer stays, and the template follows it."""
        self._drop_form()
        typed = self._composer.text()
        if typed == self._search:
            typed = ""
        joined = f"{typed.rstrip()}\n\n{text}" if typed.strip() else text
        self._composer.fill(joined)

    def _cancel(self) -> None:
        self._drop_form()
        self._composer.focus()

    def _drop_form(self) -> None:
        if self._form is not None:
            self._column.settle(self._form)
            self._form = None
