"""The first page over the empty chat: what its choices do, and when it goes."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QObject, Signal

from app.core.errors import TriptychError
from app.core.text.i18n import language_key
from app.ui.dialogs import ask_to_open_link
from app.ui.dialogs.preferences.first_run import Example, FirstRunPage
from app.ui.dialogs.providers.key_storage import KeyPlace, ask_where_keys_go
from app.ui.dialogs.providers.labels import error_words, result_words
from app.ui.widgets.spawn import starting

if TYPE_CHECKING:
    from app.services.data.first_run import FirstRunService
    from app.services.data.sessions import SessionService
    from app.services.providers.models import ModelService
    from app.services.providers.service import ProviderEntry, ProviderService
    from app.services.settings.settings import SettingsService
    from app.ui.chat.composer import Composer
    from app.ui.chat.view import ChatView
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.session_list.navigator import Navigator
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent


class Welcome(QObject):
    providers_asked = Signal()
    """More choices than the page has."""

    def __init__(
        self,
        parent: DialogParent,
        composer: Composer,
        chat: ChatView,
        tasks: Tasks,
        *,
        view: SessionController,
        navigator: Navigator,
        first_run: FirstRunService,
        providers: ProviderService,
        models: ModelService,
        settings: SettingsService,
        sessions: SessionService,
    ) -> None:
        super().__init__(chat)
        self._parent, self._composer, self._chat, self._tasks = parent, composer, chat, tasks
        self._view, self._navigator = view, navigator
        self._first_run, self._providers, self._models, self._settings = first_run, providers, models, settings
        self.page: FirstRunPage | None = None
        self._is_choosing = False
        """A provider is being set up here: there is more to do before the page goes."""
        self._stop_listening = [
            sessions.listen(self.leave),
            providers.listen(self._provider_changed),
        ]

    def close(self) -> None:
        for stop in self._stop_listening:
            stop()

    async def show_if_new(self) -> None:
        if await self._first_run.is_new():
            self.show()

    def show_in_new_session(self) -> None:
        self._navigator.new_session()
        self.show()

    def show(self) -> None:
        """Now, whoever it is."""
        page = self.page = FirstRunPage(self._parent.theme, self._providers.presets(), self._examples())
        page.offline_wanted.connect(self._offline)
        page.local_wanted.connect(self._local)
        page.search_wanted.connect(self._search)
        page.key_wanted.connect(self._key)
        page.key_page_wanted.connect(self._open_key_page)
        page.more_wanted.connect(self.providers_asked)
        page.example_chosen.connect(self._ask)
        page.language_wanted.connect(self._language)
        page.left.connect(self.leave)
        self._chat.cover(page)
        self._search()

    def set_theme(self) -> None:
        """The page is made anew: sizes and icons are those of a theme."""
        if self.page is not None:
            self.show()

    def leave(self, _session: str = "") -> None:
        """Something was chosen: the page goes for good, and the usual empty chat is there."""
        if self.page is None:
            return
        self.page = None
        self._chat.cover(None)
        self._tasks.spawn(self._first_run.settle(), "the first choice was made")
        self._view.choices.refresh()

    def _provider_changed(self, _provider: str) -> None:
        if not self._is_choosing:
            self.leave()

    # ------------------------------------------------------------ the choices

    def _local(self, entry: ProviderEntry, model: str) -> None:
        self._do(self._use_local(entry, model))

    def _key(self, preset: str, key: str) -> None:
        self._do(self._use_key(preset, key))

    def _language(self, language: str) -> None:
        self._do(self._speak(language))

    def _open_key_page(self, url: str) -> None:
        ask_to_open_link(self._parent, self._parent.theme, url)

    def _offline(self) -> None:
        ready = next((one.agent for one in self._examples() if one.is_ready), "")
        self.leave()
        self._view.new(ready)

    def _ask(self, agent: str, text: str) -> None:
        self.leave()
        self._view.new(agent)
        self._composer.fill(text)
        self._composer.submit()

    def _search(self) -> None:
        if self.page is not None:
            self.page.show_searching()
        self._tasks.spawn(self._look_around(), "look for local models")

    async def _look_around(self) -> None:
        page = self.page
        presets = {preset.id: preset.name for preset in self._providers.presets()}
        servers = await self._providers.probes.discover()
        if page is not None and page is self.page:
            page.show_found([replace(entry, name=entry.name or presets.get(entry.preset, "")) for entry in servers])

    async def _use_local(self, entry: ProviderEntry, model: str) -> None:
        models = (model, *(one for one in entry.models if one != model))
        await self._providers.save_provider(replace(entry, models=models))
        await self._answer_with(f"{entry.id}/{model}")

    async def _use_key(self, preset_id: str, key: str) -> None:
        from app.services.providers.service import ProviderEntry

        page, providers = self.page, self._providers
        preset = next(one for one in providers.presets() if one.id == preset_id)
        entry = ProviderEntry(
            providers.free_id(preset.id), preset.id, preset.name, preset.base_url, preset.models,
            needs_key=preset.needs_key,
        )  # fmt: skip
        if page is None:
            return
        page.show_checking()
        result = await providers.probes.check(entry, key, entry.models[0] if entry.models else "")
        if page is not self.page:
            return
        if not result.ok:
            page.show_refused(result_words(result, replace(entry, has_key=True)))
            return
        await self._keep(entry, key)

    async def _keep(self, entry: ProviderEntry, key: str) -> None:
        try:
            await self._providers.save_provider(entry, key)
        except TriptychError as error:
            if error.code != "KEY_STORAGE_MISSING":
                raise
            page = self.page
            if page is not None:
                page.show_refused("")
                question = ask_where_keys_go(page, self._parent.theme)
                question.chosen.connect(starting(self._do, self._keep_there, entry, key))
            return
        await self._answer_with(f"{entry.id}/{entry.models[0]}" if entry.models else "")

    async def _keep_there(self, entry: ProviderEntry, key: str, where: KeyPlace) -> None:
        settings = self._settings
        self._providers.key_storage.choose(where)
        await settings.save_preferences(settings.preferences.model_copy(update={"keys_in_file": where == "file"}))
        await self._keep(entry, key)

    async def _answer_with(self, ref: str) -> None:
        settings = self._settings
        changed = settings.preferences.model_copy(update={"default_model": ref, "welcomed": True})
        await settings.save_preferences(changed)
        self.leave()
        self._view.new()
        self._composer.focus()

    async def _speak(self, language: str) -> None:
        settings = self._settings
        await settings.save_preferences(settings.preferences.model_copy(update={"language": language}))

    # ------------------------------------------------------------ helpers

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.spawn(self._told(work), "first choice")

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        self._is_choosing = True
        try:
            await work
        except (TriptychError, OSError) as error:
            if self.page is not None and shiboken6.isValid(self.page):
                self.page.show_refused(error_words(error))
        finally:
            self._is_choosing = False

    def _examples(self) -> list[Example]:
        key = language_key()
        return [
            Example(one.id, one.title, one.icon, texts[0], bool(self._models.reference(one)))
            for one in self._settings.profiles()
            if (texts := one.examples.get(key) or one.examples.get("en"))
        ]
