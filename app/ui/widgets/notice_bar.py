"""A quiet line above the composer: what happened, and at most one button to answer it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel

Level = Literal["info", "warn", "error"]
_CARDS: dict[Level, str] = {"info": "plain", "warn": "warn", "error": "error"}
_ICONS: dict[Level, str] = {"info": "info", "warn": "alert", "error": "alert"}
_TOKENS: dict[Level, str] = {"info": "muted", "warn": "warn", "error": "error"}
_SHOWN_MS = 10_000


class NoticeBar(QFrame):
    """One notice at a time: a newer one takes the place. Informing ones go by themselves."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self._theme = theme
        self._level: Level = "info"
        self._answer: Callable[[], object] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOWN_MS)
        self._timer.timeout.connect(self.dismiss)
        self._is_built = False
        self.hide()

    def _build(self) -> None:
        """At the first notice: most starts have none, and every widget is felt before the first paint."""
        theme = self._theme
        self._is_built = True
        self._icon = QLabel(self)
        self._text = SafeLabel(parent=self)
        self._text.setWordWrap(True)
        self._button = QPushButton(self)
        self._button.setObjectName("noticeAction")
        self._button.setAutoDefault(False)
        self._button.clicked.connect(lambda _checked=False: self._answered())
        self._close = IconButton(theme, "x", _("Dismiss"), self)
        self._close.clicked.connect(lambda _checked=False: self.dismiss())
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space(1.25), theme.space(0.5), theme.space(0.5), theme.space(0.5))
        row.setSpacing(theme.space(1))
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        row.addWidget(self._button)
        row.addWidget(self._close)

    def tell(
        self, text: str, level: Level = "info", *, button: str = "", answer: Callable[[], object] | None = None
    ) -> None:
        if not self._is_built:
            self._build()
        self._level, self._answer = level, answer
        self._text.setText(text)
        self._button.setText(button)
        self._button.setAccessibleName(button)
        self._button.setVisible(bool(button and answer))
        self.setAccessibleName(text)
        self.setProperty("card", _CARDS[level])
        self.style().unpolish(self)
        self.style().polish(self)
        self._dress()
        self.show()
        if level == "info":
            self._timer.start()
        else:
            self._timer.stop()

    def text(self) -> str:
        """What it says now, "" while it is hidden."""
        return "" if self.isHidden() else self._text.full_text()

    def dismiss(self) -> None:
        self._timer.stop()
        self._answer = None
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._is_built:
            self._close.set_icon(theme, "x")
            self._dress()

    def _dress(self) -> None:
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(self._theme.pixmap(_ICONS[self._level], _TOKENS[self._level], 16, ratio=ratio))

    def _answered(self) -> None:
        answer = self._answer
        self.dismiss()
        if answer is not None:
            answer()
