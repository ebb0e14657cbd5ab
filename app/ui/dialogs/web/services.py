"""The services that agents can ask: which one of those that give the same, its key and address, a test."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.services.web.endpoints import EndpointService
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.fields.check_line import CheckLine
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn, starting

from .row import ServiceRow


class ServicesPage(SettingsPage):
    def __init__(self, services: EndpointService, theme: Theme, *, spawn: Spawn) -> None:
        super().__init__(theme)
        self.setObjectName("servicesPage")
        self._services, self._spawn = services, spawn
        self.rows: dict[str, ServiceRow] = {}
        about = SafeLabel(
            _("One service is asked for each of these, after you have allowed it. "
              "Keys are kept like those of models and go to the address they were typed for only."),
            role="meta",
        )  # fmt: skip
        self.local = CheckLine(_("A typed address may be one of this computer or its network"))
        self.local.setChecked(any(services.is_local(one.id) for group in services.groups() for one in group.entries))
        self.told = SafeLabel(role="error")
        for label in (about, self.told):
            label.setWordWrap(True)
        holder, area = QWidget(), QScrollArea()
        self._list = QVBoxLayout(holder)
        self._list.setContentsMargins(0, 0, theme.space(1), 0)
        self._list.setSpacing(theme.space(2))
        area.setWidget(holder)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(_("Services"), role="title"))
        for widget in (about, self.local, area, self.told):
            layout.addWidget(widget, 1 if widget is area else 0)
        for group in services.groups():
            self._list.addWidget(SafeLabel(group.title, role="strong"))
            for entry in group.entries:
                row = self.rows[entry.id] = ServiceRow(entry, theme, is_search=True)
                row.switched.connect(starting(self._do, services.choose))
                row.key_given.connect(starting(self._do, services.set_key))
                row.address_given.connect(self._take_address)
                row.test_wanted.connect(starting(spawn, self._test))
                self._list.addWidget(row)
        self._list.addStretch(1)
        self.refresh()

    def refresh(self) -> None:
        for group in self._services.groups():
            for entry in group.entries:
                self.rows[entry.id].show_entry(entry)
                self.rows[entry.id].place.setText(_("is asked") if entry.place else "")
        self._spawn(self._look_for_keys())

    async def _look_for_keys(self) -> None:
        for id, row in list(self.rows.items()):
            if row.takes_key:
                state = await self._services.key_state(id)
                if not shiboken6.isValid(self):
                    return
                row.show_key(state)

    # ------------------------------------------------------------ what a person does

    def _take_address(self, id: str, address: str) -> None:
        self._do(self._services.set_address(id, address, local=self.local.isChecked()))

    async def _test(self, id: str) -> None:
        row = self.rows[id]
        row.show_test(_("Asking…"), is_fine=True)
        tested = await self._services.test(id)
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
