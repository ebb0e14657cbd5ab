"""The head of the page of the local API: on or off, port, address and the person's own key."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.services.api.serving import LocalApiService
from app.ui.theme import Theme
from app.ui.widgets.clipboard import copy_current
from app.ui.widgets.fields.switch import Switch
from app.ui.widgets.layout.flow import FieldRow, FlowRow, together
from app.ui.widgets.safe_text import SafeLabel

from .listing import link_button


class ApiHead(QWidget):
    switched = Signal(bool, str)
    """On or off, and the port as it was typed."""
    renew_wanted = Signal()

    def __init__(self, service: LocalApiService, theme: Theme) -> None:
        super().__init__()
        self._service = service
        self.switch = Switch(theme, _("Answer other programs while this window is open"))
        self.switch.setChecked(service.is_wanted)
        self.port = QLineEdit(str(service.wanted_port))
        self.port.setAccessibleName(_("Port"))
        self.port.setMaxLength(5)
        self.port.setFixedWidth(theme.space(10))
        self.address, self.key = QLineEdit(), QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.copy_address = link_button(_("Copy"), _("Copy the address"))
        self.show_key = link_button(_("Reveal"), _("Show the key"))
        self.show_key.setCheckable(True)
        self.copy_key = link_button(_("Copy"), _("Copy the key"))
        self.renew = link_button(_("Renew"), _("Renew the key"))
        self.switch.clicked.connect(self._give)
        self.port.editingFinished.connect(self._give_port)
        self.copy_address.clicked.connect(partial(copy_current, self.address.text))
        self.copy_key.clicked.connect(partial(copy_current, self.key.text))
        self.show_key.toggled.connect(self._show_key)
        self.renew.clicked.connect(self.renew_wanted)
        sentence = SafeLabel(_("Answer other programs while this window is open"))
        sentence.setWordWrap(True)
        top = FlowRow(theme.space(1))
        top.add_growing(together(theme.space(1), self.switch, sentence))
        top.add(together(theme.space(1), SafeLabel(_("Port"), role="meta"), self.port))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, theme.space(1))
        column.setSpacing(theme.space(1))
        column.addWidget(top)
        rows = (
            (_("Address"), self.address, (self.copy_address,)),
            (_("Key"), self.key, (self.show_key, self.copy_key, self.renew)),
        )
        self._while_on: list[QWidget] = []
        for title, field, buttons in rows:
            field.setReadOnly(True)
            field.setAccessibleName(title)
            row = FieldRow(theme.space(1), SafeLabel(title, role="meta"), field, *buttons)
            self._while_on.append(row)
            column.addWidget(row)
        self.show_state()

    def show_state(self) -> None:
        """As the service is now."""
        self.switch.setChecked(self._service.is_wanted)
        if not self.port.hasFocus():
            self.port.setText(str(self._service.wanted_port))
        self.address.setText(self._service.address)
        self.key.setText(self._service.clients.token)
        for widget in self._while_on:
            widget.setVisible(bool(self._service.address))
        self.renew.setVisible(bool(self._service.address) and not self._service.clients.is_token_fixed)

    def _give(self) -> None:
        self.switched.emit(self.switch.isChecked(), self.port.text())

    def _give_port(self) -> None:
        """While it is off, the port is taken when it is switched on."""
        if self.switch.isChecked() and self.port.text() != str(self._service.wanted_port):
            self._give()

    def _show_key(self, is_shown: bool) -> None:
        self.key.setEchoMode(QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password)
        self.show_key.setText(_("Hide") if is_shown else _("Reveal"))
