"""Above the composer while a game is played and the safety of its card is out of sight: the time and when to stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget
from shiboken6 import isValid

from app.core.text.i18n import _
from app.ui.cards.parts.timers import Timers, timer_of
from app.ui.chat.rows.items import AssistantRow, CardPart, Part
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible

if TYPE_CHECKING:
    from app.ui.chat.view import ChatView
    from app.ui.main_window.open_session import OpenSession

HEIGHT = 4.5
"""Steps of the grid: 36 pixels."""


class TimerStrip(QFrame):
    card_asked = Signal(str)
    """The card of the timer with this id shall come into sight."""

    def __init__(self, theme: Theme, timers: Timers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._timers = timers
        self.setObjectName("timerStrip")
        self.setProperty("card", "warn")
        self._icon = QLabel(self)
        self.time = SafeLabel("", self, role="strong")
        self.words = SafeLabel("", self, elide=True)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.button = QPushButton(_("To the game"), self)
        self.button.setObjectName("timerStripButton")
        self.button.setProperty("kind", "link")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._ask)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space(1.25), 0, theme.space(1), 0)
        row.setSpacing(theme.space(1))
        for part in (self._icon, self.time):
            row.addWidget(part)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        self.set_theme(theme)
        timers.changed.connect(self.look)
        timers.ticked.connect(self.look)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self.setFixedHeight(theme.space(HEIGHT))
        self._icon.setPixmap(theme.pixmap("shield", "warn", 16, ratio=self.devicePixelRatioF()))

    def look(self) -> None:
        """Shown exactly while a timer runs and not all of its card's safety box can be seen; the time only once."""
        shown = self._timers.shown
        if shown is None:
            self.hide()
            return
        self.time.setText(shown.timer.shown(self._timers.clock.now()))
        self.words.setText(shown.sentence)
        set_safe_tooltip(self.words, shown.sentence)
        self.setAccessibleName(visible(f"{shown.title}: {shown.sentence}"))
        self.time.setVisible(shown.clock is None or not _is_whole(shown.clock))
        self.setVisible(shown.needed is None or not _is_whole(shown.needed))

    def _ask(self) -> None:
        if (shown := self._timers.shown) is not None:
            self.card_asked.emit(shown.timer.id)


class TimerPlace(QObject):
    """Brings the card of the running timer back into sight, from whatever session."""

    session_asked = Signal(str)

    def __init__(self, strip: TimerStrip, timers: Timers, chat: ChatView, open_session: OpenSession) -> None:
        super().__init__(strip)
        self._timers, self._chat, self._open_session = timers, chat, open_session
        self._session = self._id = ""
        timers.changed.connect(self._note)
        bar = chat.list.verticalScrollBar()
        bar.valueChanged.connect(strip.look)
        bar.rangeChanged.connect(strip.look)
        strip.card_asked.connect(self._show)

    def _note(self) -> None:
        shown = self._timers.shown
        id = shown.timer.id if shown is not None else ""
        if id and id != self._id:
            self._session = self._open_session.id
        self._id = id

    def _show(self, id: str) -> None:
        """A session is opened at its end, where the card of a game that is played stands."""
        if self._session != self._open_session.id:
            self.session_asked.emit(self._session)
            return
        for row in reversed(self._chat.rows()):
            if isinstance(row, AssistantRow) and any(_has_timer(part, id) for part in row.parts):
                self._chat.scroll_to_row(row.id)
                return


def _has_timer(part: Part, id: str) -> bool:
    display = part.payload if isinstance(part, CardPart) else None
    payload = display.get("payload") if isinstance(display, Mapping) else None
    timer = timer_of(payload) if isinstance(payload, Mapping) else None
    return timer is not None and timer.id == id


def _is_whole(widget: QWidget) -> bool:
    """All of it is on the screen."""
    return isValid(widget) and widget.isVisible() and widget.visibleRegion().boundingRect().contains(widget.rect())
