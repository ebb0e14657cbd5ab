"""Rows of a report: a claim with its sources and how sure it is; a source with its kind. Painted states have words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel, visible

_LEVELS = {"high": (3, "ok"), "medium": (2, "accent"), "low": (1, "warn")}
_NARROW = 60
"""Steps of the grid below which a row says less."""
Open = Callable[[str], None]


def number_chip(number: str, name: str, pressed: Open, *, mark: str = "", stays: bool = False) -> QToolButton:
    """`stays`: it shows whether what it opens is open."""
    chip = QToolButton()
    chip.setProperty("kind", "chip")
    chip.setCheckable(stays)
    chip.setText(visible(number[:6] + mark))
    chip.setAccessibleName(visible(name))
    chip.clicked.connect(partial(_told, pressed, number))
    return chip


def _told(pressed: Open, number: str, _checked: bool = False) -> None:
    pressed(number)


class Bars(QWidget):
    """Three bars, as many of them filled as the evidence is good; what they mean is written beside them."""

    def __init__(self, theme: Theme, level: str) -> None:
        super().__init__()
        self._theme, (self._filled, self._token) = theme, _LEVELS.get(level, (0, "muted"))
        self.setFixedSize(QSize(theme.space(2), theme.space(1.75)))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, wide, high = QPainter(self), self.width() / 3, self.height()
        for n in range(3):
            colour = self._theme.color(self._token if n < self._filled else "border")
            bar = high * (n + 2) / 4
            painter.fillRect(QRectF(n * wide, high - bar, wide - 1.5, bar), colour)


class _Row(QFrame):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.box = QHBoxLayout(self)
        self.box.setContentsMargins(theme.space(1), theme.space(0.5), theme.space(1), theme.space(0.5))
        self.box.setSpacing(theme.space(1))


class ClaimRow(_Row):
    """`sources` are the numbers that open their passages; where they contradict one another the row says so."""

    def __init__(
        self, theme: Theme, text: str, sources: Sequence[QToolButton], level: str, word: str, *, is_conflict: bool
    ) -> None:
        super().__init__(theme)
        self._theme, self._is_conflict = theme, is_conflict
        top = Qt.AlignmentFlag.AlignTop
        if is_conflict:
            self.box.addWidget(SafeLabel(_("Conflict"), role="strong"), 0, top)
        words = SafeLabel(text)
        words.setWordWrap(True)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.box.addWidget(words, 1, top)
        for chip in sources:
            self.box.addWidget(chip, 0, top)
        self.box.addWidget(Bars(theme, level), 0, top)
        self.box.addWidget(SafeLabel(word, role="meta"), 0, top)
        parts = [_("Conflict") if is_conflict else "", text, word, *(chip.text() for chip in sources)]
        self.setAccessibleName(visible(", ".join(filter(None, parts))))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_conflict:
            QPainter(self).fillRect(self.rect(), self._theme.color("warn_tint"))
        super().paintEvent(event)


class SourceRow(_Row):
    """A press anywhere on it opens what of the source was quoted."""

    def __init__(self, theme: Theme, number: str, chip: QToolButton, texts: Sequence[str], pressed: Open) -> None:
        """`texts`: its title, whose it is and of when, its kind and – where it was looked at again – its state."""
        super().__init__(theme)
        self._number, self._pressed = number, pressed
        title, whose, *marks = texts
        self.box.addWidget(chip)
        name = SafeLabel(title, elide=True)
        name.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.box.addWidget(name, 1)
        self._whose = SafeLabel(whose, role="meta")
        self._narrow = theme.space(_NARROW)
        self.box.addWidget(self._whose)
        for mark in filter(None, marks):
            self.box.addWidget(SafeLabel(mark, role="chip"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._whose.setVisible(self.width() >= self._narrow)  # the title stays; all of it is in the passage

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._pressed(self._number)
