"""What stands in an empty chat: who is asked, what they can do, and questions to start with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible

_EXAMPLES = 3
_COLUMN_STEPS = 68


class EmptyChat(QWidget):
    example_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name, self._description, self._icon = "", "", "sparkles"
        self._examples: list[str] = []
        space = theme.space
        self._mark = QLabel(self)
        self._mark.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._title = SafeLabel(role="display", parent=self)
        self._text = SafeLabel(parent=self)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
        self._buttons = QVBoxLayout()
        self._buttons.setSpacing(space(1))
        self._column = QWidget(self)
        self._column.setMaximumWidth(space(_COLUMN_STEPS))
        inner = QVBoxLayout(self._column)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(space(1))
        for widget in (self._mark, self._title, self._text):
            inner.addWidget(widget)
        inner.addSpacing(space(2))
        inner.addLayout(self._buttons)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._column, 1000)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(2), space(2), space(2), space(2))
        layout.addStretch(2)
        layout.addLayout(row)
        layout.addStretch(3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_agent(self, name: str, description: str, icon: str, examples: Sequence[str]) -> None:
        self._name, self._description, self._icon = name, description, icon or "sparkles"
        self._examples = list(examples[:_EXAMPLES])
        self._fill()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As many examples as there is room for; half of one would be none."""
        buttons = [item.widget() for n in range(self._buttons.count()) if (item := self._buttons.itemAt(n))]
        words = sum(part.heightForWidth(self._column.width()) for part in (self._title, self._text) if part.text())
        room = self.height() - self._mark.sizeHint().height() - words - self._theme.space(12)
        for number, button in enumerate(buttons, 1):
            if button is not None:
                button.setVisible(number * (button.sizeHint().height() + self._theme.space(1)) <= room)

    def _fill(self) -> None:
        theme = self._theme
        self._column.setMaximumWidth(theme.space(_COLUMN_STEPS))
        ratio = self.devicePixelRatioF()
        self._mark.setPixmap(theme.pixmap(self._icon, "accent", 32, ratio=ratio))
        self._title.setText(self._name)
        self._text.setText(self._description)
        self._text.setVisible(bool(self._description))
        while (item := self._buttons.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for number, text in enumerate(self._examples, 1):
            self._buttons.addWidget(self._button(number, text))
        self._fit()

    def _button(self, number: int, text: str) -> QPushButton:
        label = visible(text).replace("&", "&&")
        button = QPushButton(label, self)
        button.setObjectName(f"example{number}")
        button.setAutoDefault(False)
        button.setProperty("align", "left")
        button.setAccessibleName(_("Example question: {text}").format(text=text))
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.setIcon(self._theme.icon("chevron-right"))
        button.setIconSize(QSize(self._theme.space(1.5), self._theme.space(1.5)))
        set_safe_tooltip(button, text)
        button.clicked.connect(partial(self.example_chosen.emit, text))
        return button
