"""A field for a key: a stored one is never shown again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel


class KeyField(QWidget):
    """A key is never shown again: it is there, or it is being replaced."""

    changed = Signal()
    entered = Signal()
    """Enter in the field."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._removed = False
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(_("Key"))
        self.field.setPlaceholderText(_("Paste the key"))
        self.field.textChanged.connect(self.changed)
        self.field.returnPressed.connect(self.entered)
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
        self._removed = False
        self.field.clear()
        self._arrange(editing=not has_key)
        for button in (self.replace_button, self.remove_button):
            button.setVisible(has_key and not fixed)

    def key(self) -> str | None:
        """None = as it is, "" = removed."""
        if self._removed:
            return ""
        return self.field.text().strip() or None

    @property
    def is_empty(self) -> bool:
        """It asks for a key, and none was typed."""
        return not self._removed and not self.field.isHidden() and not self.field.text().strip()

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
