"""Things to choose from, in two columns: title, score as a bar, what speaks for it, a kept picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.core.card_markdown import as_text, mappings, texts
from app.ui.cards.more import shortened
from app.ui.render.links import picture_address
from app.ui.render.picture_card import PictureCard
from app.ui.render.pictures import Pictures
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

_COLUMNS = 2
_PICTURE = 120
"""Pixels a picture is high at most."""


def gallery(payload: Mapping[str, Any], theme: Theme, pictures: Pictures | None = None) -> QWidget:
    items = mappings(payload, "items")
    best = max((score for item in items if (score := _score(item)) is not None), default=0.0)
    return shortened(items, lambda part: _grid(part, best, theme, pictures), theme)


def _grid(items: list[Mapping[str, Any]], best: float, theme: Theme, pictures: Pictures | None) -> QWidget:
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(theme.space(3))
    grid.setVerticalSpacing(theme.space(1.5))
    for column in range(_COLUMNS):
        grid.setColumnStretch(column, 1)
    for number, item in enumerate(items):
        made = _item(item, best, theme, pictures)
        grid.addWidget(made, number // _COLUMNS, number % _COLUMNS, Qt.AlignmentFlag.AlignTop)
    return holder


def _item(item: Mapping[str, Any], best: float, theme: Theme, pictures: Pictures | None) -> QWidget:
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
    """A share between 0 and 1; the number stands beside it."""

    def __init__(self, theme: Theme, share: float) -> None:
        super().__init__()
        self._theme, self._share = theme, min(max(share, 0.0), 1.0)
        self.setFixedSize(theme.space(6), theme.space(0.75))

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
