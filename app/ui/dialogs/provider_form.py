"""One provider as a form: name, address, key, models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.switch import Switch

if TYPE_CHECKING:
    from app.services.providers import ProviderEntry


class KeyField(QWidget):
    """A key is never shown again: it is there, or it is being replaced."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_key = False
        self._removed = False
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(_("Key"))
        self.field.setPlaceholderText(_("Paste the key"))
        self.field.textChanged.connect(self.changed)
        self._stored = SafeLabel("••••••••  " + _("stored"), role="meta")
        self.replace_button = QPushButton(_("Replace"))
        self.remove_button = QPushButton(_("Remove"))
        for button, slot in ((self.replace_button, self._replace), (self.remove_button, self._remove)):
            button.setProperty("kind", "quiet")
            button.setAutoDefault(False)
            button.clicked.connect(slot)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addWidget(self.field, 1)
        layout.addWidget(self._stored, 1)
        layout.addWidget(self.replace_button)
        layout.addWidget(self.remove_button)

    def show_key(self, has_key: bool, *, fixed: bool = False) -> None:
        """`fixed`: it comes from the environment and cannot be changed here."""
        self._has_key, self._removed = has_key, False
        self.field.clear()
        self._arrange(editing=not has_key)
        for button in (self.replace_button, self.remove_button):
            button.setVisible(has_key and not fixed)

    def key(self) -> str | None:
        """None = as it is, "" = removed."""
        if self._removed:
            return ""
        return self.field.text().strip() or None

    def _arrange(self, *, editing: bool) -> None:
        self.field.setVisible(editing)
        self._stored.setVisible(not editing)

    def _replace(self) -> None:
        self._arrange(editing=True)
        self.replace_button.hide()
        self.field.setFocus()

    def _remove(self) -> None:
        self._removed = True
        self._arrange(editing=True)
        self.replace_button.hide()
        self.remove_button.hide()
        self.changed.emit()


class ProviderForm(QWidget):
    changed = Signal()
    fetch_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry: ProviderEntry | None = None
        self.name = QLineEdit()
        self.address = QLineEdit()
        self.address.setPlaceholderText("https://host/v1")
        self.key = KeyField(theme)
        self.proxy = QLineEdit()
        self.proxy.setPlaceholderText(_("as the system says; or direct, or an address"))
        self.enabled = Switch(theme, _("Use this provider"))
        self.models = QPlainTextEdit()
        self.models.setTabChangesFocus(True)
        self.models.setPlaceholderText(_("one model per line"))
        self.models.setMinimumHeight(theme.space(14))
        self.fetch_button = QPushButton(_("Fetch models…"))
        self.fetch_button.setAutoDefault(False)
        self.fetch_button.clicked.connect(lambda _checked: self.fetch_wanted.emit())
        models = QWidget()
        column = QVBoxLayout(models)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(0.5))
        column.addWidget(self.models)
        row = QHBoxLayout()
        row.addWidget(SafeLabel(_("The first one is used unless another is chosen."), role="meta", elide=True), 1)
        row.addWidget(self.fetch_button)
        column.addLayout(row)
        layout = QFormLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(theme.space(2))
        layout.setVerticalSpacing(theme.space(1.5))
        layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for title, widget in (
            (_("Name"), self.name),
            (_("Base address"), self.address),
            (_("Key"), self.key),
            (_("Models"), models),
            (_("Proxy"), self.proxy),
            (_("Use this provider"), self.enabled),
        ):
            label = SafeLabel(title)
            label.setMinimumWidth(theme.space(14))
            layout.addRow(label, widget)
        for field, title in ((self.name, _("Name")), (self.address, _("Base address")), (self.proxy, _("Proxy"))):
            field.setAccessibleName(title)
            field.textChanged.connect(self._edited)
        self.models.setAccessibleName(_("Models"))
        self.models.textChanged.connect(self._edited)
        self.enabled.toggled.connect(self._edited)
        self.key.changed.connect(self._edited)
        self._is_setting = False

    def show_entry(self, entry: ProviderEntry) -> None:
        self._is_setting = True
        self._entry = entry
        self.name.setText(entry.name)
        self.address.setText(entry.base_url)
        self.proxy.setText(entry.proxy)
        self.models.setPlainText("\n".join(entry.models))
        self.enabled.setChecked(entry.enabled)
        self.key.show_key(entry.has_key, fixed=entry.from_environment)
        self.setEnabled(not entry.from_environment)
        self._is_setting = False

    def entry(self) -> ProviderEntry | None:
        """The provider as the form says it now."""
        if self._entry is None:
            return None
        models = tuple(dict.fromkeys(line.strip() for line in self.models.toPlainText().splitlines() if line.strip()))
        return replace(
            self._entry,
            name=self.name.text().strip(),
            base_url=self.address.text().strip(),
            proxy=self.proxy.text().strip(),
            models=models,
            enabled=self.enabled.isChecked(),
        )

    def add_models(self, models: list[str]) -> None:
        entry = self.entry()
        if entry is not None:
            self.models.setPlainText("\n".join(dict.fromkeys([*entry.models, *models])))

    @property
    def is_dirty(self) -> bool:
        entry = self.entry()
        return entry is not None and not entry.from_environment and (entry != self._entry or self.key.key() is not None)

    def _edited(self) -> None:
        if not self._is_setting:
            self.changed.emit()
