"""A day's places as a small picture for paper: numbered in their order, joined, with the water one knows the city by.

Drawn as SVG without letters (the digits are strokes), so that it looks the same on a machine without fonts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians

from ..model.map_shapes import shapes_of

WIDTH, HEIGHT, MARGIN = 560, 300, 34
LEAST_SPAN = 0.012
"""Degrees shown at least: one place alone is no street plan."""
SEGMENTS = {
    "a": "M-3 -5H3", "b": "M3 -5V0", "c": "M3 0V5", "d": "M-3 5H3", "e": "M-3 0V5", "f": "M-3 -5V0", "g": "M-3 0H3",
}  # fmt: skip
DIGITS = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")


@dataclass(frozen=True)
class MapMark:
    lat: float
    lon: float
    number: int


def day_png(marks: Sequence[MapMark], city: str) -> bytes:
    """b"" where there is nothing to show or the picture cannot be drawn."""
    if not marks:
        return b""
    import resvg_py

    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=day_svg(marks, city), zoom=2, skip_system_fonts=True))
    except ValueError:
        return b""


def day_svg(marks: Sequence[MapMark], city: str) -> str:
    squeeze = cos(radians(marks[0].lat))
    lats, lons = [mark.lat for mark in marks], [mark.lon * squeeze for mark in marks]
    middle = (max(lats) + min(lats)) / 2, (max(lons) + min(lons)) / 2
    high, wide = (max(LEAST_SPAN, max(each) - min(each)) for each in (lats, lons))
    scale = min((HEIGHT - 2 * MARGIN) / high, (WIDTH - 2 * MARGIN) / wide)

    def at(lat: float, lon: float) -> tuple[float, float]:
        x, y = (lon * squeeze - middle[1]) * scale, (middle[0] - lat) * scale
        return round(WIDTH / 2 + x, 1), round(HEIGHT / 2 + y, 1)

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#f5f7fa"/>']
    for shape in shapes_of(city):
        if shape["kind"] == "water":
            points = " ".join(f"{x},{y}" for x, y in (at(*point) for point in shape["points"]))
            style = 'fill="#cfe3f5"' if shape["closed"] else 'fill="none" stroke="#cfe3f5" stroke-width="10"'
            parts.append(f'<{"polygon" if shape["closed"] else "polyline"} points="{points}" {style}/>')
    places = [at(mark.lat, mark.lon) for mark in marks]
    line = " ".join(f"{x},{y}" for x, y in places)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#5b7aa8" stroke-width="2" stroke-dasharray="5 4"/>')
    for mark, (x, y) in zip(marks, places, strict=True):
        parts.append(f'<circle cx="{x}" cy="{y}" r="12" fill="#2456a6"/>{_digits(mark.number, x, y)}')
    body = "".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">{body}</svg>'


def _digits(number: int, x: float, y: float) -> str:
    text, drawn = str(number), []
    for place, digit in enumerate(text):
        shift = (place - (len(text) - 1) / 2) * 9
        path = "".join(SEGMENTS[segment] for segment in DIGITS[int(digit)])
        drawn.append(f'<path transform="translate({x + shift:.1f} {y})" d="{path}" stroke="#fff" stroke-width="1.6"/>')
    return "".join(drawn)
