"""When what happened: a lane for the model, for each tool, for other agents and for waiting."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.core.run.analysis.timeline import LaneKind, Span, Timeline
from app.core.run.view import RunView
from app.core.text.i18n import _
from app.core.wording.figures import took_text
from app.ui import texts
from app.ui.reasoning import words
from app.ui.reasoning.canvas import DrawingCanvas, DrawingMark
from app.ui.reasoning.drawing_view import DrawingView
from app.ui.theme import Theme
from app.ui.widgets.safe_text import visible

_COLORS: dict[LaneKind, str] = {"model": "accent", "tool": "ok", "agent": "muted", "waiting": "warn"}
_STATUS_COLORS = {"error": "error", "denied": "warn", "blocked": "warn", "repeat": "muted", "interrupted": "warn"}
_SMALLEST = 3.0
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200)


class TimelineView(DrawingView):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self._canvas = _Lanes(theme)
        super().__init__(theme, self._canvas, "timeline", parent)

    def clear(self) -> None:
        self._canvas.timeline = Timeline(RunView())
        self._canvas.stop_clock()
        self._canvas.renew()

    def show_run(self, view: RunView, at: float | None) -> None:
        """`at`: when it last changed by `time.monotonic`, None for a stored run."""
        self._canvas.show_run(view, at)

    def tick(self) -> None:
        """What lasts has grown longer."""
        self._canvas.renew_soon()

    def as_json(self) -> Any:
        return self._canvas.timeline.to_json()


class _Lanes(DrawingCanvas):
    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Timeline"))
        self.timeline = Timeline(RunView())
        self._last: float | None = None
        """When the last event came, None while nothing is running."""
        self._titles: list[tuple[str, float]] = []
        self._per_second, self._now = 1.0, 0.0

    def show_run(self, view: RunView, at: float | None) -> None:
        self.timeline.view, self._last = view, at
        self.renew_soon()

    def stop_clock(self) -> None:
        self._last = None

    def lay_out(self, width: float) -> tuple[QSizeF, Sequence[DrawingMark]]:
        theme, lanes = self.theme, self.timeline.lanes()
        passed = time.monotonic() - self._last if self._last is not None else 0.0
        is_open = any(span.end is None for spans in lanes.values() for span in spans)
        self._now = max(self.timeline.now + (passed if is_open else 0.0), 0.001)
        pad, text = theme.space(1.5), theme.space(9)
        self._per_second = max(1.0, width - 2 * pad - text) * self.zoom / self._now
        bar, top = theme.space(2), float(theme.space(3.5))
        marks: list[DrawingMark] = []
        self._titles = []
        for (kind, name), spans in lanes.items():
            self._titles.append((_lane_title(kind, name), top))
            top += theme.space(2.5)
            rows: list[float] = []
            for span in spans:
                left, right = self._x(span.start), self._x(span.start + span.length(self._now))
                row = next((n for n, end in enumerate(rows) if end <= span.start), len(rows))
                rows[row : row + 1] = [span.start + span.length(self._now)]
                rect = QRectF(left, top + row * (bar + 4), max(_SMALLEST, right - left), bar)
                marks.append(DrawingMark(span.id, rect, self._tell(span), span.step, span.call))
            top += len(rows) * (bar + 4) + theme.space(1)
        return QSizeF(2 * pad + text + self._now * self._per_second, top), marks

    def draw(self, painter: QPainter, marks: Sequence[DrawingMark], seen: QRectF) -> None:
        theme = self.theme
        self._draw_axis(painter, seen)
        spans = {span.id: span for span in self.timeline.spans()}
        painter.setFont(theme.font("meta"))
        for title, top in self._titles:
            painter.setPen(theme.color("text"))
            room = QRectF(seen.left() + theme.space(1.5), top, seen.width() - theme.space(3), theme.space(2.5))
            cut = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, round(room.width()))
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), cut)
        follows = _followers(marks)
        visible_marks = [
            mark for mark in marks if mark.rect.right() >= seen.left() and mark.rect.left() <= seen.right()
        ]
        for mark in visible_marks:
            if span := spans.get(mark.id):
                self._draw_span(painter, mark, span, room=follows.get(mark.id, math.inf) - mark.rect.right() - 8)

    def _draw_axis(self, painter: QPainter, seen: QRectF) -> None:
        theme = self.theme
        painter.setFont(theme.font("meta"))
        height = theme.space(3)
        for moment in self._ticks(seen):
            x = self._x(moment)
            painter.setPen(QPen(theme.color("border"), 1))
            painter.drawLine(QPointF(x, height), QPointF(x, max(seen.bottom(), height)))
            painter.setPen(theme.color("muted"))
            painter.drawText(QPointF(x + 3, height - theme.space(1)), _moment(moment))

    def _draw_span(self, painter: QPainter, mark: DrawingMark, span: Span, *, room: float) -> None:
        """`room`: pixels until the next span of the row; words that do not fit are left to the pointer."""
        theme, rect = self.theme, mark.rect
        color = theme.color(_STATUS_COLORS.get(span.status, _COLORS[span.kind]))
        painter.setPen(QPen(theme.color("text"), 1.5) if mark.id == self.chosen else Qt.PenStyle.NoPen)
        first = float(span.facts.get("ttft_ms") or 0) / 1_000 * self._per_second
        painter.setBrush(_faint(color) if first else color)
        painter.drawRoundedRect(rect, 3, 3)
        if first and rect.width() > first:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawRoundedRect(rect.adjusted(first, 0, 0, 0), 3, 3)
        duration_text = (
            texts.seconds_text(span.length(self._now)) if span.length(self._now) >= 1 else _short(span, self._now)
        )
        if span.status in _STATUS_COLORS:
            duration_text = " · ".join(part for part in (duration_text, _status(span)) if part)
        if painter.fontMetrics().horizontalAdvance(duration_text) > room:
            return
        painter.setPen(theme.color("muted"))
        painter.drawText(QPointF(rect.right() + 4, rect.center().y() + theme.size("meta") * 0.36), duration_text)

    def _x(self, moment: float) -> float:
        return self.theme.space(1.5) + moment * self._per_second

    def _ticks(self, seen: QRectF) -> Iterator[float]:
        least = self.theme.space(8) / self._per_second
        step = next((step for step in _STEPS if step >= least), _STEPS[-1])
        number = max(0, int((seen.left() - self.theme.space(8)) / self._per_second / step))
        last = min(self._now, seen.right() / self._per_second)
        while number * step <= last:
            yield number * step
            number += 1

    def _tell(self, span: Span) -> str:
        length = took_text(round(span.length(self._now) * 1_000))
        lines = [" · ".join(part for part in (_span_title(span), length, _status(span)) if part)]
        facts = span.facts
        if "input" in facts:
            mark = "" if facts.get("exact", True) else "≈ "
            read = _("{mark}{read} tokens read, {wrote} written")
            lines.append(read.format(mark=mark, read=f"{facts['input']:,}", wrote=f"{facts['output']:,}"))
        if "ttft_ms" in facts:
            lines.append(_("first token after {time}").format(time=took_text(facts["ttft_ms"])))
        if facts.get("args"):
            lines.append(words.short_args(facts["args"], 200))
        if told := facts.get("summary") or facts.get("text"):
            lines.append(visible(str(told)[:200]))
        return "\n".join(lines)


def _followers(marks: Sequence[DrawingMark]) -> dict[str, float]:
    """Where the next span of the same row begins, by the id of the one before."""
    ordered = sorted(marks, key=lambda mark: (mark.rect.top(), mark.rect.left()))
    return {
        mark.id: following.rect.left()
        for mark, following in pairwise(ordered)
        if mark.rect.top() == following.rect.top()
    }


def _lane_title(kind: LaneKind, name: str) -> str:
    titles = {"model": _("Model"), "agent": _("Other agents"), "waiting": _("Waiting")}
    return titles.get(kind) or visible(name)


def _span_title(span: Span) -> str:
    match span.name:
        case "request" if span.kind == "model":
            return _("Request {n} to the model").format(n=span.step)
        case "approval" if span.kind == "waiting":
            return _("Waited for your approval: {tool}").format(tool=visible(str(span.facts.get("tool", ""))))
        case "question" if span.kind == "waiting":
            return _("Waited for your answer")
        case "retry" if span.kind == "waiting":
            return _("Waited to try again")
        case "plan" if span.kind == "waiting":
            return _("The plan waited for you")
        case "budget" if span.kind == "waiting":
            return _("Waited: the budget is used up")
        case _:
            return visible(span.name)


def _status(span: Span) -> str:
    return texts.status_title(span.status) if span.kind == "tool" and span.status not in ("", "ok") else ""


def _short(span: Span, now: float) -> str:
    length = round(span.length(now) * 1_000)
    return took_text(length) if length else ""


def _moment(seconds: float) -> str:
    if seconds and seconds < 1:
        return took_text(round(seconds * 1_000))
    return _("{n:.0f} s").format(n=seconds) if seconds < 60 else texts.seconds_text(seconds)


def _faint(color: QColor) -> QColor:
    faint = QColor(color)
    faint.setAlphaF(0.4)
    return faint
