"""A quiet line above the composer: what happened, and at most one button to answer it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class BarNotice:
    text: str
    level: Level
    button: str = ""
    answer: Callable[[], object] | None = None
    session: str | None = None
    """Whose it is: "" is the chat that is no session yet, None the whole window."""


class NoticeBar(QFrame):
    """One notice at a time: a newer one takes the place. Informing ones go by themselves.

    A notice of a session is shown with it only. A warning waits for the person to come back to its session.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusBar")
        self._theme = theme
        self._shown: BarNotice | None = None
        self._kept: dict[str, BarNotice] = {}
        self._session = ""
        self._undo: Callable[[], object] | None = None
        """What the newest offer to undo does; it stays when the notice is gone, and is done once."""
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
        self._button.clicked.connect(self._answered)
        self._close = IconButton(theme, "x", _("Dismiss"), self)
        self._close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space(1.25), theme.space(0.5), theme.space(0.5), theme.space(0.5))
        row.setSpacing(theme.space(1))
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        row.addWidget(self._button)
        row.addWidget(self._close)

    @property
    def session(self) -> str:
        """The open one; "" while the chat is none yet."""
        return self._session

    def tell(
        self,
        text: str,
        level: Level = "info",
        *,
        button: str = "",
        answer: Callable[[], object] | None = None,
        session: str | None = None,
    ) -> None:
        self._tell(BarNotice(text, level, button, answer, session))

    def offer_undo(self, text: str, undo: Callable[[], object], *, session: str | None = None) -> None:
        """What was done can be undone by the button, and by `undo` once the notice has gone."""
        self._undo = undo
        self._tell(BarNotice(text, "info", _("Undo"), self.undo, session))

    def undo(self) -> None:
        """The newest thing that can be undone, if there is any."""
        undo, self._undo = self._undo, None
        if undo is not None:
            self.dismiss()
            undo()

    def _tell(self, notice: BarNotice) -> None:
        session = notice.session
        if session in (None, self._session):
            self._show(notice)
        else:
            self._keep(notice)

    def open_session(self, id: str) -> None:
        """Another session is shown from now on, or the same."""
        if id == self._session:
            return
        self._session = id
        if self._shown is not None and self._shown.session is not None:
            self._keep(self._shown)
            self.dismiss()
        if self._shown is None and (kept := self._kept.pop(id, None)) is not None:
            self._show(kept)

    def _keep(self, notice: BarNotice) -> None:
        if notice.session and notice.level != "info":
            self._kept[notice.session] = notice

    def _show(self, notice: BarNotice) -> None:
        if not self._is_built:
            self._build()
        self._shown = notice
        self._text.setText(notice.text)
        self._button.setText(notice.button)
        self._button.setAccessibleName(notice.button)
        self._button.setVisible(bool(notice.button and notice.answer))
        self.setAccessibleName(notice.text)
        self.setProperty("card", _CARDS[notice.level])
        self.style().unpolish(self)
        self.style().polish(self)
        self._dress()
        self.show()
        if notice.level == "info":
            self._timer.start()
        else:
            self._timer.stop()

    def text(self) -> str:
        """What it says now, "" while it is hidden."""
        return "" if self.isHidden() else self._text.full_text()

    def dismiss(self) -> None:
        self._timer.stop()
        self._shown = None
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._is_built:
            self._close.set_icon(theme, "x")
            self._dress()

    def _dress(self) -> None:
        ratio, level = self.devicePixelRatioF(), self._shown.level if self._shown is not None else "info"
        self._icon.setPixmap(self._theme.pixmap(_ICONS[level], _TOKENS[level], 16, ratio=ratio))

    def _answered(self) -> None:
        notice = self._shown
        self.dismiss()
        if notice is not None and notice.answer is not None:
            notice.answer()
