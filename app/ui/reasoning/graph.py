"""Which result fed which step: tools as nodes, one layer below the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.core.run.analysis.result_graph import ANSWER, QUESTION, Node, nodes_of
from app.core.run.view import RunView
from app.core.text.i18n import _
from app.ui import texts
from app.ui.reasoning import words
from app.ui.reasoning.canvas import DrawingCanvas, DrawingMark
from app.ui.reasoning.drawing_view import DrawingView
from app.ui.theme import Theme
from app.ui.widgets.safe_text import visible


class GraphView(DrawingView):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self._canvas = _Nodes(theme)
        super().__init__(theme, self._canvas, "results", parent)

    def clear(self) -> None:
        self._canvas.view = RunView()
        self._canvas.renew()

    def show_run(self, view: RunView, _at: float | None) -> None:
        self._canvas.view = view
        self._canvas.renew_soon()

    def as_json(self) -> Any:
        return [
            {"id": node.id, "name": node.name, "status": node.status, "call": node.call, "fed_by": list(node.fed_by)}
            for node in nodes_of(self._canvas.view)
        ]


class _Nodes(DrawingCanvas):
    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Which result fed which step"))
        self.view = RunView()
        self._nodes: dict[str, Node] = {}

    def lay_out(self, width: float) -> tuple[QSizeF, Sequence[DrawingMark]]:
        theme = self.theme
        self._nodes = {node.id: node for node in nodes_of(self.view)}
        layers: dict[int, list[Node]] = {}
        for node in self._nodes.values():
            layers.setdefault(node.layer, []).append(node)
        pad, gap = theme.space(1.5), theme.space(1.5)
        most = max((len(layer) for layer in layers.values()), default=1)
        fitting = (width - 2 * pad - gap * (most - 1)) / most
        wide = min(theme.space(24), max(theme.space(11), fitting)) * self.zoom
        high, step = theme.space(5), theme.space(9)
        whole = max(width, 2 * pad + most * wide + (most - 1) * gap)
        marks: list[DrawingMark] = []
        for number in sorted(layers):
            layer = layers[number]
            left = (whole - len(layer) * wide - (len(layer) - 1) * gap) / 2
            for place, node in enumerate(layer):
                rect = QRectF(left + place * (wide + gap), pad + number * step, wide, high)
                marks.append(DrawingMark(node.id, rect, self._tell(node), node.step, node.call))
        return QSizeF(whole, 2 * pad + len(layers) * step - (step - high)), marks

    def draw(self, painter: QPainter, marks: Sequence[DrawingMark], seen: QRectF) -> None:
        places = {mark.id: mark.rect for mark in marks}
        for mark in marks:
            for feeder in self._nodes[mark.id].fed_by:
                if feeder in places:
                    self._draw_edge(painter, places[feeder], mark.rect, strong=self.chosen in (mark.id, feeder))
        for mark in marks:
            if mark.rect.intersects(seen):
                self._draw_node(painter, mark, self._nodes[mark.id])

    def _draw_edge(self, painter: QPainter, above: QRectF, below: QRectF, *, strong: bool) -> None:
        start = QPointF(above.center().x(), above.bottom())
        end = QPointF(below.center().x(), below.top() - 1)
        bend = (end.y() - start.y()) / 2
        path = QPainterPath(start)
        path.cubicTo(start + QPointF(0, bend), end - QPointF(0, bend), end)
        color = self.theme.color("accent" if strong else "outline")
        painter.setPen(QPen(color, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([end, end + QPointF(-4, -6), end + QPointF(4, -6)]))

    def _draw_node(self, painter: QPainter, mark: DrawingMark, node: Node) -> None:
        theme, rect = self.theme, mark.rect
        is_end = node.id in (QUESTION, ANSWER)
        painter.setPen(QPen(theme.color("accent" if mark.id == self.chosen else "outline"), 1.5 if is_end else 1))
        painter.setBrush(theme.color("sunken" if is_end else "raised"))
        painter.drawRoundedRect(rect, 8, 8)
        icon, token = self._icon(node)
        edge = round(16 * theme.zoom)
        top = rect.center().y() - edge / 2
        ratio = painter.device().devicePixelRatioF() or 1.0
        painter.drawPixmap(QPointF(rect.left() + theme.space(1), top), theme.pixmap(icon, token, 16, ratio=ratio))
        room = rect.adjusted(theme.space(1.5) + edge, 2, -theme.space(0.5), -2)
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font("meta"))
        # Two lines; names of tools break at their underscores.
        title_text = painter.fontMetrics().elidedText(
            _title(node), Qt.TextElideMode.ElideRight, round(room.width() * 1.7)
        )
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(room, int(flags) | int(Qt.TextFlag.TextWordWrap), title_text.replace("_", "_\u200b"))

    def _icon(self, node: Node) -> tuple[str, str]:
        if node.id == QUESTION:
            return "user", "muted"
        if node.id == ANSWER:
            return "sparkles", "accent"
        return words.state_icon(node.status)

    def _tell(self, node: Node) -> str:
        state = texts.status_title(node.status) if node.status not in ("", "ok") else ""
        head = " · ".join(part for part in (_title(node), state) if part)
        feeding = [_title(self._nodes[id]) for id in node.fed_by if id in self._nodes]
        fed_by = _("Fed by: {names}").format(names=", ".join(feeding))
        return f"{head}\n{fed_by}" if feeding else head


def _title(node: Node) -> str:
    if node.id == QUESTION:
        return _("Question")
    if node.id == ANSWER:
        return _("Answer")
    return visible(node.name)
