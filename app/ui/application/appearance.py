"""The looks and the language of the preferences: put on at the start, followed while the window is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLibraryInfo, QObject, QTranslator, Signal
from PySide6.QtWidgets import QApplication

from app.core.text.i18n import current_language, set_language
from app.ui.application.look import Look

if TYPE_CHECKING:
    from app.core.preferences import Preferences
    from app.services.data.first_look import FirstLook
    from app.services.settings.settings import SettingsService
    from app.ui.tasks import Tasks
    from app.ui.theme import Theme

ZOOM_LEAST, ZOOM_MOST = 60, 250


class Appearance(QObject):
    theme_changed = Signal(object)
    language_changed = Signal()
    """The words of the window are to be made again."""

    def __init__(self, app: QApplication, first: FirstLook, parent: QObject) -> None:
        super().__init__(parent)
        self._app = app
        self._translator = QTranslator(self)
        self._settings: SettingsService | None = None
        self._tasks: Tasks | None = None
        self._language = ""
        self._is_keeping_zoom = False
        fonts = (first.text_font, first.code_font)
        self._look = Look(app, first.theme, first.zoom, fonts=fonts, still=first.reduced_motion)

    @property
    def theme(self) -> Theme:
        return self._look.theme

    def put_on(self) -> None:
        """Once there is a window: dressing a finished one is cheaper than each widget as it is made."""
        self._look.put_on()

    def follow(self, settings: SettingsService) -> None:
        self._settings, self._language = settings, settings.preferences.language
        self._look.listen(self.theme_changed.emit)
        self._look.ask_desktop()
        settings.listen(self._preferences_changed)

    def use_tasks(self, tasks: Tasks) -> None:
        """Those of the window that is open."""
        self._tasks = tasks

    def set_zoom(self, percent: int) -> None:
        if self._settings is None or self._tasks is None:
            return
        # Shown at once, so that the next press counts from here; what was reached by then is kept.
        self._show(self._settings.preferences, min(ZOOM_MOST, max(ZOOM_LEAST, percent)))
        if not self._is_keeping_zoom:
            self._tasks.spawn(self._keep_zoom(self._settings), "keep zoom")

    async def _keep_zoom(self, settings: SettingsService) -> None:
        self._is_keeping_zoom = True
        try:
            while self._look.zoom != settings.preferences.zoom:
                zoomed = settings.preferences.model_copy(update={"zoom": self._look.zoom})
                await settings.save_preferences(zoomed)
        finally:
            self._is_keeping_zoom = False

    def _show(self, preferences: Preferences, zoom: int) -> None:
        fonts = (preferences.text_font, preferences.code_font)
        self._look.set(preferences.theme, zoom, fonts=fonts, still=preferences.reduced_motion)

    def _preferences_changed(self) -> None:
        assert self._settings is not None
        preferences = self._settings.preferences
        self._show(preferences, self._look.zoom if self._is_keeping_zoom else preferences.zoom)
        if preferences.language != self._language:
            self._language = preferences.language
            before = current_language()
            if set_language(self._language) != before:
                self.language_changed.emit()

    def translate(self) -> None:
        """Qt's own words: context menus, file dialogs."""
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        self._app.removeTranslator(self._translator)
        language = current_language()
        if language != "en" and self._translator.load(f"qtbase_{language}", folder):
            self._app.installTranslator(self._translator)
