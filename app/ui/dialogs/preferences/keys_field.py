"""A field for keys."""

from __future__ import annotations

from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QLineEdit, QToolButton

from app.core.text.i18n import _
from app.ui.widgets.spoken_role import Role, speak_as


class KeysField(QKeySequenceEdit):
    """Takes the next key that is pressed in it, but for Esc."""

    def __init__(self) -> None:
        super().__init__()
        speak_as(self, Role.EditableText)
        self.keySequenceChanged.connect(self._say)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        for part in self.findChildren(QLineEdit):  # Qt's own, inside
            part.setAccessibleName(name)
            for button in part.findChildren(QToolButton):
                button.setAccessibleName(_("Clear"))

    def _say(self, keys: QKeySequence) -> None:
        self.setAccessibleDescription(keys.toString(QKeySequence.SequenceFormat.NativeText))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Cancel):
            event.ignore()
        else:
            super().keyPressEvent(event)
