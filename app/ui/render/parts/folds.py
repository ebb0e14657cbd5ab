"""A part of an answer that is folded until the person opens it: `<details>` with its title."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from app.core.text.i18n import _
from app.ui.render.markdown.blocks import FoldStart
from app.ui.theme import Theme


class FoldBar(QToolButton):
    """The title of the part; a click, Space or Enter shows what is in it."""

    grew = Signal()

    def __init__(self, parent: QWidget, theme: Theme, block: FoldStart) -> None:
        super().__init__(parent)
        self.block, self.nesting = block, block.depth
        self._theme = theme
        self._title = block.title or _("Details")
        self.is_closed = not block.is_open
        self.setObjectName("foldBar")
        self.setAutoRaise(True)
        self.setFont(theme.font("ui"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(theme.space(2), theme.space(2)))
        self._show_state()
        self.clicked.connect(lambda _checked=False: self.set_closed(not self.is_closed))

    def wanted(self, width: int) -> int:
        room = width - self.iconSize().width() - self._theme.space(3)
        elided = self.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, max(room, 40))
        self.setText(elided.replace("&", "&&"))
        return max(self.sizeHint().height(), self._theme.space(3.5))

    def set_closed(self, is_closed: bool) -> None:
        self.is_closed = is_closed
        self._show_state()
        self.grew.emit()

    def _show_state(self) -> None:
        self.setIcon(self._theme.icon("chevron-right" if self.is_closed else "chevron-down", "muted", 16))
        state = _("folded") if self.is_closed else _("unfolded")
        self.setAccessibleName(f"{self._title}, {state}")


class FoldEndMark(QWidget):
    """Where the part ends; takes no room."""

    grew = Signal()
    nesting = 0

    def wanted(self, _width: int) -> int:
        return 0


def open_unended(segments: Sequence[object]) -> None:
    """A part whose end never came would hide the rest of the answer."""
    bars: list[FoldBar] = []
    for segment in segments:
        if isinstance(segment, FoldBar):
            bars.append(segment)
        elif isinstance(segment, FoldEndMark) and bars:
            bars.pop()
    for bar in bars:
        bar.set_closed(False)


Around = tuple[bool, ...]
"""Of the folds around a place, from the outside: whether each is closed."""


def after(around: Around, segment: object) -> Around:
    """What is around the next segment."""
    if isinstance(segment, FoldBar):
        return (*around, segment.is_closed)
    return around[:-1] if isinstance(segment, FoldEndMark) else around
