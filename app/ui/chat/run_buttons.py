"""What a person may ask of a run while it goes on, beside the stop button: answer now, one more round."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import set_safe_tooltip


class RunButtons(QWidget):
    answer_asked = Signal()
    round_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_short = False
        tip = _("No further tools: answer with what was found so far")
        self.answer = self._button("answerNowButton", _("Answer now"), tip)
        tip = _("One reflection round more than the agent's limit")
        self.more = self._button("oneMoreRoundButton", _("One more round"), tip)
        self.answer.clicked.connect(self.answer_asked)
        self.more.clicked.connect(self.round_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space(0.5))
        row.addWidget(self.more)
        row.addWidget(self.answer)
        self.set_theme(theme)

    def set_short(self, is_short: bool) -> None:
        """Icons alone, where there is no room for words."""
        if is_short != self._is_short:
            self._is_short = is_short
            self._paint()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._paint()

    def _paint(self) -> None:
        edge = self._theme.space(2)
        for button, icon in ((self.answer, "bolt"), (self.more, "refresh")):
            button.setText("" if self._is_short else button.accessibleName())
            button.setIcon(self._theme.icon(icon, "muted"))
            button.setIconSize(QSize(edge, edge))

    def _button(self, name: str, text: str, tip: str) -> QPushButton:
        button = QPushButton(self)
        button.setObjectName(name)
        button.setProperty("kind", "quiet")
        button.setAutoDefault(False)
        button.setAccessibleName(text)
        set_safe_tooltip(button, f"{text}\n{tip}")
        button.hide()
        return button
