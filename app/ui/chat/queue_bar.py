"""Messages that wait for the answer that is being written: seen, changed, moved, taken out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

_SHOWN = 200
"""Characters of a message."""


class QueueBar(QFrame):
    """Each signal names the place in the queue, counted from 0."""

    edit_asked = Signal(int)
    remove_asked = Signal(int)
    up_asked = Signal(int)
    down_asked = Signal(int)
    steer_asked = Signal(int)
    """Say it to the agent at its next step; offered while something runs."""
    send_asked = Signal()
    """Send the first one now; offered while nothing runs."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("queueBar")
        self.setProperty("card", "plain")
        self.setAccessibleName(_("Waiting messages"))
        self._theme = theme
        self._texts: tuple[str, ...] = ()
        self._is_idle = self._can_steer = False
        self._on_the_way: frozenset[str] = frozenset()
        self._layout = QVBoxLayout(self)
        self._body: QWidget | None = None
        self.hide()

    def texts(self) -> tuple[str, ...]:
        return self._texts

    def show_queue(
        self, texts: Sequence[str], *, is_idle: bool, can_steer: bool = False, on_the_way: Collection[str] = ()
    ) -> None:
        """`on_the_way` are those that go in at the next step; they wait here until they have."""
        self._texts, self._is_idle = tuple(texts), is_idle
        self._can_steer, self._on_the_way = can_steer, frozenset(on_the_way)
        self._renew()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._renew()

    def _renew(self) -> None:
        theme = self._theme
        if self._body is not None:
            self._layout.removeWidget(self._body)
            self._body.hide()
            self._body.deleteLater()
            self._body = None
        self.setVisible(bool(self._texts))
        if not self._texts:
            return
        self._layout.setContentsMargins(theme.space(1.5), theme.space(0.25), theme.space(0.5), theme.space(0.25))
        self._body = QWidget(self)
        box = QVBoxLayout(self._body)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        for place, text in enumerate(self._texts):
            box.addWidget(self._line(place, text))
        self._layout.addWidget(self._body)
        self._body.show()

    def _line(self, place: int, text: str) -> QWidget:
        line = QWidget()
        line.setFixedHeight(self._theme.space(3.5))
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self._theme.space(0.25))
        number = SafeLabel(_("Waiting {n}").format(n=place + 1), role="meta")
        number.setObjectName(f"queue_number_{place}")
        set_safe_tooltip(number, _("Waiting to be sent") if self._is_idle else _("Sent when this answer is complete"))
        row.addWidget(number)
        row.addSpacing(self._theme.space(0.75))
        words = SafeLabel(" ".join(text[:_SHOWN].split()), elide=True)
        set_safe_tooltip(words, text[:1_000])
        row.addWidget(words, 1)
        if text in self._on_the_way:
            row.addWidget(SafeLabel(_("goes in at the next step"), role="meta"))
            return line
        if self._is_idle and place == 0:
            send = self._send("sendQueued", _("Send this message now"))
            send.clicked.connect(self.send_asked)
            row.addWidget(send)
        elif self._can_steer:
            send = self._send(f"queue_send_{place}", _("Send now: the agent reads it at its next step"))
            send.clicked.connect(partial(self.steer_asked.emit, place))
            row.addWidget(send)
        if len(self._texts) > 1:
            earlier = self._button("chevron-up", _("Send earlier"), self.up_asked, place)
            later = self._button("chevron-down", _("Send later"), self.down_asked, place)
            row.addWidget(_kept_free(earlier) if place == 0 else earlier)
            row.addWidget(_kept_free(later) if place == len(self._texts) - 1 else later)
        row.addWidget(self._button("pencil", _("Change this message"), self.edit_asked, place))
        row.addWidget(self._button("x", _("Take out of the queue"), self.remove_asked, place))
        return line

    @staticmethod
    def _send(name: str, tip: str) -> QPushButton:
        send = QPushButton(_("Send now"))
        send.setObjectName(name)
        send.setProperty("kind", "link")
        send.setAutoDefault(False)
        send.setAccessibleDescription(tip)
        set_safe_tooltip(send, tip)
        return send

    def _button(self, icon: str, text: str, signal: object, place: int) -> IconButton:
        button = IconButton(self._theme, icon, text, size=14)
        button.setObjectName(f"queue_{icon}_{place}")
        button.clicked.connect(partial(signal.emit, place))  # type: ignore[attr-defined]  # a bound signal
        return button


def _kept_free(button: IconButton) -> IconButton:
    """Not offered, but its place is kept: the others stand in columns."""
    policy = button.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    button.setSizePolicy(policy)
    button.hide()
    return button
