"""Webhooks: addresses that are told how runs end and what waits for an approval."""

from __future__ import annotations

from functools import partial
from typing import Any

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.text.hidden import marked
from app.core.text.i18n import _
from app.services.providers.service import ProviderService
from app.services.settings.settings import SettingsService
from app.services.webhooks.hooks import EVENTS, Webhook
from app.services.webhooks.service import WebhookService
from app.ui.dialogs.providers.key_storage import SecretKeeper
from app.ui.theme import Theme
from app.ui.widgets.fields.check_line import CheckLine
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn

from .listing import ListingPage, link_button


def _event_titles() -> dict[str, str]:
    titles = (_("A run ended"), _("A run failed"), _("An approval is wanted"))
    return dict(zip(EVENTS, titles, strict=True))


class WebhookRow(QWidget):
    switched = Signal(str, bool)
    test_wanted = Signal(str)
    remove_wanted = Signal(str)

    def __init__(self, hook: Webhook, last: str, theme: Theme) -> None:
        super().__init__()
        self.box = CheckLine(hook.title)
        self.box.setAccessibleName(_("Tell {name}").format(name=hook.title))
        self.box.setChecked(hook.enabled)
        self.box.toggled.connect(partial(self.switched.emit, hook.id))
        self.test = link_button(_("Test"), _("Test {service}").format(service=hook.title))
        self.test.clicked.connect(partial(self.test_wanted.emit, hook.id))
        self.remove = link_button(_("Remove"), _("Remove {name}").format(name=hook.title))
        self.remove.clicked.connect(partial(self.remove_wanted.emit, hook.id))
        titles = _event_titles()
        what = " · ".join([marked(hook.url), *(titles[event] for event in hook.events)])
        about = SafeLabel(what, role="meta")
        self.told = SafeLabel(last, role="error")
        for label in (about, self.told):
            label.setWordWrap(True)
        head = FlowRow(theme.space(1))
        head.add_growing(self.box)
        head.add(self.test)
        head.add(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(0.5))
        column.addWidget(head)
        column.addWidget(about)
        column.addWidget(self.told)


class NewWebhookForm(QWidget):
    added = Signal(str, str, object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.url, self.name = QLineEdit(), QLineEdit()
        self.url.setPlaceholderText("https://")
        self.url.setAccessibleName(_("Address of a webhook"))
        self.name.setPlaceholderText(_("Name"))
        self.name.setAccessibleName(_("Name"))
        self.events = {event: CheckLine(title) for event, title in _event_titles().items()}
        self.add = QPushButton(_("Add webhook"))
        self.add.setAutoDefault(False)
        self.add.clicked.connect(self._give)
        self.secret_label = SafeLabel(_("The secret that signs what is sent, shown this once:"), role="meta")
        self.secret = QLineEdit()
        self.secret.setReadOnly(True)
        self.secret.setAccessibleName(_("The secret that signs what is sent, shown this once:"))
        boxes = FlowRow(theme.space(2))
        for box in self.events.values():
            box.setChecked(True)
            boxes.add(box)
        fields = FlowRow(theme.space(1))
        fields.add_growing(self.url)
        fields.add_growing(self.name)
        self.secret_label.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.space(1), 0, 0)
        column.setSpacing(theme.space(1))
        column.addWidget(fields)
        column.addWidget(boxes)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.secret_label)
        column.addWidget(self.secret)
        self.show_secret("")

    def _give(self) -> None:
        chosen = tuple(event for event, box in self.events.items() if box.isChecked())
        self.added.emit(self.url.text(), self.name.text(), chosen)

    def show_secret(self, secret: str) -> None:
        self.secret.setText(secret)
        self.secret.setVisible(bool(secret))
        self.secret_label.setVisible(bool(secret))
        if secret:
            self.url.clear()
            self.name.clear()


class WebhooksPage(ListingPage):
    def __init__(
        self,
        service: WebhookService,
        providers: ProviderService,
        settings: SettingsService,
        theme: Theme,
        *,
        spawn: Spawn,
    ) -> None:
        self.form = NewWebhookForm(theme)
        about = _(
            "An address you type is told how runs end and what waits for your approval, signed and tried again until "
            "it is taken. The answer of a run leaves this computer with it."
        )
        super().__init__(_("Webhooks"), about, self.form, theme, spawn)
        self.setObjectName("webhooksPage")
        self._service = service
        title = _("Where should the secret be kept?")
        self._keeper = SecretKeeper(self, theme, providers, settings, title=title)
        self.form.added.connect(self._add)
        self.refresh()

    async def load(self) -> list[tuple[str, Any]]:
        return list(self._service.hooks.all.items())

    def row_of(self, entry: Any) -> QWidget:
        row = WebhookRow(entry, self._service.last.get(entry.id, ""), self._theme)
        row.switched.connect(self._switch)
        row.test_wanted.connect(self._test)
        row.remove_wanted.connect(self._remove)
        return row

    def _add(self, url: str, name: str, events: tuple[str, ...]) -> None:
        self.store(partial(self._service.hooks.add, url, name, events), self._keeper, self._added)

    def _added(self, made: tuple[Webhook, str]) -> None:
        self.form.show_secret(made[1])

    def _switch(self, id: str, is_on: bool) -> None:
        self.do(self._service.hooks.set_enabled(id, is_on))

    def _remove(self, id: str) -> None:
        self.do(self._service.hooks.remove(id))

    def _test(self, id: str) -> None:
        self.do(self._service.test(id), partial(self._tested, id))

    def _tested(self, id: str, why: str) -> None:
        row = self.rows.get(id)
        if isinstance(row, WebhookRow) and shiboken6.isValid(row) and not why:
            row.told.setText(_("It was taken."))
