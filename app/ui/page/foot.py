"""Below the text: how long it is, whether it is saved, and what a request about it would hold."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QWidget

from app.core.page import PageShare
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

_STEPS = 1_000
_TOKENS = ("accent", "ok", "warn", "error", "muted", "outline")
NEARLY = 0.95
"""Share of the goal from which the bar counts as full (design.md 13)."""


class PageFoot(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, _STEPS)
        self.bar.setFixedSize(88, 6)
        self.count = SafeLabel(role="meta")
        self.count.setObjectName("pageCount")
        self.state = SafeLabel(role="meta", elide=True)
        self.state.setObjectName("pageState")
        self.shares = ShareBar(theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space(2), theme.space(0.5), theme.space(2), theme.space(1))
        row.setSpacing(theme.space(1))
        row.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.count)
        row.addWidget(self.state, 1)
        row.addWidget(self.shares, 0, Qt.AlignmentFlag.AlignVCenter)
        self.show_count(0, 0, "")

    def set_theme(self, theme: Theme) -> None:
        self.shares.set_theme(theme)

    def show_count(self, count: int, goal: int, words: str) -> None:
        self.bar.setVisible(goal > 0)
        if goal > 0:
            self.bar.setValue(round(min(count / goal, 1.0) * _STEPS))
            self.bar.setProperty("state", "ok" if count >= goal * NEARLY else "")
            self.bar.style().unpolish(self.bar)
            self.bar.style().polish(self.bar)
            self.bar.setAccessibleName(words)
        self.count.setText(words)


class ShareBar(QWidget):
    """The parts of a request side by side, in its order; what is left of the room stays empty."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pageShares")
        self._theme, self._shares, self._room = theme, tuple[PageShare, ...](), 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def show_shares(self, shares: Sequence[PageShare], room: int) -> None:
        self._shares, self._room = tuple(shares), room
        used = sum(one.characters for one in shares)
        rows = [f"{one.label}: {one.characters:,}" for one in shares]
        head = _("Goes along when this text is written: {used} of {room} characters")
        words = "\n".join([head.format(used=f"{used:,}", room=f"{room:,}"), *rows])
        self.setAccessibleName(words)
        set_safe_tooltip(self, words)
        self.setVisible(bool(shares) and room > 0)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(96, 8)

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("hover"))
        painter.drawRect(self.rect())
        left = 0.0
        for number, one in enumerate(self._shares):
            width = self.width() * one.characters / max(1, self._room)
            painter.setBrush(self._theme.color(_TOKENS[number % len(_TOKENS)]))
            painter.drawRect(QRectF(left, 0, max(1.0, width - 1), self.height()))
            left += width
