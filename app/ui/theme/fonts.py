"""Font families and sizes.

The Latin family comes first and is TrueType: Qt paints the CFF outlines of Noto Sans CJK about
five times slower, so those are used for Han characters only. A family must always be named,
because the fallback order for Han glyphs follows the list.
"""

from __future__ import annotations

import sys
from typing import Literal

from PySide6.QtGui import QFont, QFontDatabase

from app.core.resources import resource_dir

Role = Literal["body", "ui", "meta", "title", "display", "code", "h1", "h2", "h3", "h4"]

_PIXELS: dict[Role, int] = {
    "body": 14,
    "ui": 13,
    "meta": 12,
    "title": 14,
    "display": 20,
    "code": 12,
    "h1": 20,
    "h2": 18,
    "h3": 16,
    "h4": 14,
}

_HAN = ["Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei UI", "PingFang SC"]
_LATIN = {
    "win32": ["Segoe UI"],
    "darwin": [".AppleSystemUIFont", "Helvetica Neue"],
}
_LATIN_ELSEWHERE = ["Inter", "Noto Sans", "Cantarell", "Ubuntu", "DejaVu Sans", "Liberation Sans"]
_SHIPPED = ("Inter-Regular.ttf", "Inter-Medium.ttf", "Inter-SemiBold.ttf", "Inter-SemiBoldDark.ttf")
"""Of weight 400, 500, 600, and 560 for dark ground (resources/fonts/README.md)."""
_MONO = {
    "win32": ["Cascadia Mono", "Consolas"],
    "darwin": ["SF Mono", "Menlo"],
}
_MONO_ELSEWHERE = ["JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono", "Liberation Mono"]
_HAN_MONO = ["Noto Sans Mono CJK SC", *_HAN]

_EVEN_FIGURES = QFont.Tag("tnum")
"""Digits of one width: clocks and sums do not tremble, columns are below one another."""

MIN_ZOOM, MAX_ZOOM = 0.6, 2.5
_chosen: dict[str, str] = {}


def choose_families(text: str, code: str) -> None:
    """What the person likes better, for the whole process; "" = as usual. Glyphs it lacks come from the usual ones."""
    _chosen.update(text=text, code=code)


def load_shipped() -> None:
    """Inter, where the system brings no family of its own that is sure to be there. Once, with an application."""
    if sys.platform not in _LATIN and not QFontDatabase.hasFamily("Inter"):
        folder = resource_dir() / "fonts"
        for name in _SHIPPED:
            QFontDatabase.addApplicationFont(str(folder / name))


def ui_families() -> list[str]:
    return [*_own("text"), *_LATIN.get(sys.platform, _LATIN_ELSEWHERE), *_HAN]


def mono_families() -> list[str]:
    return [*_own("code"), *_MONO.get(sys.platform, _MONO_ELSEWHERE), *_HAN_MONO]


def _own(kind: str) -> list[str]:
    family = _chosen.get(kind, "")
    return [family] if family else []


def pixel_size(role: Role, zoom: float) -> int:
    return max(9, round(_PIXELS[role] * zoom))


def make_font(role: Role, zoom: float, weight: int = 400) -> QFont:
    font = QFont()
    font.setFamilies(mono_families() if role == "code" else ui_families())
    font.setPixelSize(pixel_size(role, zoom))
    font.setWeight(QFont.Weight(weight))
    if role in ("ui", "meta"):
        font.setFeature(_EVEN_FIGURES, 1)
    if role == "code":
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFixedPitch(True)
    return font
