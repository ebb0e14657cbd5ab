"""App-wide settings. A change is applied and kept at once; there is nothing to save."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import shiboken6
from pydantic import ValidationError
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.i18n import _
from app.core.preferences import Preferences
from app.core.setting import describe
from app.ui.dialogs.choices import preference_words
from app.ui.dialogs.profile_editors import ModelEditor
from app.ui.dialogs.proxy_field import ProxyEditor
from app.ui.theme import Theme
from app.ui.widgets.form import Form
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.search_field import SearchField
from app.ui.widgets.spawn import Spawn

if TYPE_CHECKING:
    from app.services.settings import SettingsService

_PAUSE_MS = 300
"""After the last change: a number being typed is not five preferences."""


class PreferencesDialog(QDialog):
    def __init__(
        self,
        settings: SettingsService,
        models: Callable[[], Sequence[str]],
        theme: Theme,
        *,
        spawn: Spawn,
        on_providers: Callable[[], None] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`on_providers` opens the providers, from a button below."""
        super().__init__(parent)
        self.setObjectName("preferencesDialog")
        self.setWindowTitle(_("Preferences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(theme.space(84), theme.space(76))
        self._settings, self._spawn = settings, spawn
        self.form = Form(
            describe(Preferences),
            theme,
            editors={"default_model": lambda _info, theme: ModelEditor(models, theme), "proxy": ProxyEditor},
            words=preference_words(),
        )
        self.form.set_values(settings.preferences.model_dump())
        self.form.setContentsMargins(theme.space(3), theme.space(1), theme.space(3), theme.space(3))
        search = SearchField(_("Search the settings"))
        search.textChanged.connect(self.form.filter)
        head = QHBoxLayout()
        head.setContentsMargins(theme.space(3), theme.space(2), theme.space(3), theme.space(1))
        head.addWidget(SafeLabel(_("Preferences"), role="title"), 1)
        head.addWidget(search, 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.form)
        area.viewport().setAutoFillBackground(False)
        self.form.setAutoFillBackground(False)
        self._note = SafeLabel(_("Changes are applied at once."), role="meta")
        self._note.setWordWrap(True)
        close = QPushButton(_("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.setContentsMargins(theme.space(3), theme.space(1), theme.space(3), theme.space(1.5))
        foot.setSpacing(theme.space(1))
        foot.addWidget(self._note, 1)
        if on_providers is not None:
            providers = QPushButton(_("Providers…"))
            providers.setAutoDefault(False)
            providers.clicked.connect(lambda _checked: on_providers())
            foot.addWidget(providers)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(area, 1)
        layout.addLayout(foot)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._apply)
        self.form.changed.connect(self._pause.start)
        self.finished.connect(self._closing)

    def _closing(self, _result: int) -> None:
        if self._pause.isActive():
            self._pause.stop()
            self._apply()

    def _apply(self) -> None:
        if self.form.errors():
            return
        try:
            preferences = Preferences.model_validate({**self._settings.preferences.model_dump(), **self.form.values()})
        except ValidationError as error:
            self._note.setText("; ".join(fault["msg"] for fault in error.errors()))
            return
        if preferences != self._settings.preferences:
            self._spawn(self._save(preferences))

    async def _save(self, preferences: Preferences) -> None:
        try:
            await self._settings.save_preferences(preferences)
        except (TriptychError, OSError) as error:
            if shiboken6.isValid(self):
                self._note.setText(_("Not saved: {error}").format(error=error))
