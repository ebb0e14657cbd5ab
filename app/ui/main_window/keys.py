"""The sheet of keys: what can be done without the mouse."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QVBoxLayout, QWidget

from app.core.i18n import _
from app.ui.actions import COMMANDS
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel


class KeysDialog(QDialog):
    def __init__(self, theme: Theme, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("keysDialog")
        self.setWindowTitle(_("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.space(4))
        grid.setVerticalSpacing(theme.space(0.75))
        for row, (text, keys) in enumerate(_lines(actions)):
            grid.addWidget(SafeLabel(text), row, 0)
            grid.addWidget(SafeLabel(keys, role="meta"), row, 1)
        grid.setColumnStretch(0, 1)
        buttons = QDialogButtonBox()
        close = buttons.addButton(_("Close"), QDialogButtonBox.ButtonRole.AcceptRole)
        close.setAccessibleName(_("Close"))
        buttons.accepted.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(2))
        layout.addWidget(SafeLabel(_("Keyboard shortcuts"), role="title"))
        layout.addLayout(grid)
        layout.addWidget(buttons)


def _lines(actions: Mapping[str, QAction]) -> list[tuple[str, str]]:
    """Commands with a key, the nine sessions as one line; the composer's own keys at the end."""
    shown = [command for command in COMMANDS if command.id in actions and command.keys and not command.argument]
    native = QKeySequence.SequenceFormat.NativeText
    lines = [
        (actions[one.id].text(), "  ".join(key.toString(native) for key in actions[one.id].shortcuts()))
        for one in shown
    ]
    return [
        *lines,
        (_("Go to one of the first nine sessions"), "Ctrl+1 … Ctrl+9"),
        (_("Send"), "Enter"),
        (_("New line"), "Shift+Enter"),
        (_("Earlier and later messages you sent"), "Ctrl+↑  Ctrl+↓"),
    ]
