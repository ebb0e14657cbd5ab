"""App-wide settings in one window that is searched as a whole. A change is applied and kept at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import shiboken6
from pydantic import ValidationError
from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import TriptychError
from app.core.preferences import Preferences
from app.core.text.i18n import _
from app.ui.dialogs.agents.limit_editors import BudgetEditor
from app.ui.dialogs.agents.profile_editors import ModelEditor
from app.ui.dialogs.agents.setting_labels import preference_synonyms, preference_words
from app.ui.dialogs.preferences import fields as preference_fields
from app.ui.dialogs.preferences.font_field import FontEditor
from app.ui.dialogs.preferences.preferences_links import LinkRows, SettingsLink
from app.ui.dialogs.providers.proxy_field import ProxyEditor
from app.ui.texts import fault_text, faults_text
from app.ui.theme import Theme
from app.ui.widgets.fields.form import Form
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.fit import open_at
from app.ui.widgets.page_area import PageArea
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn

if TYPE_CHECKING:
    from app.services.settings.settings import SettingsService

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
        links: Sequence[SettingsLink] = (),
        parent: QWidget | None = None,
    ) -> None:
        """`links` lead to the settings with a window of their own."""
        super().__init__(parent)
        self.setObjectName("preferencesDialog")
        self.setWindowTitle(_("Preferences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_at(self, theme.space(104), theme.space(76))
        self._settings, self._spawn, self._theme = settings, spawn, theme
        profiles = settings.profiles()
        self._endpoints = [endpoint for domain in settings.domains() for endpoint in domain.endpoints]
        self.form = Form(
            preference_fields.fields(profiles, self._endpoints),
            theme,
            editors={
                "default_model": lambda _info, theme: ModelEditor(models, theme),
                "session_budget": BudgetEditor,
                "day_budget": BudgetEditor,
                "proxy": ProxyEditor,
                "text_font": FontEditor,
                "code_font": FontEditor,
            },
            words={**preference_words(), **preference_fields.field_words(profiles)},
            also={**preference_synonyms(), **preference_fields.further_words(self._endpoints)},
        )
        self._show_stored()
        self.links = LinkRows(_("More settings"), links, theme)
        self.links.setVisible(bool(links))
        self.search = SearchField(theme, _("Search the settings"))
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self.sections = QListWidget()
        self.sections.setObjectName("settingsSections")
        self.sections.setAccessibleName(_("Sections"))
        self.sections.setSpacing(theme.space(0.25))
        self._headings: list[QLabel] = [*self.form.headings().values()]
        if links:
            self._headings.append(self.links.heading)
        self._is_scrolling = False
        self._page = QWidget()
        self._build()
        self.sections.currentRowChanged.connect(self._go_to)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._apply)
        self.form.changed.connect(self._pause.start)
        stop = settings.listen(self._changed_elsewhere)
        self.destroyed.connect(lambda _gone: stop())
        self.finished.connect(self._closing)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.activated.connect(self.search.setFocus)
        self.search.setFocus()

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        theme = self._theme
        for heading in self._headings:
            item = QListWidgetItem(heading.text())
            item.setSizeHint(QSize(0, theme.space(4)))
            self.sections.addItem(item)
        self.sections.setCurrentRow(0)
        side = QWidget()
        side.setProperty("pane", "side")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        side.setFixedWidth(theme.space(28))
        side_layout = QVBoxLayout(side)
        side_layout.setContentsMargins(theme.space(1), theme.space(1.5), theme.space(1), theme.space(1))
        side_layout.setSpacing(theme.space(1))
        side_layout.addWidget(self.search)
        side_layout.addWidget(self.sections, 1)
        inner = self._page
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.space(3), theme.space(2), theme.space(3), theme.space(3))
        column.setSpacing(theme.space(3))
        self._nothing = SafeLabel(_("No setting matches."), role="meta")
        self._nothing.hide()
        column.addWidget(self._nothing)
        column.addWidget(self.form)
        column.addWidget(self.links)
        column.addStretch(1)
        self._area = PageArea(inner, keeps_width=True)
        self.form.setAutoFillBackground(False)
        self._area.verticalScrollBar().valueChanged.connect(self._scrolled)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self._area, 1)
        line = QFrame()
        line.setProperty("line", True)
        line.setFixedHeight(1)
        right.addWidget(line)
        right.addLayout(self._build_foot())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(side)
        layout.addLayout(right, 1)

    def _build_foot(self) -> QHBoxLayout:
        theme = self._theme
        self._note = SafeLabel(_("Changes are applied at once."), role="meta")
        self._note.setWordWrap(True)
        close = QPushButton(_("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.setContentsMargins(theme.space(3), theme.space(1), theme.space(3), theme.space(1.5))
        foot.setSpacing(theme.space(1))
        foot.addWidget(self._note, 1)
        foot.addWidget(close)
        return foot

    # ------------------------------------------------------------ finding

    def _filter(self, text: str) -> None:
        in_form, in_links = self.form.filter(text), self.links.filter(text)
        self.form.setVisible(bool(in_form))
        self.links.setVisible(bool(in_links))
        self._nothing.setVisible(not in_form and not in_links)
        for row, heading in enumerate(self._headings):
            self.sections.item(row).setHidden(heading.isHidden())
        self._area.verticalScrollBar().setValue(0)

    def _go_to(self, row: int) -> None:
        """The section at the top of the page, as far as the page goes."""
        if self._is_scrolling or row < 0:
            return
        place = self._headings[row].mapTo(self._page, self._headings[row].rect().topLeft()).y()
        self._is_scrolling = True
        self._area.verticalScrollBar().setValue(0 if row == 0 else place - self._theme.space(1))
        self._is_scrolling = False

    def _scrolled(self, value: int) -> None:
        if self._is_scrolling:
            return
        bar = self._area.verticalScrollBar()
        tops = [heading.mapTo(self._page, heading.rect().topLeft()).y() for heading in self._headings]
        visible_headings = [row for row, heading in enumerate(self._headings) if not heading.isHidden()]
        reached = [row for row in visible_headings if tops[row] <= value + self._theme.space(4)]
        if bar.maximum() > 0 and value == bar.maximum():
            reached = visible_headings
        self._is_scrolling = True
        self.sections.setCurrentRow(reached[-1] if reached else (visible_headings[0] if visible_headings else -1))
        self._is_scrolling = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # From the search straight into what it found; Esc empties it before it closes the window.
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._enter_first()
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
        return super().eventFilter(watched, event)

    def _enter_first(self) -> None:
        controls = [editor.control for editor in self.form.editors() if editor.isVisible()]
        controls += [button for button in self.links.buttons() if button.isVisible()]
        if controls:
            controls[0].setFocus(Qt.FocusReason.TabFocusReason)
            self._area.ensureWidgetVisible(controls[0])

    # ------------------------------------------------------------ applying

    def _closing(self, _result: int) -> None:
        if self._pause.isActive():
            self._pause.stop()
            self._apply()

    def _changed_elsewhere(self) -> None:
        """A key has changed the zoom, or another window something else: what is shown follows."""
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
            self._note.setText(faults_text(error))
            return
        if preferences != self._settings.preferences:
            self._spawn(self._save(preferences))

    async def _save(self, preferences: Preferences) -> None:
        try:
            await self._settings.save_preferences(preferences)
        except (TriptychError, OSError) as error:
            if shiboken6.isValid(self):
                self._note.setText(_("Not saved: {error}").format(error=fault_text(error)))
