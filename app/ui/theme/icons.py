"""Icons of one family, drawn as 24-pixel lines and coloured by the theme.

A file in `resources/icons` holds `currentColor`; here it becomes a colour. Pixmaps are made at
one and two device pixels per point, which is sharp at every scale in between.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.core.resources import resource_dir

_FOLDER = resource_dir() / "icons"

FALLBACK = "sparkles"
"""Stands for a name that is not in the family; profiles come from files and may say anything."""


@cache
def icon_names() -> tuple[str, ...]:
    """All names of the family, in order."""
    return tuple(sorted(name.removesuffix(".svg") for name in os.listdir(_FOLDER) if name.endswith(".svg")))  # noqa: PTH208  several times quicker


@lru_cache(maxsize=256)
def _source(name: str) -> str:
    icon_name = name if name in icon_names() else FALLBACK
    return (_FOLDER / f"{icon_name}.svg").read_text(encoding="utf-8")


def draw(name: str, color: str, size: int, ratio: float) -> QPixmap:
    pixmap = QPixmap.fromImage(_drawing(name, color, round(size * ratio)))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


@lru_cache(maxsize=512)
def _drawing(name: str, color: str, edge: int) -> QImage:
    """Kept over a change of theme and back; an image, unlike a pixmap, may outlive the application."""
    renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", color).encode()))
    image = QImage(edge, edge, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, edge, edge))
    painter.end()
    return image


def tinted(pixmap: QPixmap, color: str) -> QPixmap:
    """The same lines in another colour, without reading the drawing again."""
    tinted_pixmap = QPixmap(pixmap.size())
    tinted_pixmap.setDevicePixelRatio(pixmap.devicePixelRatio())
    tinted_pixmap.fill(Qt.GlobalColor.transparent)
    tinted_pixmap.fill(QColor(color))
    painter = QPainter(tinted_pixmap)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
    painter.drawPixmap(0, 0, pixmap)
    painter.end()
    return tinted_pixmap


def _ratios() -> list[float]:
    """Those the screens of this machine need; drawing all would be felt at the start."""
    screens = QGuiApplication.screens() if QGuiApplication.instance() else []
    return sorted({2.0 if screen.devicePixelRatio() > 1 else 1.0 for screen in screens}) or [1.0]


class IconBook:
    """The icons drawn so far; one per theme, so a change of theme starts a new one."""

    def __init__(self) -> None:
        self._icons: dict[tuple[str, str, str, int], QIcon] = {}
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}

    def icon(self, name: str, color: str, size: int, *, disabled: str = "") -> QIcon:
        key = (name, color, disabled, size)
        if key not in self._icons:
            icon = QIcon()
            for ratio in _ratios():
                icon.addPixmap(self.pixmap(name, color, size, ratio))
                if disabled:
                    icon.addPixmap(tinted(self.pixmap(name, color, size, ratio), disabled), QIcon.Mode.Disabled)
            self._icons[key] = icon
        return self._icons[key]

    def pixmap(self, name: str, color: str, size: int, ratio: float) -> QPixmap:
        key = (name, color, size, ratio)
        if key not in self._pixmaps:
            self._pixmaps[key] = draw(name, color, size, ratio)
        return self._pixmaps[key]
