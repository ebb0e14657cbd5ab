"""The first page over the empty chat: what its choices do, and when it goes."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import shiboken6

from app.core.errors import TriptychError
from app.core.text.i18n import language_key
from app.ui.dialogs import ask_to_open_link
from app.ui.dialogs.preferences.first_run import Example, FirstRunPage
from app.ui.dialogs.providers.key_storage import KeyPlace, ask_where_keys_go
from app.ui.dialogs.providers.labels import error_words, result_words

if TYPE_CHECKING:
    from app.services.container import Services
    from app.services.providers.service import ProviderEntry
    from app.ui.chat.view import ChatView
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks


class Welcome:
    """`more` opens the providers."""

    def __init__(
        self,
        window: MainWindow,
        services: Services,
        tasks: Tasks,
        chat: ChatView,
        conversation: SessionController,
        *,
        more: Callable[[], None],
    ) -> None:
        self._window, self._services, self._tasks = window, services, tasks
        self._chat, self._conversation, self._more = chat, conversation, more
        self.page: FirstRunPage | None = None
        self._is_choosing = False
        """A provider is being set up here: there is more to do before the page goes."""
        self._stop_listening = [
            services.sessions.listen(lambda _id: self.leave()),
            services.providers.listen(lambda _id: self._provider_changed()),
        ]

    def close(self) -> None:
        for stop in self._stop_listening:
            stop()

    async def show_if_new(self) -> None:
        if await self._services.first_run.is_new():
            self.show()

    def show(self) -> None:
        """Now, whoever it is."""
        page = self.page = FirstRunPage(self._window.theme, self._services.providers.presets(), self._examples())
        page.offline_wanted.connect(self._offline)
        page.local_wanted.connect(lambda entry, model: self._do(self._use_local(entry, model)))
        page.search_wanted.connect(self._search)
        page.key_wanted.connect(lambda preset, key: self._do(self._use_key(preset, key)))
        page.key_page_wanted.connect(lambda url: ask_to_open_link(self._window, self._window.theme, url))
        page.more_wanted.connect(self._more)
        page.example_chosen.connect(self._ask)
        page.language_wanted.connect(lambda language: self._do(self._speak(language)))
        page.left.connect(self.leave)
        self._chat.cover(page)
        self._search()

    def set_theme(self) -> None:
        """The page is made anew: sizes and icons are those of a theme."""
        if self.page is not None:
            self.show()

    def leave(self) -> None:
        """Something was chosen: the page goes for good, and the usual empty chat is there."""
        if self.page is None:
            return
        self.page = None
        self._chat.cover(None)
        self._tasks.spawn(self._services.first_run.settle(), "the first choice was made")
        self._conversation.choices.refresh()

    def _provider_changed(self) -> None:
        if not self._is_choosing:
            self.leave()

    # ------------------------------------------------------------ the choices

    def _offline(self) -> None:
        ready = next((one.agent for one in self._examples() if one.is_ready), "")
        self.leave()
        self._conversation.new(ready)

    def _ask(self, agent: str, text: str) -> None:
        self.leave()
        self._conversation.new(agent)
        self._window.composer.fill(text)
        self._window.composer.submit()

    def _search(self) -> None:
        if self.page is not None:
            self.page.show_searching()
        self._tasks.spawn(self._look_around(), "look for local models")

    async def _look_around(self) -> None:
        page = self.page
        presets = {preset.id: preset.name for preset in self._services.providers.presets()}
        servers = await self._services.providers.discover()
        if page is not None and page is self.page:
            page.show_found([replace(entry, name=entry.name or presets.get(entry.preset, "")) for entry in servers])

    async def _use_local(self, entry: ProviderEntry, model: str) -> None:
        models = (model, *(one for one in entry.models if one != model))
        await self._services.providers.save_provider(replace(entry, models=models))
        await self._answer_with(f"{entry.id}/{model}")

    async def _use_key(self, preset_id: str, key: str) -> None:
        from app.services.providers.service import ProviderEntry

        page, providers = self.page, self._services.providers
        preset = next(one for one in providers.presets() if one.id == preset_id)
        entry = ProviderEntry(
            providers.free_id(preset.id), preset.id, preset.name, preset.base_url, preset.models,
            needs_key=preset.needs_key,
        )  # fmt: skip
        if page is None:
            return
        page.show_checking()
        result = await providers.check_provider(entry, key, entry.models[0] if entry.models else "")
        if page is not self.page:
            return
        if not result.ok:
            page.show_refused(result_words(result, replace(entry, has_key=True)))
            return
        await self._keep(entry, key)

    async def _keep(self, entry: ProviderEntry, key: str) -> None:
        try:
            await self._services.providers.save_provider(entry, key)
        except TriptychError as error:
            if error.code != "KEY_STORAGE_MISSING":
                raise
            page = self.page
            if page is not None:
                page.show_refused("")
                ask_where_keys_go(page, self._window.theme, lambda where: self._do(self._keep_there(where, entry, key)))
            return
        await self._answer_with(f"{entry.id}/{entry.models[0]}" if entry.models else "")

    async def _keep_there(self, where: KeyPlace, entry: ProviderEntry, key: str) -> None:
        settings = self._services.settings
        self._services.providers.keep_keys(where)
        await settings.save_preferences(settings.preferences.model_copy(update={"keys_in_file": where == "file"}))
        await self._keep(entry, key)

    async def _answer_with(self, ref: str) -> None:
        settings = self._services.settings
        changed = settings.preferences.model_copy(update={"default_model": ref, "welcomed": True})
        await settings.save_preferences(changed)
        self.leave()
        self._conversation.new()
        self._window.composer.focus()

    async def _speak(self, language: str) -> None:
        settings = self._services.settings
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
            Example(one.id, one.title, one.icon, texts[0], bool(self._services.models.reference(one)))
            for one in self._services.settings.profiles()
            if (texts := one.examples.get(key) or one.examples.get("en"))
        ]
