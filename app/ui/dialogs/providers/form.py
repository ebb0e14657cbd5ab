"""One provider as a form: name, address, key, models; behind More what few need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import _, ngettext
from app.ui.dialogs.providers.key_field import KeyField
from app.ui.dialogs.providers.models import ModelPicker
from app.ui.dialogs.providers.proxy_field import ProxyField
from app.ui.theme import Theme
from app.ui.widgets.fields.switch import Switch
from app.ui.widgets.safe_text import SafeLabel, visible

if TYPE_CHECKING:
    from app.services.providers.service import ProviderEntry


class ProviderForm(QWidget):
    changed = Signal()
    fetch_wanted = Signal()
    prices_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entry: ProviderEntry | None = None
        self._is_stored = False
        self._better = ""
        self._changed: ProviderEntry | None = None
        """The same with what was typed about its models."""
        self.name = QLineEdit()
        self.address = QLineEdit()
        self.address.setPlaceholderText("https://host/v1")
        self._insecure = SafeLabel(_("Not encrypted: key and texts can be read on the way."), role="error")
        self._insecure.setWordWrap(True)
        self._insecure.hide()
        self.better = QPushButton()
        self.better.setAccessibleName(_("Use the address of the service"))
        self.better.setProperty("kind", "link")
        self.better.setAutoDefault(False)
        self.better.clicked.connect(self._use_better)
        self.better.hide()
        self.key = KeyField(theme)
        self.enabled = Switch(theme, _("Use this provider"))
        self.models = ModelPicker(theme)
        self._priced = SafeLabel(role="meta")
        first = (
            (_("Name"), self.name),
            (_("Base address"), self._address_cell()),
            (_("Key"), self._key_cell()),
            (_("Models"), self._models_cell()),
            (_("Use this provider"), self.enabled),
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1.5))
        layout.addLayout(self._rows(first))
        self._build_further(layout)
        self._unfold(False)
        self._connect()
        self._is_setting = False

    def _build_further(self, layout: QVBoxLayout) -> None:
        """What most providers do not need, folded."""
        theme = self._theme
        self.proxy = ProxyField(theme)
        self.ca_file = QLineEdit()
        self.ca_file.setPlaceholderText(_("only the system's certificates"))
        self.headers = QPlainTextEdit()
        self.headers.setTabChangesFocus(True)
        self.headers.setPlaceholderText(_("Name: value, one per line"))
        self.headers.setFixedHeight(theme.space(9))
        self._more = QWidget()
        self.more_button = QPushButton(_("More"))
        self.more_button.setCheckable(True)
        self.more_button.setIconSize(QSize(theme.space(2), theme.space(2)))
        self.more_button.setProperty("kind", "link")
        self.more_button.setAutoDefault(False)
        self.more_button.toggled.connect(self._unfold)
        further = (
            (_("Proxy"), self.proxy),
            (_("Certificates"), self._file_cell()),
            (_("Extra headers"), self.headers),
        )
        line = QHBoxLayout()
        line.addWidget(self.more_button)
        line.addStretch(1)
        layout.addLayout(line)
        inner = self._rows(further)
        self._more.setLayout(inner)
        layout.addWidget(self._more)

    def _connect(self) -> None:
        named = (
            (self.name, _("Name")),
            (self.address, _("Base address")),
            (self.ca_file, _("Certificates")),
        )
        for field, title in named:
            field.setAccessibleName(title)
            field.textChanged.connect(self._edited)
        self.headers.setAccessibleName(_("Extra headers"))
        for signal in (
            self.models.changed,
            self.headers.textChanged,
            self.proxy.textChanged,
            self.enabled.toggled,
            self.key.changed,
        ):
            signal.connect(self._edited)
        self.key.entered.connect(self.fetch_wanted)

    def begin(self) -> None:
        """Where a person goes on with a new provider."""
        first = self.key.field if not self.address.text().count("YOUR-") and self.address.text() else self.address
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _rows(self, rows: Sequence[tuple[str, QWidget]]) -> QFormLayout:
        theme = self._theme
        layout = QFormLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(theme.space(2))
        layout.setVerticalSpacing(theme.space(1.5))
        layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for title, widget in rows:
            label = SafeLabel(title)
            label.setMinimumWidth(theme.space(14))
            layout.addRow(label, widget)
        return layout

    def _address_cell(self) -> QWidget:
        cell = QWidget()
        column = QVBoxLayout(cell)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.space(0.5))
        column.addWidget(self.address)
        column.addWidget(self._insecure)
        column.addWidget(self.better, 0, Qt.AlignmentFlag.AlignLeft)
        return cell

    def _key_cell(self) -> QWidget:
        self._elsewhere = SafeLabel(
            _("The stored key belongs to another address and is not sent to this one: enter it again."), role="error"
        )
        self._elsewhere.setWordWrap(True)
        self._elsewhere.hide()
        self._stored = SafeLabel(_("The key that is stored for this address is used."), role="meta")
        self._stored.setWordWrap(True)
        self._stored.hide()
        cell = QWidget()
        column = QVBoxLayout(cell)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.space(0.5))
        column.addWidget(self.key)
        column.addWidget(self._elsewhere)
        column.addWidget(self._stored)
        return cell

    def warn(self, *, is_insecure: bool, is_elsewhere: bool, is_stored: bool, better: str = "") -> None:
        """`is_elsewhere`: the stored key is for another address; `is_stored`: there is one for this; `better`: another
        address to use instead of what was typed.
        """
        self._better = better
        warning = _("This is the address of one call. Use {address}").format(address=better)
        self.better.setText(visible(warning).replace("&", "&&"))
        self.better.setVisible(bool(better))
        self._insecure.setVisible(is_insecure)
        self._is_stored = is_stored
        self._elsewhere.setVisible(is_elsewhere and self.key.key() is None)
        self._stored.setVisible(is_stored and self.key.is_empty)

    def _models_cell(self) -> QWidget:
        self.fetch_button = QPushButton(_("Fetch models"))
        self.fetch_button.clicked.connect(self.fetch_wanted)
        self.prices_button = QPushButton(_("Prices and behaviour…"))
        self.prices_button.clicked.connect(self.prices_wanted)
        cell = QWidget()
        column = QVBoxLayout(cell)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.space(0.5))
        row = QHBoxLayout()
        row.setSpacing(self._theme.space(1))
        for button in (self.fetch_button, self.prices_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addWidget(self._priced, 1)
        column.addLayout(row)
        column.addWidget(self.models)
        return cell

    def _file_cell(self) -> QWidget:
        self.choose_button = QPushButton(_("Choose…"))
        self.choose_button.setAutoDefault(False)
        self.choose_button.setAccessibleName(_("Choose a file of certificates"))
        self.choose_button.clicked.connect(self._choose_file)
        cell = QWidget()
        row = QHBoxLayout(cell)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self._theme.space(1))
        row.addWidget(self.ca_file, 1)
        row.addWidget(self.choose_button)
        return cell

    def reveal(self, inside: QWidget) -> None:
        if self._more.isAncestorOf(inside):
            self.more_button.setChecked(True)

    def show_entry(self, entry: ProviderEntry) -> None:
        self._is_setting = True
        self._entry, self._changed = entry, None
        self._fill(entry)
        self.models.set_models(entry.models)
        self.key.show_key(entry.has_key, fixed=entry.from_environment)
        fields = (self.name, self.address, self.key, self.models, self.fetch_button, self.enabled)
        for field in (*fields, self.proxy, self.ca_file, self.choose_button, self.headers):
            # Of the environment's provider only what is typed about its models is the person's.
            field.setEnabled(not entry.from_environment)
        self.more_button.setChecked(bool(entry.proxy or entry.ca_file or entry.headers))
        self._tell_prices()
        self._is_setting = False

    def show_changed(self, entry: ProviderEntry) -> None:
        """Other values of the same provider, to be stored; the key stays as it is."""
        self._is_setting = True
        self._changed = entry
        self._fill(entry)
        self.models.choose(entry.models)
        self._tell_prices()
        self._is_setting = False

    def follow(self, sent: ProviderEntry, key: str | None, stored: ProviderEntry) -> None:
        """`sent` and `key` are stored now: what nobody has changed since shows what became of it."""
        entry = self.entry()
        if entry is None:
            return
        self._is_setting = True
        traits = ("currency", "prices", "model_traits")
        is_typed = any(getattr(entry, name) != getattr(sent, name) for name in traits)
        self._changed = replace(stored, **{name: getattr(entry, name) for name in traits}) if is_typed else None
        self._entry = stored
        for field, name in ((self.name, "name"), (self.address, "base_url"), (self.ca_file, "ca_file")):
            if getattr(entry, name) == getattr(sent, name) != getattr(stored, name):
                field.setText(getattr(stored, name))
        if entry.models == sent.models != stored.models:
            self.models.choose(stored.models)
        if key == self.key.key() and (key is not None or self.key.is_empty):
            self.key.show_key(stored.has_key, fixed=stored.from_environment)
        self._tell_prices()
        self._is_setting = False

    def _fill(self, entry: ProviderEntry) -> None:
        self.name.setText(entry.name)
        self.address.setText(entry.base_url)
        self.proxy.setText(entry.proxy)
        self.ca_file.setText(entry.ca_file)
        self.headers.setPlainText("\n".join(f"{name}: {value}" for name, value in entry.headers.items()))
        self.enabled.setChecked(entry.enabled)

    def entry(self) -> ProviderEntry | None:
        """The provider as the form says it now."""
        if self._entry is None:
            return None
        now = self._changed if self._changed is not None else self._entry
        return replace(
            now,
            name=self.name.text().strip(),
            base_url=self.address.text().strip(),
            proxy=self.proxy.text(),
            ca_file=self.ca_file.text().strip(),
            headers=_headers_in(self.headers.toPlainText()),
            models=self.models.models(),
            enabled=self.enabled.isChecked(),
        )

    def use_prices(self, entry: ProviderEntry) -> None:
        """What was typed about the models; the rest of `entry` is not looked at."""
        if self._entry is not None:
            self._changed = replace(
                self._entry, currency=entry.currency, prices=entry.prices, model_traits=entry.model_traits
            )
            self._tell_prices()
            self._edited()

    @property
    def has_key(self) -> bool:
        """One is stored for this address, or has been typed."""
        typed = self.key.key()
        if typed is not None:
            return bool(typed)
        return self._is_stored or (self._entry is not None and self._entry.from_environment and self._entry.has_key)

    @property
    def is_dirty(self) -> bool:
        entry = self.entry()
        return entry is not None and (entry != self._entry or self.key.key() is not None)

    def _tell_prices(self) -> None:
        entry = self._changed if self._changed is not None else self._entry
        count = len(entry.prices) if entry is not None else 0
        text = ngettext("{n} price", "{n} prices", count).format(n=count) if count else ""
        self._priced.setText(text)

    def _unfold(self, is_open: bool) -> None:
        self._more.setVisible(is_open)
        self.more_button.setIcon(self._theme.icon("chevron-down" if is_open else "chevron-right", "accent"))

    def _use_better(self) -> None:
        self.address.setText(self._better)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, _("A file of certificates"))
        dialog.setNameFilters([_("Certificates") + " (*.pem *.crt *.cer)", _("All files") + " (*)"])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.ca_file.setText)
        dialog.open()

    def _edited(self) -> None:
        if not self._is_setting:
            self.changed.emit()


def _headers_in(text: str) -> dict[str, str]:
    """Lines without a colon become names without a value; what they lack is told when they are checked."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return {name.strip(): value.strip() for name, _colon, value in (line.partition(":") for line in lines)}
