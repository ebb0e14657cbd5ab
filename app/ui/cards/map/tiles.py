"""A street map under the places, where the person has switched it on: drawn from tiles as they come.

The drawing keeps its own projection: each tile is put where its corners are, which within a city is off by less than
a line is wide.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

from app.ui.cards.map.plan import Projection
from app.ui.theme import Theme

Load = Callable[[int, int, int], Awaitable[bytes | None]]
Spawn = Callable[[Coroutine[Any, Any, None]], object]
TILE = 256
MOST_TILES = 24
"""Of one drawing; a coarser level is taken where it would need more."""
_KEPT, _DEEPEST = 120, 17
_VEIL = {"light": 50, "dark": 190}
"""How much of the ground lies over the tiles, by theme, so that pins and names stand out."""


class TileLayer(QObject):
    came = Signal()

    def __init__(
        self, load: Load, spawn: Spawn, credit: Callable[[], str | None], parent: QObject | None = None
    ) -> None:
        """`credit` is what has to be on the map; None while there is to be no map."""
        super().__init__(parent)
        self._load, self._spawn, self.credit = load, spawn, credit
        self._images: OrderedDict[tuple[int, int, int], QImage | None] = OrderedDict()
        """None: it was asked for."""

    def image(self, z: int, x: int, y: int) -> QImage | None:
        """The tile, if it is here; else it is asked for, and `came` says so."""
        key = (z, x, y)
        if key in self._images:
            self._images.move_to_end(key)
            return self._images[key]
        self._images[key] = None
        while len(self._images) > _KEPT:
            self._images.popitem(last=False)
        self._spawn(self._fetch(key))
        return None

    async def _fetch(self, key: tuple[int, int, int]) -> None:
        data = await self._load(*key)
        image = QImage.fromData(data) if data else QImage()
        if not image.isNull() and key in self._images:
            self._images[key] = image
            self.came.emit()


_in_use: list[TileLayer] = []


def use_tiles(layer: TileLayer | None) -> None:
    """For all maps of the process that are made from now on; the window calls it once."""
    _in_use[:] = [layer] if layer is not None else []
    if layer is not None:
        layer.destroyed.connect(partial(_forget, id(layer)))


def _forget(layer: int) -> None:
    _in_use[:] = [one for one in _in_use if id(one) != layer]


def tiles_in_use() -> TileLayer | None:
    return _in_use[0] if _in_use else None


def paint_tiles(painter: QPainter, area: QRectF, projection: Projection, layer: TileLayer, theme: Theme) -> None:
    clip = QPainterPath()
    clip.addRoundedRect(area, 8, 8)
    painter.setClipPath(clip)
    painter.fillRect(area, theme.color("map_ground"))
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    for z, x, y in tiles_under(area, projection):
        image = layer.image(z, x, y)
        if image is not None:
            west, north = place_of(z, x, y)
            east, south = place_of(z, x + 1, y + 1)
            left, top = projection.point(north, west)
            right, bottom = projection.point(south, east)
            painter.drawImage(QRectF(left, top, right - left, bottom - top), image)
    veil = QColor(theme.color("map_ground"))
    veil.setAlpha(_VEIL[theme.tokens.scheme])
    painter.fillRect(area, veil)


def paint_credit(painter: QPainter, area: QRectF, credit: str, theme: Theme) -> None:
    """At the lower right, as those ask who give the tiles away."""
    font = theme.font("meta")
    font.setPixelSize(round(10 * theme.zoom))
    painter.setFont(font)
    metrics = painter.fontMetrics()
    box = QRectF(0, 0, metrics.horizontalAdvance(credit) + 8, metrics.height() + 2)
    box.moveBottomRight(area.bottomRight())
    ground = QColor(theme.color("map_ground"))
    ground.setAlpha(215)
    painter.fillRect(box, ground)
    painter.setPen(theme.color("muted"))
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine), credit)
    painter.setFont(theme.font("meta"))


def tiles_under(area: QRectF, projection: Projection) -> list[tuple[int, int, int]]:
    """Level, column and row of each tile under the drawing, at the level closest to its own size."""
    north, west = projection.place(area.left(), area.top())
    south, east = projection.place(area.right(), area.bottom())
    wide = max(1e-6, east - west)
    level = min(_DEEPEST, max(0, round(math.log2(360 / wide * area.width() / TILE))))
    for z in range(level, -1, -1):
        (left, top), (right, bottom) = _tile_at(z, north, west), _tile_at(z, south, east)
        tiles = [(z, x % 2**z, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]
        if len(tiles) <= MOST_TILES:
            return tiles
    return []


def _tile_at(z: int, lat: float, lon: float) -> tuple[int, int]:
    count, bounded = 2**z, math.radians(min(85.05, max(-85.05, lat)))
    column = math.floor((lon + 180) / 360 * count)
    row = math.floor((1 - math.asinh(math.tan(bounded)) / math.pi) / 2 * count)
    return column, min(count - 1, max(0, row))


def place_of(z: int, x: int, y: int) -> tuple[float, float]:
    """Longitude and latitude of the upper left corner of a tile."""
    lat = math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y / 2**z))))
    return x / 2**z * 360 - 180, lat
