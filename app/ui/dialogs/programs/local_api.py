"""The local API while the window is open: switched on, who uses it with which rights, and what was asked last."""

from __future__ import annotations

from functools import partial
from typing import Any

import shiboken6
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.core.text.moments import time_text
from app.services.api.activity import ApiActivity, ApiRequest
from app.services.api.clients import OWNER, RIGHTS, ApiClient
from app.services.api.serving import LocalApiService
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn

from .api_head import ApiHead
from .listing import ListingPage, link_button

_PAUSE_MS = 250
"""Requests come in bursts; what is shown of them changes this often at most."""
_SHOWN = 12


def _right_titles() -> dict[str, str]:
    titles = (_("Ask questions"), _("Answer approvals"), _("Read sessions"))
    return dict(zip(RIGHTS, titles, strict=True))


class ClientRow(QWidget):
    remove_wanted = Signal(str)

    def __init__(self, client: ApiClient, activity: ApiActivity, theme: Theme) -> None:
        super().__init__()
        self._client, self._activity = client, activity
        title = _("You, with the key above") if client.is_owner else client.name
        self.remove = link_button(_("Remove"), _("Remove {name}").format(name=title))
        self.remove.clicked.connect(partial(self.remove_wanted.emit, client.name))
        self.remove.setVisible(not client.is_owner)
        titles = _right_titles()
        agents = _("All agents") if client.agents == ("*",) else ", ".join(client.agents)
        about = SafeLabel(" · ".join((agents, *(titles[right] for right in client.rights))), role="meta")
        self.state = SafeLabel("", role="meta")
        for label in (about, self.state):
            label.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(SafeLabel(title, elide=True), 1)
        head.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(0.5))
        column.addLayout(head)
        column.addWidget(about)
        column.addWidget(self.state)
        self.show_state()

    def show_state(self) -> None:
        count, last = self._activity.open_requests(self._client.name), self._activity.last_of(self._client.name)
        facts = [ngettext("Connected: {n} request", "Connected: {n} requests", count).format(n=count)] if count else []
        if last is not None:
            facts.append(_("Last request {time}").format(time=time_text(last.began, "%H:%M:%S")))
        self.state.setText(" · ".join(facts) or _("Not connected since the start"))


class NewClientForm(QWidget):
    added = Signal(str, object, object)
    """Name, agents, rights."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.name, self.agents = QLineEdit(), QLineEdit()
        self.name.setPlaceholderText(_("Name of a program, such as editor"))
        self.name.setAccessibleName(_("Name of a program, such as editor"))
        self.agents.setPlaceholderText(_("Agents it may use, separated by commas; empty: all"))
        self.agents.setAccessibleName(_("Agents it may use, separated by commas; empty: all"))
        self.rights = {right: QCheckBox(title) for right, title in _right_titles().items()}
        self.add = QPushButton(_("Add program"))
        self.add.setAutoDefault(False)
        self.add.clicked.connect(self._give)
        self.token_label = SafeLabel(_("Its key, shown this once:"), role="meta")
        self.token = QLineEdit()
        self.token.setReadOnly(True)
        self.token.setAccessibleName(_("Its key, shown this once:"))
        boxes = FlowRow(theme.space(2))
        for right, box in self.rights.items():
            box.setChecked(right != "approve")
            box.toggled.connect(self._allow)
            boxes.add(box)
        fields = FlowRow(theme.space(1))
        fields.add_growing(self.name)
        fields.add_growing(self.agents)
        self.token_label.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.space(1), 0, 0)
        column.setSpacing(theme.space(1))
        column.addWidget(fields)
        column.addWidget(boxes)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.token_label)
        column.addWidget(self.token)
        self.show_token("")

    def _allow(self) -> None:
        """A program without a right could only be refused."""
        self.add.setEnabled(any(box.isChecked() for box in self.rights.values()))

    def _give(self) -> None:
        agents = [one.strip() for one in self.agents.text().replace("，", ",").split(",") if one.strip()]
        rights = [right for right, box in self.rights.items() if box.isChecked()]
        self.added.emit(self.name.text().strip(), agents, rights)

    def show_token(self, token: str) -> None:
        self.token.setText(token)
        self.token.setVisible(bool(token))
        self.token_label.setVisible(bool(token))
        if token:
            self.name.clear()
            self.agents.clear()


class LastRequests(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.lines = SafeLabel("", role="meta")
        self.lines.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.space(1), 0, 0)
        column.setSpacing(theme.space(0.5))
        column.addWidget(SafeLabel(_("Last requests")))
        column.addWidget(self.lines)

    def show_requests(self, requests: list[ApiRequest]) -> None:
        self.lines.setText("\n".join(map(_line, requests[:_SHOWN])) or _("Nothing was asked yet."))


def _line(request: ApiRequest) -> str:
    who = request.client or _("refused")
    name = _("you") if who == OWNER.name else who
    return f"{time_text(request.began, '%H:%M:%S')}  {name}  {request.method} {request.path} → {request.status}"


class LocalApiPage(ListingPage):
    def __init__(self, service: LocalApiService, theme: Theme, *, spawn: Spawn) -> None:
        self._service = service
        self.head, self.form, self.requests = ApiHead(service, theme), NewClientForm(theme), LastRequests(theme)
        about = _(
            "Editors, scripts and chat front ends of this computer use your agents: as a model of the OpenAI protocol, "
            "as MCP tools, or over the API. Only programs with a key are answered, and only on this computer."
        )
        super().__init__(_("Local API"), about, self.form, theme, spawn, head=self.head, foot=self.requests)
        self.setObjectName("localApiPage")
        self.head.switched.connect(self._switch)
        self.head.renew_wanted.connect(self._renew)
        self.form.added.connect(self._add)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._show_activity)
        stops = (service.changes.listen(self._changed), service.activity.changes.listen(self._active))
        for stop in stops:
            self.destroyed.connect(stop)
        self._changed(None)
        self.refresh()

    async def load(self) -> list[tuple[str, Any]]:
        if not self._service.address:
            await self._service.clients.open()
        return [(one.name, one) for one in (OWNER, *self._service.clients.clients())]

    def row_of(self, entry: Any) -> QWidget:
        row = ClientRow(entry, self._service.activity, self._theme)
        row.remove_wanted.connect(self._remove)
        return row

    def _changed(self, _nothing: None) -> None:
        self.head.show_state()
        self.told.setText(fault_text(self._service.fault) if self._service.fault is not None else "")
        self._show_activity()

    def _active(self, _nothing: None) -> None:
        if not self._pause.isActive():
            self._pause.start()

    def _show_activity(self) -> None:
        self.requests.show_requests(self._service.activity.last)
        for row in self.rows.values():
            if isinstance(row, ClientRow) and shiboken6.isValid(row):
                row.show_state()

    def _switch(self, is_on: bool, port: str) -> None:
        self.do(self._service.switch(is_on=is_on, port=port))

    def _renew(self) -> None:
        self.do(self._service.clients.renew(), self._renewed)

    def _renewed(self, _token: str) -> None:
        self.head.show_state()

    def _add(self, name: str, agents: list[str], rights: list[str]) -> None:
        self.do(self._service.clients.add(name, agents, rights), self.form.show_token)

    def _remove(self, name: str) -> None:
        self.do(self._service.clients.remove(name))
