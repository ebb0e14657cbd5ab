"""One MCP server as a form: a program of this computer or an address, and the values only it gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QWidget

from app.core.setting import SettingInfo
from app.core.text.i18n import N_, _
from app.ui.dialogs.providers.key_field import KeyField
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo, NumberEditor
from app.ui.widgets.fields.rows_editor import EditRow, RowsEditor
from app.ui.widgets.safe_text import SafeLabel

if TYPE_CHECKING:
    from app.services.mcp.views import McpServerForm

_ROWS = {
    "stdio": ("command", "args", "env", "cwd", "proxy_password"),
    "http": ("url", "headers"),
}


_SECONDS = SettingInfo(
    "timeout", "int", False, 60, 1, 600, None, (), N_("Time for one call"), "", "", "", N_("seconds"), True
)  # fmt: skip


class SecretRow(EditRow):
    """A name and a value; a value that is stored is never shown again."""

    def __init__(self, theme: Theme, value: tuple[str, str | None], what: str) -> None:
        name, secret = value
        super().__init__(theme, what)
        self._is_open = secret == ""
        """There is no value yet, as against one that stays as it is."""
        self.name = QLineEdit(name)
        self.name.setAccessibleName(_("Name"))
        self.name.setPlaceholderText(_("Name"))
        self.value_field = KeyField(theme)
        self.value_field.field.setPlaceholderText(_("Value"))
        self.value_field.field.setAccessibleName(_("Value"))
        self.value_field.show_key(bool(name) and secret is None)
        self.value_field.remove_button.hide()
        if secret:
            self.value_field.field.setText(secret)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addWidget(self.name, 2)
        layout.addWidget(self.value_field, 3)
        layout.addWidget(self.remove)
        self.name.textChanged.connect(self.changed)
        self.value_field.changed.connect(self.changed)

    def value(self) -> tuple[str, str | None]:
        key = self.value_field.key()
        return self.name.text().strip(), "" if key is None and self._is_open else key

    def hide_value(self) -> None:
        """It is stored."""
        self._is_open = False
        self.value_field.show_key(True)
        self.value_field.remove_button.hide()

    def begin(self) -> None:
        self.name.setFocus()


class SecretRows(RowsEditor):
    def __init__(self, theme: Theme, *, add: str, empty: str, fresh: tuple[str, str | None]) -> None:
        self._theme = theme
        super().__init__(theme, add=add, empty=empty, fresh=fresh)

    def make_row(self, value: Any) -> EditRow:
        return SecretRow(self._theme, value, _("this value"))

    def follow(self, sent: Mapping[str, str | None]) -> None:
        """These are stored now: their values are not shown any more."""
        for row in self.rows:
            name, value = row.value()
            if isinstance(row, SecretRow) and value and sent.get(name) == value:
                row.hide_value()


class McpForm(QWidget):
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form: McpServerForm | None = None
        self._is_setting = False
        self.name = _line(_("Name"))
        self.kind = CalmCombo()
        self.kind.setAccessibleName(_("Kind"))
        self.kind.addItem(_("a program on this computer (stdio)"), "stdio")
        self.kind.addItem(_("an address (streamable HTTP)"), "http")
        self.command = _line(_("Command"), "npx")
        self.command.setFont(theme.font("code"))
        self.args = QPlainTextEdit()
        self.args.setAccessibleName(_("Arguments"))
        self.args.setPlaceholderText(_("one argument per line"))
        self.args.setTabChangesFocus(True)
        self.args.setFont(theme.font("code"))
        self.args.setFixedHeight(theme.space(11))
        self.env = SecretRows(theme, add=_("Add a variable"), empty="", fresh=("", ""))
        self.proxy_password = QCheckBox(_("Pass on a proxy's address also where it holds a password"))
        self.cwd = _line(_("Folder"), _("where it runs; usually empty"))
        self.url = _line(_("Address"), "https://host/mcp")
        self.headers = SecretRows(theme, add=_("Add a header"), empty="", fresh=("", ""))
        self.timeout = NumberEditor(_SECONDS, theme)
        self.timeout.control.setAccessibleName(_("Time for one call"))
        self._layout = QFormLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setHorizontalSpacing(theme.space(2))
        self._layout.setVerticalSpacing(theme.space(1.5))
        self._layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._layout.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._fields: dict[str, QWidget] = {}
        for key, title, widget in (
            ("name", _("Name"), self.name),
            ("transport", _("Kind"), self.kind),
            ("command", _("Command"), self.command),
            ("args", _("Arguments"), self.args),
            ("env", _("Variables"), self.env),
            ("cwd", _("Folder"), self.cwd),
            ("proxy_password", _("Proxy"), self.proxy_password),
            ("url", _("Address"), self.url),
            ("headers", _("Headers"), self.headers),
            ("timeout", _("Time for one call"), self.timeout),
        ):
            label = SafeLabel(title)
            label.setMinimumWidth(theme.space(14))
            self._fields[key] = widget
            self._layout.addRow(label, widget)
        for line in (self.name, self.command, self.cwd, self.url):
            line.textChanged.connect(self._edited)
        self.args.textChanged.connect(self._edited)
        self.kind.currentIndexChanged.connect(self._edited)
        self.timeout.changed.connect(self._edited)
        self.proxy_password.toggled.connect(self._edited)
        self.env.changed.connect(self._edited)
        self.headers.changed.connect(self._edited)

    def show_form(self, form: McpServerForm) -> None:
        self._form = form
        self.show_changed(form)

    def follow(self, sent: McpServerForm, stored: McpServerForm) -> None:
        """`sent` is stored now."""
        self._is_setting = True
        self._form = stored
        self.env.follow(sent.env)
        self.headers.follow(sent.headers)
        self._is_setting = False

    def show_changed(self, form: McpServerForm) -> None:
        """Other values of the same server, to be stored."""
        self._is_setting = True
        self.name.setText(form.name)
        self.kind.setCurrentIndex(self.kind.findData(form.transport))
        self.command.setText(form.command)
        self.args.setPlainText("\n".join(form.args))
        self.env.set_value(tuple(form.env.items()))
        self.cwd.setText(form.cwd)
        self.url.setText(form.url)
        self.headers.set_value(tuple(form.headers.items()))
        self.timeout.set_value(form.timeout)
        self.proxy_password.setChecked(form.proxy_password)
        self._arrange()
        self._is_setting = False

    def form(self) -> McpServerForm | None:
        """The server as the form says it now."""
        if self._form is None:
            return None
        return replace(
            self._form,
            name=self.name.text().strip(),
            transport=self._transport(),
            command=self.command.text().strip(),
            args=self._arguments(self._form.args),
            env=_named(self.env.value()),
            cwd=self.cwd.text().strip(),
            url=self.url.text().strip(),
            headers=_named(self.headers.value()),
            timeout=float(self.timeout.value()),
            proxy_password=self.proxy_password.isChecked(),
        )

    def _arguments(self, given: tuple[str, ...]) -> tuple[str, ...]:
        """One for each line; empty lines at the end are the habit of a hand, not arguments – unless they were given."""
        text = self.args.toPlainText()
        if text == "\n".join(given):
            return given
        return tuple(text.rstrip("\n").split("\n")) if text.strip("\n") else ()

    @property
    def is_dirty(self) -> bool:
        form = self.form()
        return form is not None and form != self._form

    def _transport(self) -> Literal["stdio", "http"]:
        return "http" if self.kind.currentData() == "http" else "stdio"

    def _arrange(self) -> None:
        """Only what belongs to the kind."""
        kind = self._transport()
        for transport, names in _ROWS.items():
            for name in names:
                self._layout.setRowVisible(self._fields[name], transport == kind)

    def _edited(self) -> None:
        if not self._is_setting:
            self._arrange()
            self.changed.emit()


def _line(name: str, hint: str = "") -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(hint)
    return line


def _named(rows: tuple[Any, ...]) -> Mapping[str, str | None]:
    return {name: value for name, value in rows if name}
