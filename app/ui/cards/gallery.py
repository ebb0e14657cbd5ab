"""Things to choose from, in two columns or in one: title, score as a bar, what speaks for it, a kept picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.core.tools.card_markdown import as_text, mappings, texts
from app.ui.cards.parts.collapse import shortened
from app.ui.render.markdown.links import picture_address
from app.ui.render.parts.picture_card import PictureCard
from app.ui.render.parts.pictures import PictureLoader
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel

_COLUMNS = 2
_NARROW = 49
"""Steps of the grid a card of 420 pixels has within its margins; below, there is one column."""
_PICTURE = 120
"""Pixels a picture is high at most."""


def gallery(payload: Mapping[str, Any], theme: Theme, pictures: PictureLoader | None = None) -> QWidget:
    items = mappings(payload, "items")
    best = max((score for item in items if (score := _score(item)) is not None), default=0.0)
    return shortened(items, lambda part: _Items([_item(one, best, theme, pictures) for one in part], theme), theme)


class _Items(QWidget):
    """Side by side where there is room for two, one below the other where there is not.

    Placed by hand: a grid cannot answer how high it would be with another number of columns.
    """

    def __init__(self, items: list[QWidget], theme: Theme) -> None:
        super().__init__()
        self._items, self._narrow = items, theme.space(_NARROW)
        self._beside, self._below = theme.space(3), theme.space(1.5)
        for item in items:
            item.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((box.bottom() + 1 for box in self._boxes(width)), default=0)

    def sizeHint(self) -> QSize:
        width = max(self.width(), self._narrow)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(max((item.minimumSizeHint().width() for item in self._items), default=0), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:  # a picture has come
            self.updateGeometry()
            self._place()
        return done

    def _place(self) -> None:
        for item, box in zip(self._items, self._boxes(self.width()), strict=True):
            item.setGeometry(box)

    def _boxes(self, width: int) -> list[QRect]:
        count = 1 if width < self._narrow else _COLUMNS
        each = max(1, (width - (count - 1) * self._beside) // count)
        boxes: list[QRect] = []
        top = 0
        for first in range(0, len(self._items), count):
            heights = [_height(item, each) for item in self._items[first : first + count]]
            boxes += [QRect(n * (each + self._beside), top, each, height) for n, height in enumerate(heights)]
            top += max(heights) + self._below
        return boxes


def _height(item: QWidget, width: int) -> int:
    item.ensurePolished()
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def _item(item: Mapping[str, Any], best: float, theme: Theme, pictures: PictureLoader | None) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(0.25))
    address = picture_address(as_text(item.get("image")))
    if address and pictures is not None:
        column.addWidget(
            PictureCard(None, theme, pictures, address, as_text(item.get("title")), highest=_PICTURE),
            0,
            Qt.AlignmentFlag.AlignLeft,
        )
        column.addSpacing(theme.space(0.5))
    head = QHBoxLayout()
    head.setSpacing(theme.space(1))
    head.addWidget(SafeLabel(as_text(item.get("title")), role="strong", elide=True), 1)
    score = _score(item)
    if score is not None:
        head.addWidget(_Bar(theme, score / best if best > 0 else 0.0))
        head.addWidget(SafeLabel(as_text(item.get("score")), role="meta"))
    column.addLayout(head)
    lines = [as_text(item.get("sub")), " · ".join(texts(item, "chips")), as_text(item.get("text"))]
    for line in filter(None, lines):
        label = SafeLabel(line, role="meta")
        label.setWordWrap(True)
        column.addWidget(label)
    return holder


def _score(item: Mapping[str, Any]) -> float | None:
    score = item.get("score")
    return float(score) if isinstance(score, int | float) and not isinstance(score, bool) else None


class _Bar(QWidget):
    """A share between 0 and 1; the number is beside it."""

    def __init__(self, theme: Theme, share: float) -> None:
        super().__init__()
        self._theme, self._share = theme, min(max(share, 0.0), 1.0)
        self.setFixedSize(theme.space(6), theme.space(0.75))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        box = QRectF(self.rect())
        painter.setBrush(self._theme.color("pressed"))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        if self._share > 0:
            painter.setBrush(self._theme.color("muted"))
            box.setWidth(max(box.height(), box.width() * self._share))
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
