"""Which proxy: as the system says, none, or an address."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.core.setting import SettingInfo
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo, Editor

DIRECT = "direct"
_OWN = "own"
_SCHEMES = ("http", "https", "socks", "socks5", "socks5h")


class ProxyField(QWidget):
    """`text()` is "" (as the system says), `direct`, or an address."""

    textChanged = Signal()

    def __init__(self, theme: Theme, usual: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.combo = CalmCombo()
        self.combo.setAccessibleName(_("Proxy"))
        self.combo.addItem(usual or _("As the system says"), "")
        self.combo.addItem(_("No proxy"), DIRECT)
        self.combo.addItem(_("This one:"), _OWN)
        self.address = QLineEdit()
        self.address.setAccessibleName(_("Address of the proxy"))
        self.address.setPlaceholderText("http://127.0.0.1:7890")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addWidget(self.combo)
        layout.addWidget(self.address, 1)
        layout.addStretch(0)
        self.setFocusProxy(self.combo)
        self.combo.currentIndexChanged.connect(self._chosen)
        self.address.textChanged.connect(self.textChanged)
        self._chosen()

    def text(self) -> str:
        kind = str(self.combo.currentData())
        return self.address.text().strip() if kind == _OWN else kind

    def setText(self, text: str) -> None:
        kind = text if text in ("", DIRECT) else _OWN
        self.address.setText(text if kind == _OWN else "")
        self.combo.setCurrentIndex(self.combo.findData(kind))

    def _chosen(self) -> None:
        self.address.setVisible(self.combo.currentData() == _OWN)
        self.textChanged.emit()


class ProxyEditor(Editor):
    """The same in a form of settings."""

    def __init__(self, _info: SettingInfo, theme: Theme) -> None:
        self.field = ProxyField(theme)
        super().__init__(self.field.combo)
        self.row.addWidget(self.field, 1)
        self.field.textChanged.connect(self.changed)

    def value(self) -> str:
        return self.field.text()

    def error(self) -> str:
        text = self.field.text()
        if self.field.combo.currentData() != _OWN:
            return ""
        scheme, colon, _rest = text.partition("://")
        if not text or (colon and scheme.lower() not in _SCHEMES):
            return _("An address such as http://127.0.0.1:7890")
        return ""

    def set_value(self, value: Any) -> None:
        if str(value or "") != self.field.text():
            self.field.setText(str(value or ""))
