"""The server of shared knowledge bases: its address, its password, a test."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import shiboken6
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.services.knowledge.server import SharedServer
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.layout.flow import FieldRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn


class ServerView(QWidget):
    """An address counts when its field is left, a password when it is kept."""

    failed = Signal(str)
    changed = Signal()
    """There is another server, or none."""

    def __init__(self, server: SharedServer, theme: Theme, *, spawn: Spawn) -> None:
        super().__init__()
        self._server, self._spawn = server, spawn
        self.address, self.password = QLineEdit(), QLineEdit()
        self.address.setAccessibleName(_("Server for shared bases"))
        self.address.setPlaceholderText(_("none – postgresql://user@host:5432/database"))
        self.address.editingFinished.connect(self._give_address)
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.password.setAccessibleName(_("Password of the server"))
        self.password.returnPressed.connect(self._give_password)
        self.test_button, self.keep_button = QPushButton(_("Test")), QPushButton(_("Keep the password"))
        self.test_button.setAccessibleName(_("Test {service}").format(service=_("Server for shared bases")))
        self.test_button.clicked.connect(self._test)
        self.keep_button.clicked.connect(self._give_password)
        about = SafeLabel(
            _(
                "For documents that several people search, or more than one computer holds: PostgreSQL with the "
                "extension “vector”. Bases you put there are read by this computer and searched by all."
            ),
            role="meta",
        )
        self.state = SafeLabel("", role="meta")
        for label in (about, self.state):
            label.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(0.5))
        rows = (
            (_("Server for shared bases"), self.address, self.test_button),
            (_("Password"), self.password, self.keep_button),
        )
        for title, field, button in rows:
            button.setAutoDefault(False)
            label = SafeLabel(title)
            label.setMinimumWidth(theme.space(19))
            column.addWidget(FieldRow(theme.space(1), label, field, button))
        column.addWidget(about)
        column.addWidget(self.state)
        self.refresh()

    def refresh(self) -> None:
        if not self.address.hasFocus():
            self.address.setText(self._server.address)
        for widget in (self.password, self.keep_button):
            widget.setEnabled(self._server.is_set)
        self._spawn(self._look())

    async def _look(self) -> None:
        has_password = await self._server.has_password()
        if shiboken6.isValid(self):
            self.password.setPlaceholderText(
                _("A password is kept; type another to replace it") if has_password else ""
            )

    def _give_address(self) -> None:
        typed = self.address.text().strip()
        if typed != self._server.address:
            self._spawn(self._save(self._server.set_address(typed)))

    def _give_password(self) -> None:
        if password := self.password.text():
            self.password.clear()
            self._spawn(self._save(self._server.set_password(password)))

    def _test(self) -> None:
        self.state.setText(_("Asking…"))
        self._spawn(self._tested())

    async def _tested(self) -> None:
        typed = self.address.text().strip()
        if typed != self._server.address and not await self._saved(self._server.set_address(typed)):
            self.state.setText("")
            return
        result = await self._server.test()
        if shiboken6.isValid(self):
            self.state.setText(result.text)
            if result.ok:
                self.changed.emit()

    async def _save(self, work: Coroutine[Any, Any, Any]) -> None:
        await self._saved(work)

    async def _saved(self, work: Coroutine[Any, Any, Any]) -> bool:
        why = ""
        try:
            await work
        except (TriptychError, OSError) as error:
            why = _("Not saved: {error}").format(error=fault_text(error))
        if shiboken6.isValid(self):
            self.failed.emit(why)
            if not why:
                self.refresh()
                self.changed.emit()
        return not why
