"""Preferences as a page of the settings: some of their groups, each change applied and kept at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from pydantic import ValidationError
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.preferences import Preferences
from app.core.text.i18n import N_, _
from app.ui.dialogs.agents.limit_editors import BudgetEditor
from app.ui.dialogs.agents.profile_editors import ModelEditor
from app.ui.dialogs.agents.setting_labels import preference_synonyms, preference_words
from app.ui.dialogs.preferences import fields as preference_fields
from app.ui.dialogs.preferences.font_field import FontEditor
from app.ui.dialogs.providers.proxy_field import ProxyEditor
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.texts import fault_text, faults_text
from app.ui.theme import Theme
from app.ui.widgets.fields.form import Form
from app.ui.widgets.layout.page_area import PageArea
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn

if TYPE_CHECKING:
    from app.services.settings.settings import SettingsService

APPEARANCE: Collection[str] = frozenset({N_("Appearance")})
"""The groups of the page that is about looks; the other one has the rest."""
_PAUSE_MS = 300
"""After the last change: a number being typed is not five preferences."""


class PreferencesPage(SettingsPage):
    def __init__(
        self,
        settings: SettingsService,
        models: Sequence[str],
        theme: Theme,
        *,
        spawn: Spawn,
        looks: bool | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`models` are references one may choose from; `looks`: what is about looks, or the rest; None: all."""
        super().__init__(theme, parent)
        self.setObjectName("preferencesPage")
        self._settings, self._spawn = settings, spawn
        profiles = settings.profiles()
        self._endpoints = [endpoint for domain in settings.domains() for endpoint in domain.endpoints]
        fields = preference_fields.fields(profiles, self._endpoints)
        self.form = Form(
            [one for one in fields if looks is None or looks == (one.group in APPEARANCE)],
            theme,
            editors={
                "default_model": partial(ModelEditor, models),
                "session_budget": BudgetEditor,
                "day_budget": BudgetEditor,
                "proxy": ProxyEditor,
                "text_font": FontEditor,
                "code_font": FontEditor,
            },
            words={**preference_words(), **preference_fields.field_words(profiles)},
            also={**preference_synonyms(), **preference_fields.further_words(self._endpoints)},
        )
        self.form.setAutoFillBackground(False)
        self._show_stored()
        self._note = SafeLabel(role="error")
        self._note.setWordWrap(True)
        self._note.hide()
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.space(4), theme.space(3), theme.space(4), theme.space(3))
        column.setSpacing(theme.space(2))
        column.addWidget(self._note)
        column.addWidget(self.form)
        column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(PageArea(inner, keeps_width=True))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._apply)
        self.form.changed.connect(self._pause.start)
        stop = settings.listen(self._changed_elsewhere)
        self.destroyed.connect(stop)

    def finish(self) -> None:
        if self._pause.isActive():
            self._pause.stop()
            self._apply()

    def _changed_elsewhere(self) -> None:
        """A key has changed the zoom, or another page something else: what is shown follows."""
        if shiboken6.isValid(self) and not self._pause.isActive():
            self._show_stored()

    def _show_stored(self) -> None:
        self.form.set_values(preference_fields.values_of(self._settings.preferences, self._endpoints))

    def _apply(self) -> None:
        if self.form.errors():
            return
        try:
            preferences = preference_fields.changed(self._settings.preferences, self.form.values())
        except ValidationError as error:
            self._tell(faults_text(error))
            return
        self._tell("")
        if preferences != self._settings.preferences:
            self._spawn(self._save(preferences))

    async def _save(self, preferences: Preferences) -> None:
        try:
            await self._settings.save_preferences(preferences)
        except (TriptychError, OSError) as error:
            if shiboken6.isValid(self):
                self._tell(_("Not saved: {error}").format(error=fault_text(error)))

    def _tell(self, text: str) -> None:
        self._note.setText(text)
        self._note.setVisible(bool(text))
