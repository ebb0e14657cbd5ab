"""Message templates beside the composer: by its button or by "/", filled in where they have gaps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu

from app.core.text.i18n import _
from app.ui.main_window.palette.palette import PaletteEntry
from app.ui.widgets.safe_text import visible

if TYPE_CHECKING:
    from app.core.session.prompt_template import PromptTemplate
    from app.services.settings.message_templates import PromptService
    from app.ui.chat.template_form import TemplateForm
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.dialogs.settings import SettingsController
    from app.ui.main_window.palette.template_list import TemplateList
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
    ) -> None:
        super().__init__(column)
        self._parent, self._column, self._composer, self._tasks = parent, column, column.composer, tasks
        self._settings, self._prompts = settings, prompts
        self._form: TemplateForm | None = None
        self._list: TemplateList | None = None
        self._search = ""
        """What was typed to find the template: the template takes its place."""
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
        """Without templates a slash is just a slash."""
        templates = await self._prompts.list()
        if not templates:
            return
        if self._list is None or self._list.theme is not self._parent.theme:
            from app.ui.main_window.palette.template_list import TemplateList

            if self._list is not None:
                self._list.close_list()
                self._list.deleteLater()
            self._list = TemplateList(self._parent.theme, self._composer)
        self._list.offer(
            [
                PaletteEntry(one.name, " ".join(one.text.split())[:_NOTE], partial(self._found, one), "file")
                for one in templates
            ]
        )

    def _found(self, template: PromptTemplate) -> None:
        self._use(template, search=self._composer.text())

    def _use(self, template: PromptTemplate, _checked: bool = False, *, search: str = "") -> None:
        self._drop_form()
        self._search = search
        if not template.gaps:
            self._insert(template.text)
            return
        from app.ui.chat.template_form import TemplateForm

        form = self._form = TemplateForm(self._parent.theme, template)
        form.inserted.connect(self._insert)
        form.cancelled.connect(self._cancel)
        self._column.ask(form)
        form.show()  # now, not with the next event: it is given the focus
        form.begin()

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
