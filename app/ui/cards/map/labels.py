"""Where the names on a map stand: at the first free of eight places beside the pin, else moved with a leader line."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF

FARTHEST = 40
"""Pixels a name may be moved from its pin."""


@dataclass(frozen=True, slots=True)
class Label:
    position: int
    """Of its place."""
    box: QRectF
    leader: QLineF | None = None


def place_labels(
    pins: Sequence[tuple[int, QPointF]],
    sizes: Sequence[QSizeF],
    *,
    reach: float,
    area: QRectF,
    taken: Sequence[QRectF],
    lines: Sequence[QLineF],
    at_edge: Collection[int] = (),
) -> list[Label]:
    """A name without a free place is left out: the list beside the map has it. `lines` are crossed only if need be.

    `at_edge`: positions whose pin is an arrow at the edge, and whose name may stand farther along it.
    """
    used = list(taken)
    labels: list[Label] = []
    for (position, pin), size in zip(pins, sizes, strict=True):
        free = (
            (box, far)
            for box, far in (
                *_tries(pin, size, reach),
                *(_along(pin, size, reach, area) if position in at_edge else ()),
            )
            if area.contains(box) and not any(box.intersects(other) for other in used)
        )
        is_bound = position not in at_edge  # beside its pin, though lines cross it
        rated = (
            (is_bound and far > 0, crossings(box, lines), far, place, box) for place, (box, far) in enumerate(free)
        )
        best = min(rated, default=None)
        if best is None:
            continue
        far, box = best[2], best[4]
        used.append(box)
        labels.append(Label(position, box, _leader(pin, box, reach) if far else None))
    return labels


def _tries(pin: QPointF, size: QSizeF, reach: float) -> Iterator[tuple[QRectF, float]]:
    for far in (0.0, FARTHEST / 2, FARTHEST):
        for turn in range(8):
            angle = turn * math.pi / 4
            across, down = math.cos(angle), math.sin(angle)
            x = pin.x() + across * (reach + far) - (round(across, 3) < 0) * size.width()
            y = pin.y() + down * (reach + far) - size.height() / 2
            if abs(across) < 0.01:  # straight above and below: centred
                x = pin.x() - size.width() / 2
                y += math.copysign(size.height() / 2 - 2, down)
            yield QRectF(QPointF(x, y), size), far


def _along(pin: QPointF, size: QSizeF, reach: float, area: QRectF) -> Iterator[tuple[QRectF, float]]:
    """Beside an arrow on its edge of the map, beyond what stands close to it."""
    is_above = min(pin.y() - area.top(), area.bottom() - pin.y()) <= min(pin.x() - area.left(), area.right() - pin.x())
    top, left = pin.y() - size.height() / 2, pin.x() + reach
    if pin.x() > area.center().x():
        left = pin.x() - reach - size.width()
    for far in (FARTHEST, 1.5 * FARTHEST, 2 * FARTHEST, 3 * FARTHEST):
        if is_above:
            yield QRectF(QPointF(pin.x() + far, top), size), far
            yield QRectF(QPointF(pin.x() - far - size.width(), top), size), far
        else:
            yield QRectF(QPointF(left, top + far), size), far
            yield QRectF(QPointF(left, top - far), size), far


def crossings(box: QRectF, lines: Sequence[QLineF]) -> int:
    edges = [
        QLineF(box.topLeft(), box.bottomLeft()),
        QLineF(box.topRight(), box.bottomRight()),
        QLineF(box.topLeft(), box.topRight()),
    ]
    met = QLineF.IntersectionType.BoundedIntersection
    return sum(any(line.intersects(edge)[0] == met for edge in edges) for line in lines)


def _leader(pin: QPointF, box: QRectF, reach: float) -> QLineF:
    """From the pin's rim to the nearest edge of the name."""
    x = min(max(pin.x(), box.left()), box.right())
    y = min(max(pin.y(), box.top()), box.bottom())
    line = QLineF(pin, QPointF(x, y))
    if line.length() > reach:
        line.setP1(line.pointAt(reach / line.length()))
    return line
