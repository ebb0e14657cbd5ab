"""Agents that are other programs: added from a preset or a command, looked at and agreed to, tested, removed."""

from __future__ import annotations

import shlex
from functools import partial
from typing import Any

import shiboken6
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.errors import BadInput
from app.core.text.hidden import marked
from app.core.text.i18n import _
from app.services.acp.service import AcpAgentService, AgentForm, AgentView
from app.services.mcp.wording import line_title
from app.services.providers.service import ProviderService
from app.services.settings.settings import SettingsService
from app.ui.dialogs.providers.key_storage import SecretKeeper
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn

from .listing import ListingPage, link_button


class AgentRow(QWidget):
    agreed = Signal(str, object)
    test_wanted = Signal(str)
    remove_wanted = Signal(str)

    def __init__(self, view: AgentView, theme: Theme) -> None:
        super().__init__()
        name, line = SafeLabel(view.name), SafeLabel(marked(view.line), role="meta")
        state = view.why or (_("You agreed to start exactly this.") if view.is_agreed else _("Not agreed to yet."))
        self.state = SafeLabel(state, role="error" if view.why else "meta")
        self.facts = SafeLabel(
            "\n".join(f"{line_title(label)}: {marked(value)}" for label, value in view.lines), role="meta"
        )
        self.told = SafeLabel("", role="meta")
        for label in (line, self.state, self.facts, self.told):
            label.setWordWrap(True)
        self.agree = link_button(_("Agree to start exactly this"), _("Agree to start {name}").format(name=view.name))
        self.agree.clicked.connect(partial(self.agreed.emit, view.id, view.lines))
        self.test = link_button(_("Test"), _("Test {service}").format(service=view.name))
        self.test.clicked.connect(partial(self.test_wanted.emit, view.id))
        self.remove = link_button(_("Remove"), _("Remove {name}").format(name=view.name))
        self.remove.clicked.connect(partial(self.remove_wanted.emit, view.id))
        needs_look = not view.is_agreed and not view.why
        self.facts.setVisible(needs_look)
        self.agree.setVisible(needs_look)
        self.test.setVisible(view.is_agreed)
        name.setWordWrap(True)
        head = FlowRow(theme.space(1))
        head.add_growing(name)
        for button in (self.agree, self.test, self.remove):
            head.add(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(0.5))
        column.addWidget(head)
        for label in (line, self.state, self.facts, self.told):
            column.addWidget(label)


class NewAgentForm(QWidget):
    added = Signal(object)

    def __init__(self, service: AcpAgentService, theme: Theme) -> None:
        super().__init__()
        self._presets = service.presets
        self.preset = CalmCombo()
        self.preset.setAccessibleName(_("Known agents"))
        self.preset.addItem(_("Another program"))
        self.preset.addItems([one.name for one in self._presets])
        self.preset.currentIndexChanged.connect(self._fill)
        self.name, self.line, self.variables = QLineEdit(), QLineEdit(), QLineEdit()
        self.name.setPlaceholderText(_("Name"))
        self.name.setAccessibleName(_("Name"))
        self.line.setPlaceholderText(_("Program and arguments"))
        self.line.setAccessibleName(_("Program and arguments"))
        self.variables.setPlaceholderText(_("Variables, such as KEY=value; kept with the keys"))
        self.variables.setAccessibleName(_("Variables, such as KEY=value; kept with the keys"))
        self.variables.setEchoMode(QLineEdit.EchoMode.PasswordEchoOnEdit)
        self.hint = SafeLabel("", role="meta")
        self.hint.setWordWrap(True)
        self.add = QPushButton(_("Add agent"))
        self.add.setAutoDefault(False)
        self.add.clicked.connect(self._give)
        first, last = FlowRow(theme.space(1)), FlowRow(theme.space(1))
        first.add_growing(self.preset)
        first.add_growing(self.name)
        last.add_growing(self.variables)
        last.add(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.space(1), 0, 0)
        column.setSpacing(theme.space(1))
        column.addWidget(first)
        column.addWidget(self.line)
        column.addWidget(last)
        column.addWidget(self.hint)

    def _fill(self, place: int) -> None:
        preset = self._presets[place - 1] if place else None
        self.name.setText(preset.name if preset is not None else "")
        self.line.setText(shlex.join((preset.command, *preset.args)) if preset is not None else "")
        install = preset.install if preset is not None else ""
        self.hint.setText(_("Installed by: {command}").format(command=install) if install else "")

    def _give(self) -> None:
        self.added.emit((self.name.text(), self.line.text(), self.variables.text()))

    def clear(self) -> None:
        self.preset.setCurrentIndex(0)
        for field in (self.name, self.line, self.variables):
            field.clear()


class OtherAgentsPage(ListingPage):
    def __init__(
        self,
        service: AcpAgentService,
        providers: ProviderService,
        settings: SettingsService,
        theme: Theme,
        *,
        spawn: Spawn,
    ) -> None:
        self.form = NewAgentForm(service, theme)
        about = _(
            "Agents of other programs that speak ACP become agents of this window. Nothing starts before you have "
            "agreed to exactly what would run; what it asks permission for goes through your permissions."
        )
        super().__init__(_("Other agents"), about, self.form, theme, spawn)
        self.setObjectName("otherAgentsPage")
        self._service = service
        title = _("Where should the values be kept?")
        self._keeper = SecretKeeper(self, theme, providers, settings, title=title)
        self.form.added.connect(self._add)
        self.refresh()

    async def load(self) -> list[tuple[str, Any]]:
        return [(profile.id, await self._service.view(profile.id)) for profile in self._service.profiles()]

    def row_of(self, entry: Any) -> QWidget:
        row = AgentRow(entry, self._theme)
        row.agreed.connect(self._agree)
        row.test_wanted.connect(self._test)
        row.remove_wanted.connect(self._remove)
        return row

    def _add(self, typed: tuple[str, str, str]) -> None:
        self.store(partial(self._added, *typed), self._keeper, self._clear_form)

    def _clear_form(self, _id: str) -> None:
        self.form.clear()

    async def _added(self, name: str, line: str, variables: str) -> str:
        words = shlex.split(line)
        if not words:
            raise BadInput(_("the command is missing"))
        pairs = [text.partition("=") for text in shlex.split(variables)]
        if not all(key and equals for key, equals, _value in pairs):
            raise BadInput(_("variables are written NAME=VALUE"))
        env = {key: value for key, _equals, value in pairs}
        return await self._service.add(AgentForm(name or words[0], words[0], tuple(words[1:]), env))

    def _agree(self, id: str, lines: tuple[tuple[str, str], ...]) -> None:
        self.do(self._service.agree(id, lines))

    def _remove(self, id: str) -> None:
        self.do(self._service.remove(id))

    def _test(self, id: str) -> None:
        self._say(id, _("Asking…"))
        self.do(self._service.check(id), partial(self._tested, id))

    def _tested(self, id: str, name: str) -> None:
        self._say(id, _("It works: {what}").format(what=name))

    def _say(self, id: str, text: str) -> None:
        row = self.rows.get(id)
        if isinstance(row, AgentRow) and shiboken6.isValid(row):
            row.told.setText(text)
