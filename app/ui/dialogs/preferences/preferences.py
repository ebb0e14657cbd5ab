"""Preferences as a page of the settings: some of their groups, each change applied and kept at once."""

from __future__ import annotations

from collections.abc import Collection, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import shiboken6
from pydantic import ValidationError
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
from app.ui.widgets.layout.page_area import READING_STEPS, PageArea
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn

if TYPE_CHECKING:
    from app.services.settings.settings import SettingsService

APPEARANCE: Collection[str] = frozenset({N_("Appearance")})
"""The groups of the page that is about looks; the other one has the rest."""


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
        self._settings = settings
        profiles = settings.profiles()
        fields = preference_fields.fields(profiles)
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
            also=preference_synonyms(),
        )
        self.form.setAutoFillBackground(False)
        self._stored = self._values()
        self.form.set_values(self._stored)
        self._note = SafeLabel(role="error")
        self._note.setWordWrap(True)
        self._note.hide()
        inner = QWidget()
        inner.setMaximumWidth(theme.space(READING_STEPS))
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.space(4), theme.space(3), theme.space(4), theme.space(3))
        column.setSpacing(theme.space(2))
        column.addWidget(self._note)
        column.addWidget(self.form)
        column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(PageArea(inner, keeps_width=True))
        self.save_at_once(self.form.changed, self._store_changes, spawn)
        stop = settings.listen(self._changed_elsewhere)
        self.destroyed.connect(stop)

    def _changed_elsewhere(self) -> None:
        """A key has changed the zoom, or another page something else: what is shown follows."""
        if shiboken6.isValid(self):
            before, self._stored = self._stored, self._values()
            self.form.follow(before, self._stored)

    def _values(self) -> dict[str, Any]:
        return self._settings.preferences.model_dump()

    def _store_changes(self) -> Coroutine[Any, Any, None] | None:
        changes = self.form.valid_changes(self._stored)
        if not changes:
            return None
        try:
            preferences = preference_fields.changed(self._settings.preferences, {**self._stored, **changes})
        except ValidationError as error:
            self._tell(faults_text(error))
            return None
        self._tell("")
        return self._save(preferences)

    async def _save(self, preferences: Preferences) -> None:
        try:
            await self._settings.save_preferences(preferences)
        except (TriptychError, OSError) as error:
            if shiboken6.isValid(self):
                self._tell(_("Not saved: {error}").format(error=fault_text(error)))

    def _tell(self, text: str) -> None:
        self._note.setText(text)
        self._note.setVisible(bool(text))
