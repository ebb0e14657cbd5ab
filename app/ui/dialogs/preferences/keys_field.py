"""A field for keys."""

from __future__ import annotations

from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit


class KeysField(QKeySequenceEdit):
    """Takes the next key that is pressed in it, but for Esc."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Cancel):
            event.ignore()
        else:
            super().keyPressEvent(event)
