"""What one should know before going: three lines at most, and the way to the others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import ngettext
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

_NOTES_AT_FIRST = 3


class DayNotes(QWidget):
    def __init__(self, notes: Sequence[str], theme: Theme) -> None:
        super().__init__()
        self._theme, self._notes = theme, list(notes)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(theme.space(1), theme.space(1), theme.space(1), theme.space(0.5))
        self._column.setSpacing(0)
        for note in self._notes[:_NOTES_AT_FIRST]:
            self._column.addWidget(self._line(note))
        self.more = QPushButton()
        self.more.setObjectName("moreNotes")
        self.more.setProperty("kind", "link")
        self.more.setAutoDefault(False)
        rest = len(self._notes) - _NOTES_AT_FIRST
        words = ngettext("{n} more note ›", "{n} more notes ›", max(rest, 1)).format(n=rest)
        self.more.setText(words)
        self.more.setVisible(rest > 0)
        self.more.clicked.connect(self.unfold)
        self.more.setFixedHeight(theme.space(3))
        self._column.addWidget(self.more)

    def unfold(self) -> None:
        if self.more.isHidden():
            return
        self.more.hide()
        for note in self._notes[_NOTES_AT_FIRST:]:
            self._column.addWidget(self._line(note))
        self.updateGeometry()

    def _line(self, note: str) -> QWidget:
        theme = self._theme
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, theme.space(0.25), 0, theme.space(0.25))
        line.setSpacing(theme.space(1))
        sign = SafeLabel()
        sign.setPixmap(theme.pixmap("alert", "warn", 14, ratio=max(1.0, sign.devicePixelRatioF())))
        line.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        label = SafeLabel(note)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        line.addWidget(label, 1)
        return holder
