"""The title of an answer card, and at its right what the card stands on: a few words, or chips that may be pressed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel


class TitleLine(QWidget):
    def __init__(self, name: SafeLabel, aside: QWidget | None, theme: Theme) -> None:
        super().__init__()
        self._name, self._aside, self._gap = name, aside, theme.space(1)
        self._chips: QWidget | None = None
        for part in (name, aside):
            if part is not None:
                part.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def take_chips(self, chips: QWidget) -> None:
        """In place of the words; where they have no room beside the title they stand below it."""
        self._chips = chips
        chips.setParent(self)
        chips.show()
        if self._aside is not None:
            self._aside.hide()
        self._changed()

    def leave_chips(self) -> None:
        """They have gone to another parent."""
        self._chips = None
        if self._aside is not None:
            self._aside.show()
        self._changed()

    def _changed(self) -> None:
        self.updateGeometry()
        self._arrange(self.width(), move=True)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(width, move=False)

    def sizeHint(self) -> QSize:
        return QSize(self._name.sizeHint().width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(self.width(), move=True)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # a chip has become a field
            self._changed()
        return super().event(event)

    def _arrange(self, width: int, *, move: bool) -> int:
        """The height; with `move` everything is put in its place."""
        beside = self._chips or self._aside
        wanted = self._name.sizeHint()
        if beside is None:
            if move:
                self._name.setGeometry(0, 0, width, wanted.height())
            return wanted.height()
        wide = beside.sizeHint().width()
        is_below = self._chips is not None and wanted.width() + self._gap + wide > width
        if is_below:
            height = max(beside.heightForWidth(width), 0)
            top = wanted.height() + self._gap // 2
            if move:
                self._name.setGeometry(0, 0, width, wanted.height())
                beside.setGeometry(0, top, width, height)
            return top + height
        high = beside.heightForWidth(wide) if self._chips is not None else beside.sizeHint().height()
        line = max(wanted.height(), high)
        if move:
            wide = min(wide, max(0, width - wanted.width() - self._gap))
            self._name.setGeometry(0, (line - wanted.height()) // 2, width - wide - self._gap, wanted.height())
            beside.setGeometry(width - wide, (line - high) // 2, wide, high)
        return line
