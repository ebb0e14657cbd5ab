"""Who answers: providers with their address, key and models, tested and found."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.text.i18n import _, ngettext
from app.services.providers.addresses import service_address
from app.ui.dialogs.approvals.link import ask_to_open_link
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.providers.changes import ProviderChanges
from app.ui.dialogs.providers.form import ProviderForm
from app.ui.dialogs.providers.key_storage import KeyStorageLine, Offer, SecretKeeper, ask_to_move_into_file
from app.ui.dialogs.providers.labels import error_words, tool_words
from app.ui.dialogs.providers.list import ProviderList
from app.ui.dialogs.providers.model_settings import ProviderModelsDialog
from app.ui.dialogs.providers.test_line import ConnectionLine
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.dialogs.settings.undo_line import UndoLine
from app.ui.theme import Theme
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.layout.master_detail import MasterDetail
from app.ui.widgets.layout.page_area import PageArea
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.sheet import has_sheet
from app.ui.widgets.spawn import Spawn, starting

if TYPE_CHECKING:
    from app.services.providers.service import ProviderEntry, ProviderService
    from app.services.settings.settings import SettingsService


class ProvidersPage(SettingsPage):
    def __init__(
        self,
        providers: ProviderService,
        settings: SettingsService,
        theme: Theme,
        *,
        spawn: Spawn,
        provider: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self.setObjectName("providersPage")
        self._providers, self._settings = providers, settings
        self._spawn = spawn
        self._found: list[ProviderEntry] = []
        self._new: ProviderEntry | None = None
        self._shown = ""
        self._presets = {preset.id: preset for preset in providers.presets()}
        self.form = ProviderForm(theme)
        secrets = SecretKeeper(self, theme, providers, settings)
        self._changes = ProviderChanges(self.form, providers, secrets)
        self._saving = self.save_at_once(self.form.changed, self._store_changes, spawn)
        self._build()
        self._arrange_list()
        self.show_provider(provider or next((entry.id for entry in providers.providers()), ""))
        self._do(self._tell_storage())
        self._do(self._discover())

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        theme = self._theme
        self.list = ProviderList(list(self._presets.values()), theme)
        self.list.chosen.connect(partial(self.leave_to, self.show_provider))
        self.list.add_wanted.connect(partial(self.leave_to, self._add))
        self.list.delete_wanted.connect(self._ask_delete)
        self.form.changed.connect(self._arrange)
        self.form.fetch_wanted.connect(starting(self._do, self._fetch))
        self.form.prices_wanted.connect(self._ask_prices)
        self.test = ConnectionLine(theme)
        self.test.wanted.connect(starting(self._do, self._test))
        self.test.mended.connect(self._mend)
        self.storage = KeyStorageLine(theme)
        self.storage.wanted.connect(self._change_storage)
        self.saved = UndoLine(theme, self)
        self.saved.wanted.connect(self.undo)
        self.add_button = QPushButton(_("Add"))
        self.add_button.setProperty("kind", "primary")
        self.add_button.setAutoDefault(False)
        self.add_button.clicked.connect(self._add_shown)
        self._page = QWidget()
        page = QVBoxLayout(self._page)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(theme.space(2))
        page.addLayout(self._build_head())
        page.addWidget(self.form)
        sentence = _("No provider yet: only the offline rules can answer.")
        self._empty = EmptyState(theme, "globe", sentence, _("Add a provider"))
        self._empty.button.clicked.connect(self.list.ask_which)
        line = QFrame()
        line.setProperty("line", True)
        line.setFixedHeight(1)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.space(3), theme.space(2), theme.space(3), theme.space(1))
        column.addWidget(self._page)
        column.addWidget(self._empty)
        column.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addWidget(self.saved, 1)
        row.addWidget(self.add_button)
        foot = QVBoxLayout()
        foot.setSpacing(theme.space(1))
        foot.addLayout(row)
        foot.addWidget(self.storage)
        foot.setContentsMargins(theme.space(3), theme.space(1), theme.space(3), theme.space(1.5))
        detail = QWidget()
        right = QVBoxLayout(detail)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(PageArea(inner, keeps_width=True), 1)
        right.addWidget(line)
        right.addWidget(self.test)
        right.addLayout(foot)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.split = MasterDetail(theme, self.list, detail, _("Providers"))
        layout.addWidget(self.split)

    def _build_head(self) -> QHBoxLayout:
        theme = self._theme
        self._title = SafeLabel(role="title", elide=True)
        self._badge = SafeLabel(_("from the environment"), role="chip")
        self.key_page = QPushButton(_("Get a key"))
        self.key_page.setProperty("kind", "link")
        self.key_page.setAutoDefault(False)
        self.key_page.clicked.connect(self._open_key_page)
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(self._title)
        head.addWidget(self._badge)
        head.addStretch(1)
        head.addWidget(self.key_page)
        return head

    # ------------------------------------------------------------ the list

    def show_item(self, item: str) -> None:
        self.split.show_detail()
        if self._shown != item:
            self.leave(partial(self.show_provider, item))

    def go_back(self) -> bool:
        return self.split.go_back()

    def _entries(self) -> list[ProviderEntry]:
        new = [self._new] if self._new is not None else []
        return [*self._providers.providers(), *new, *self._found]

    def _arrange_list(self) -> None:
        stored = {entry.id for entry in self._providers.providers()}
        named = [replace(entry, name=self._name(entry)) for entry in self._entries()]
        self.list.show_entries(named, stored=stored, found={entry.id for entry in self._found})

    def show_provider(self, id: str) -> None:
        entry = next((entry for entry in self._entries() if entry.id == id), None)
        self._shown = id if entry else ""
        self._changes.clear()
        self._saving.drop()
        self.saved.tell("")
        if self._new is not None and self._new.id != id:
            self._new = None
        self._arrange_list()
        self.list.select(self._shown)
        if entry is not None:
            self.form.show_entry(entry)
            self._title.setText(self._name(entry))
            self._badge.setVisible(entry.from_environment)
            preset = self._presets.get(entry.preset)
            self.key_page.setVisible(bool(preset and preset.key_page and not entry.from_environment))
        self.test.tell("")
        self._arrange()

    def _name(self, entry: ProviderEntry) -> str:
        preset = self._presets.get(entry.preset)
        return entry.name or (preset.name if preset else entry.id)

    def _add(self, preset_id: str) -> None:
        preset = self._presets[preset_id]
        self._new = preset.entry(self._providers.free_id(preset.id))
        self.show_provider(self._new.id)
        self.split.show_detail()
        self.form.begin()
        if not preset.needs_key and preset.base_url:
            self._add_shown()  # nothing is missing

    # ------------------------------------------------------------ state

    @property
    def _is_unsaved(self) -> bool:
        """Not stored yet: chosen from a preset, or found on this machine."""
        return bool(self._shown) and self._shown not in {entry.id for entry in self._providers.providers()}

    @property
    def is_dirty(self) -> bool:
        return bool(self._shown) and self.form.is_dirty

    def _arrange(self) -> None:
        entry = self.form.entry() if self._shown else None
        self.form.warn(
            is_insecure=entry is not None and self._providers.is_insecure(entry),
            is_elsewhere=entry is not None and self._providers.is_elsewhere(entry),
            is_stored=entry is not None and self._providers.has_key_here(entry),
            better=service_address(entry.base_url) if entry is not None else "",
        )
        self._page.setVisible(entry is not None)
        self._empty.setVisible(entry is None)
        self.test.setVisible(entry is not None)
        self.saved.button.setVisible(self._changes.can_undo)
        self.add_button.setVisible(self._is_unsaved)
        self.list.delete_button.setEnabled(entry is not None and not entry.from_environment and not self._is_unsaved)

    # ------------------------------------------------------------ asking the services

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        self._spawn(self._reported(work))

    async def _reported(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (TriptychError, OSError) as error:
            if shiboken6.isValid(self):
                self.test.tell(error_words(error), is_error=True)

    async def _tell_storage(self) -> None:
        places = await self._providers.key_storage.places()
        if shiboken6.isValid(self):
            self.storage.show_places(places)

    def _change_storage(self, offer: Offer) -> None:
        match offer:
            case "keyring":
                self._do(self._move_keys("keyring"))
            case "file":
                question = ask_to_move_into_file(self, self._theme)
                question.agreed.connect(starting(self._do, self._move_keys, "file"))
            case _:
                self._do(self._tell_storage())

    async def _move_keys(self, to: Literal["keyring", "file"]) -> None:
        self.test.tell(_("Moving the keys … the system may ask you to unlock its keyring."))
        count = await self._providers.key_storage.move(to)
        chosen = {"keys_in_file": to == "file", "key_file_first": to == "file"}
        await self._settings.save_preferences(self._settings.preferences.model_copy(update=chosen))
        await self._tell_storage()
        if shiboken6.isValid(self):
            self.test.tell(ngettext("{n} key was moved.", "{n} keys were moved.", count).format(n=count))

    async def _discover(self) -> None:
        servers = await self._providers.probes.discover()
        if shiboken6.isValid(self):
            self._found = servers
            self._arrange_list()
            if not self._shown and servers:
                self.show_provider(servers[0].id)

    async def _test(self) -> None:
        entry = self.form.entry()
        if entry is None:
            return
        has_key = self.form.has_key
        self.test.button.setEnabled(False)
        self.test.tell(_("Asking …"))
        model = entry.models[0] if entry.models else ""
        try:
            result = await self._providers.probes.check(entry, self.form.key.key(), model)
        finally:
            if shiboken6.isValid(self):
                self.test.button.setEnabled(True)
        if not shiboken6.isValid(self):
            return
        self.test.tell_result(result, replace(entry, has_key=has_key))
        outcome_text = self.test.outcome.full_text()
        if result.ok and model:
            tools = await self._providers.probes.try_tools(entry, self.form.key.key(), model)
            if shiboken6.isValid(self) and self.test.outcome.full_text() == outcome_text:
                self.test.add(tool_words(tools, model))

    def _mend(self, field: str, value: str) -> None:
        """The one change that was offered, and the test again."""
        if field == "proxy":
            self.form.more_button.setChecked(True)
            self.form.proxy.setText(value)
        else:
            self.form.address.setText(value)
        self._do(self._test())

    async def _fetch(self) -> None:
        entry = self.form.entry()
        if entry is None:
            return
        self.test.tell(_("Asking …"))
        models = await self._providers.probes.list_models(entry, self.form.key.key())
        if shiboken6.isValid(self):
            self.form.models.offer(models)
            count = ngettext("The provider lists {n} model.", "The provider lists {n} models.", len(models))
            self.test.tell(count.format(n=len(models)))
            if not has_sheet(self.window()):
                self.form.models.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _ask_prices(self) -> None:
        entry = self.form.entry()
        if entry is None or not entry.models:
            self.test.tell(_("Name a model first."), is_error=True)
            return
        try:
            self._providers.traits(entry, entry.models[0])
        except TriptychError as error:
            self.test.tell(error_words(error), is_error=True)
            return
        dialog = ProviderModelsDialog(entry, self._providers, self._theme, self)
        dialog.entered.connect(self.form.use_prices)
        dialog.open()

    # ------------------------------------------------------------ storing

    def _add_shown(self) -> None:
        self._changes.want_all()
        self._saving.now(again=True)

    def _store_changes(self) -> Coroutine[Any, Any, None] | None:
        return self._store(self._changes.store()) if self._shown and self._changes.is_any else None

    async def _store(self, work: Coroutine[Any, Any, bool]) -> None:
        if self.form.key.key():
            self.saved.tell(_("Keeping the key … the system may ask you to unlock its keyring."))
        id = self._shown
        try:
            is_stored = await work
        except (TriptychError, OSError) as error:
            if shiboken6.isValid(self):
                self.saved.tell(error_words(error), is_error=True)
            return
        await self._tell_storage()
        if not shiboken6.isValid(self) or self._shown != id:
            return
        if not is_stored:
            self.saved.tell(_("Not saved: nobody has said where the key may be kept."), is_error=True)
            return
        self._found = [found for found in self._found if found.id != id]
        self._new = None
        self._arrange_list()
        self._title.setText(next(self._name(entry) for entry in self._entries() if entry.id == id))
        self.saved.tell(_("Saved."))
        self._arrange()

    def undo(self) -> None:
        """The last change since the provider was shown."""
        self._saving.now(self._take_back)

    def _take_back(self) -> None:
        if not self._changes.can_undo:
            return
        if self._changes.take_back():
            self._saving.now(again=True)
        else:
            self._do(self._delete(self._shown))

    def _ask_delete(self) -> None:
        entry = self.form.entry()
        if entry is None:
            return
        answers = [("", _("Cancel"), ""), ("yes", _("Delete"), "danger")]
        title = _("Delete this provider?")
        text = _("{name} and its key are removed from this computer.").format(name=entry.name)
        question = AskDialog(self, self._theme, title, text, answers)
        question.agreed.connect(starting(self._do, self._delete, entry.id))
        question.open()

    async def _delete(self, id: str) -> None:
        await self._providers.delete_provider(id)
        if shiboken6.isValid(self):
            self.show_provider(next((entry.id for entry in self._providers.providers()), ""))

    def _open_key_page(self) -> None:
        entry = self.form.entry()
        preset = self._presets.get(entry.preset) if entry else None
        if preset:
            ask_to_open_link(self, self._theme, preset.key_page)

    # ------------------------------------------------------------ leaving

    def changed_name(self) -> str:
        return self._title.full_text()

    def discard(self) -> None:
        self.form.show_entry(next(entry for entry in self._entries() if entry.id == self._shown))
