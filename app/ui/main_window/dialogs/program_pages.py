"""Pages of the settings about the program: preferences, keys, data, usage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from app.ui.dialogs.settings.agent_titles import AgentTitles

if TYPE_CHECKING:
    from app.services.data.backups import BackupService
    from app.services.data.checks import CheckService
    from app.services.data.data_folder import DataFolderService
    from app.services.providers.models import ModelService
    from app.services.remote_backup.service import RemoteBackupService
    from app.services.runs.runs import RunService
    from app.services.settings.settings import SettingsService
    from app.services.updates.service import UpdateService
    from app.ui.dialogs.settings.page import SettingsPage
    from app.ui.hotkey.controller import GlobalHotkey
    from app.ui.main_window.open_session import OpenSession
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent


class ProgramPages(QObject):
    restored = Signal()
    """A copy of the data was taken back: everything that is shown must be read again."""
    moved = Signal()
    """The data is in another folder: the program is to start again."""

    def __init__(
        self,
        parent: DialogParent,
        tasks: Tasks,
        actions: Mapping[str, QAction],
        open_session: OpenSession,
        hotkey: GlobalHotkey,
        *,
        settings: SettingsService,
        models: ModelService,
        runs: RunService,
        data_folder: DataFolderService,
        backups: BackupService,
        checks: CheckService,
        updates: UpdateService,
        remote_backups: RemoteBackupService,
    ) -> None:
        """`actions` are the commands, for their keys."""
        super().__init__(parent)
        self._parent, self._tasks, self._actions, self._open_session = parent, tasks, actions, open_session
        self._hotkey = hotkey
        self._settings, self._models, self._runs = settings, models, runs
        self._data_folder, self._backups, self._checks = data_folder, backups, checks
        self._updates, self._remote_backups = updates, remote_backups

    def preferences_page(self, *, looks: bool) -> SettingsPage:
        from app.ui.dialogs.preferences.preferences import PreferencesPage

        page = PreferencesPage(
            self._settings,
            [choice.ref for choice in self._models.choices()],
            self._parent.theme,
            spawn=self._tasks.spawn,
            looks=looks,
        )
        page.setObjectName("appearancePage" if looks else "generalPage")
        return page

    def keys_page(self) -> SettingsPage:
        from app.ui.dialogs.preferences.hotkey_row import HotkeyRow
        from app.ui.dialogs.preferences.keys import KeysPage

        now, theme = self._settings.preferences, self._parent.theme
        row = HotkeyRow(theme, self._hotkey, now.quick_ask_keys)
        row.chosen.connect(self._keep_hotkey)
        page = KeysPage(theme, self._actions, now.shortcuts, send_key=now.send_key, hotkey=row)
        page.changed.connect(self._keep_shortcuts)
        return page

    def _keep_hotkey(self, keys: str) -> None:
        settings = self._settings
        changed = settings.preferences.model_copy(update={"quick_ask_keys": keys})
        self._tasks.spawn(settings.save_preferences(changed), "keep shortcuts")

    def _keep_shortcuts(self, shortcuts: dict[str, str]) -> None:
        settings = self._settings
        changed = settings.preferences.model_copy(update={"shortcuts": shortcuts})
        self._tasks.spawn(settings.save_preferences(changed), "keep shortcuts")

    def data_page(self) -> SettingsPage:
        from app.ui.dialogs.data.window import DataPage

        page = DataPage(
            self._data_folder,
            self._backups,
            self._parent.theme,
            spawn=self._tasks.spawn,
            checks=self._checks,
            remote=self._remote_backups,
        )
        page.restored.connect(self.restored)
        page.moved.connect(self.moved)
        return page

    def usage_page(self) -> SettingsPage:
        from app.ui.dialogs.data.usage import UsagePage

        return UsagePage(
            self._runs,
            self._parent.theme,
            spawn=self._tasks.spawn,
            titles=AgentTitles(self._settings),
            session=self._open_session.id,
            price_of=self._models.price,
        )

    def about_page(self) -> SettingsPage:
        from app.ui.dialogs.preferences.about import AboutPage

        return AboutPage(self._parent.theme, self._data_folder.root, self._updates, spawn=self._tasks.spawn)
