"""Search services in the order they are asked: key or address, a test with the service's own words, and Readwise."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.services.web.search import READWISE, SearchServiceEntry, WebSearchService
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.layout.page_area import READING_STEPS
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn, starting

from .row import ServiceRow


class WebSearchPage(SettingsPage):
    def __init__(self, search: WebSearchService, theme: Theme, *, spawn: Spawn) -> None:
        super().__init__(theme)
        self.setObjectName("webSearchPage")
        self._search, self._spawn = search, spawn
        self.rows: dict[str, ServiceRow] = {}
        about = SafeLabel(
            _("The services that are ticked are asked from top to bottom; one that fails is passed over. "
              "Without any, only Wikipedia is searched. Their keys are kept like those of models."),
            role="meta",
        )  # fmt: skip
        self.told = SafeLabel(role="error")
        for label in (about, self.told):
            label.setWordWrap(True)
        self._list = QVBoxLayout()
        self._list.setContentsMargins(0, 0, theme.space(1), 0)
        self._list.setSpacing(theme.space(2))
        holder, area = QWidget(), QScrollArea()
        outer = QVBoxLayout(holder)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addLayout(self._list)
        outer.addStretch(1)
        holder.setMaximumWidth(theme.space(READING_STEPS))
        area.setWidget(holder)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(_("Web search"), role="title"))
        for widget in (about, area, self.told):
            layout.addWidget(widget, 1 if widget is area else 0)
        self.refresh()

    def refresh(self) -> None:
        entries = [*self._search.entries(), self._readwise()]
        for entry in entries:
            row = self.rows.get(entry.id)
            if row is None:
                row = self.rows[entry.id] = ServiceRow(entry, self._theme, is_search=entry.id != READWISE)
                row.switched.connect(self._switch)
                row.raised.connect(self._raise)
                row.key_given.connect(starting(self._do, self._search.set_key))
                row.address_given.connect(starting(self._do, self._search.set_address))
                row.test_wanted.connect(starting(self._spawn, self._test))
            else:
                row.show_entry(entry)
            self._list.removeWidget(row)
            self._list.addWidget(row)
        self._spawn(self._look_for_keys())

    def _readwise(self) -> SearchServiceEntry:
        address = self._search.address(READWISE)
        help = _("For highlights of your reading; a token is had at readwise.io/access_token.")
        return SearchServiceEntry(READWISE, "Readwise", address, address, True, "https://readwise.io", help, "Readwise")

    async def _look_for_keys(self) -> None:
        for id, row in list(self.rows.items()):
            if row.takes_key:
                state = await self._search.key_state(id)
                if not shiboken6.isValid(self):
                    return
                row.show_key(state)

    # ------------------------------------------------------------ what a person does

    def _order(self) -> list[str]:
        return [entry.id for entry in self._search.entries() if entry.place]

    def _switch(self, id: str, is_on: bool) -> None:
        order = [one for one in self._order() if one != id]
        self._do(self._search.set_order([*order, id] if is_on else order))

    def _raise(self, id: str) -> None:
        """One place up."""
        order = self._order()
        at = order.index(id) if id in order else 0
        if at:
            order[at - 1], order[at] = order[at], order[at - 1]
            self._do(self._search.set_order(order))

    async def _test(self, id: str) -> None:
        row = self.rows[id]
        row.show_test(_("Asking…"), is_fine=True)
        tested = await self._search.test(id)
        if shiboken6.isValid(self):
            row.show_test(tested.text, is_fine=tested.ok)

    def _do(self, work: Coroutine[Any, Any, Any]) -> None:
        self._spawn(self._done(work))

    async def _done(self, work: Coroutine[Any, Any, Any]) -> None:
        why = ""
        try:
            await work
        except (TriptychError, OSError) as error:
            why = fault_text(error)
        if shiboken6.isValid(self):
            self.told.setText(why)
            self.refresh()
