"""What stands where there is nothing yet: a picture, a sentence, and the one thing to do, if there is any."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel


class EmptyState(QWidget):
    def __init__(
        self,
        theme: Theme,
        icon: str,
        sentence: str = "",
        button: str = "",
        parent: QWidget | None = None,
        *,
        kind: str = "primary",
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        self._picture = QLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sentence = SafeLabel()
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = QPushButton()
        self.button.setProperty("kind", kind)
        self.button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.space(2), theme.space(8), theme.space(2), theme.space(2))
        column.setSpacing(theme.space(2))
        column.addWidget(self._picture)
        column.addWidget(self.sentence)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.say(sentence, button)
        self.set_theme(theme)

    def say(self, sentence: str, button: str = "") -> None:
        """Without words for it there is no button."""
        self.sentence.setText(sentence)
        self.button.setText(button)
        self.button.setAccessibleName(button or sentence)
        self.button.setVisible(bool(button))

    def set_theme(self, theme: Theme) -> None:
        self._picture.setPixmap(theme.pixmap(self._icon, "muted", 32, ratio=self.devicePixelRatioF()))
