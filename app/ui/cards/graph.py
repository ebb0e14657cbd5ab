"""Who is tied to whom: names on a ring, lines between them. Every tie is there as text too."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards.parts.collapse import shortened
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel, visible

MOST_NODES = 24
"""On the ring; the others are in the lines below it."""
_HEIGHT = 38
"""Steps of the grid."""
_LONGEST = 14
_TURN = 2 * math.pi


def graph(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    nodes, edges = mappings(payload, "nodes"), mappings(payload, "edges")
    names = {as_text(node.get("id")): as_text(node.get("label")) for node in nodes}
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(1))
    if len(nodes) > 1 and edges:
        column.addWidget(_Ring(nodes[:MOST_NODES], edges, theme))
    rows = [_node_line(node) for node in nodes] + [_edge_line(edge, names) for edge in edges]
    column.addWidget(shortened(rows, partial(_lines, theme), theme))
    return holder


def _node_line(node: Mapping[str, Any]) -> str:
    return " · ".join(filter(None, (as_text(node.get("label")), as_text(node.get("note")))))


def _edge_line(edge: Mapping[str, Any], names: Mapping[str, str]) -> str:
    first, second = (names.get(as_text(edge.get(end)), as_text(edge.get(end))) for end in ("from", "to"))
    label = as_text(edge.get("label"))
    return f"{first} → {second}{f': {label}' if label else ''}"


def _lines(theme: Theme, rows: list[str]) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(0.5))
    for row in rows:
        label = SafeLabel(row)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(label)
    return holder


class _Ring(QWidget):
    def __init__(self, nodes: list[Mapping[str, Any]], edges: list[Mapping[str, Any]], theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._nodes = {as_text(node.get("id")): node for node in nodes}
        self._edges = [
            (first, second, visible(as_text(edge.get("label"))))
            for edge in edges
            if (first := as_text(edge.get("from"))) in self._nodes
            and (second := as_text(edge.get("to"))) in self._nodes
        ]
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(theme.space(_HEIGHT))
        self.setAccessibleName("; ".join(_edge_line(edge, {}) for edge in edges[:MOST_NODES]))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(40), self._theme.space(_HEIGHT))

    def places(self) -> dict[str, QPointF]:
        """The middle of each name."""
        radius_x = max(10.0, self.width() / 2 - self._theme.space(8))
        radius_y = max(10.0, self.height() / 2 - self._theme.space(3))
        middle = QPointF(self.width() / 2, self.height() / 2)
        count = len(self._nodes)
        return {
            id: middle + QPointF(math.sin(_TURN * n / count) * radius_x, -math.cos(_TURN * n / count) * radius_y)
            for n, id in enumerate(self._nodes)
        }

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, places = self._theme, self.places()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("meta"))
        metrics = QFontMetricsF(theme.font("meta"))
        for first, second, label in self._edges:
            painter.setPen(QPen(theme.color("outline"), 1.2))
            painter.drawLine(places[first], places[second])
            # Nearer to its beginning, so that the two ties of one pair do not lie on each other.
            self._words(painter, metrics, label, places[first] * 0.6 + places[second] * 0.4, "muted", "surface")
        painter.setFont(theme.font("ui"))
        metrics = QFontMetricsF(theme.font("ui"))
        for id, node in self._nodes.items():
            is_past = node.get("state") == "muted"
            words = visible(as_text(node.get("label")))
            self._words(painter, metrics, words, places[id], "muted" if is_past else "text", "hover")

    def _words(
        self, painter: QPainter, metrics: QFontMetricsF, text: str, at: QPointF, token: str, ground: str
    ) -> None:
        if not text:
            return
        short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        width, height = metrics.horizontalAdvance(short) + self._theme.space(1.5), metrics.height() + 4
        place = QRectF(at.x() - width / 2, at.y() - height / 2, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(ground))
        painter.drawRoundedRect(place, height / 2, height / 2)
        painter.setPen(self._theme.color(token))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, short)
