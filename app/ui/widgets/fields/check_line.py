"""A check box whose words go on in the next line where the width ends."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from app.ui.widgets.guarded import guarded

_LEAST = 12
"""Letters of a line."""
_ENDLESS = 100_000
_FLAGS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap


class CheckLine(QCheckBox):
    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        self.ensurePolished()
        width = self._beside() + self.fontMetrics().averageCharWidth() * _LEAST
        return QSize(min(width, self.sizeHint().width()), super().sizeHint().height())

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max(super().sizeHint().height(), self._words_at(width).height())

    def hitButton(self, pos: QPoint) -> bool:
        """The box and the words, in every line of them; not the empty place behind."""
        return pos.x() <= self._beside() + self._words_at(self.width()).width()

    def _beside(self) -> int:
        """Width of the box and the gap behind it."""
        return super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())

    def _words_at(self, width: int) -> QRect:
        room = QRect(0, 0, max(1, width - self._beside()), _ENDLESS)
        return self.fontMetrics().boundingRect(room, int(_FLAGS), self.text())

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        option.rect = QRect(0, 0, self.width(), min(self.height(), super().sizeHint().height()))
        painter = QPainter(self)
        style = self.style()
        style.drawControl(QStyle.ControlElement.CE_CheckBox, option, painter, self)
        words = self._words_at(self.width())
        top = max(0, (self.height() - words.height()) // 2)
        place = QRect(self._beside(), top, self.width() - self._beside(), words.height())
        style.drawItemText(
            painter, place, int(_FLAGS), self.palette(), self.isEnabled(), self.text(), QPalette.ColorRole.WindowText
        )
