"""What stands where there is nothing yet: a picture, a sentence, and the one thing to do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel


class EmptyState(QWidget):
    def __init__(self, theme: Theme, icon: str, sentence: str, button: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        picture = QLabel()
        picture.setPixmap(theme.pixmap(icon, "muted", 32, ratio=self.devicePixelRatioF()))
        picture.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sentence = SafeLabel(sentence)
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = QPushButton(button)
        self.button.setProperty("kind", "primary")
        self.button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.space(2), theme.space(8), theme.space(2), theme.space(2))
        column.setSpacing(theme.space(2))
        column.addWidget(picture)
        column.addWidget(self.sentence)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
