"""Formulas of an exported text as pictures: SVG for a page, PNG where a format shows no SVG. No Qt.

What cannot be drawn is None; the exports show its source instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from .formula_drawing import Drawing, draw

_COLOUR = "#000000"
_FAMILIES = "'Noto Sans CJK SC','Microsoft YaHei','PingFang SC','Source Han Sans SC',sans-serif"
_LETTER = 0.9
"""Letters of other fonts are larger than those of the mathematical font at the same size."""
_MOST = 2_000
"""Different formulas of one export; each takes some ten milliseconds. Later ones stay source."""


@dataclass(frozen=True, slots=True)
class FormulaPicture:
    """Sizes in pixels of 1/96 inch; `below` is how far it reaches under the base line."""

    svg: str
    width: float
    height: float
    below: float
    shapes: str = ""
    """The SVG without the letters that need a font of the machine; "" if there are none."""

    def png(self, zoom: float) -> bytes | None:
        """None if no font of this machine has its letters: the picture would leave them out without a word."""
        # Looking for the fonts of the system takes longer than the drawing.
        data = png_of(self.svg, zoom=zoom, with_fonts=bool(self.shapes))
        return None if self.shapes and data == png_of(self.shapes, zoom=zoom) else data


def png_of(svg: str, *, zoom: float = 1, with_fonts: bool = False) -> bytes | None:
    """None if it cannot be drawn."""
    import resvg_py

    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, skip_system_fonts=not with_fonts))
    except ValueError:
        return None


@dataclass(slots=True)
class FormulaPictures:
    """Of one export: the same formula is drawn once. For a worker thread."""

    size: float
    """Pixels of the text around."""
    _known: dict[tuple[str, bool], FormulaPicture | None] = field(default_factory=dict)

    def picture(self, tex: str, *, display: bool) -> FormulaPicture | None:
        key = (tex, display)
        if key not in self._known:
            self._known[key] = self._drawn(tex, display=display) if len(self._known) < _MOST else None
        return self._known[key]

    def _drawn(self, tex: str, *, display: bool) -> FormulaPicture | None:
        drawing = draw(tex, self.size, _COLOUR, display=display)
        if drawing is None:
            return None
        shapes = drawing.svg if drawing.letters else ""
        return FormulaPicture(_with_letters(drawing), drawing.width, drawing.height, drawing.below, shapes)


def _with_letters(drawing: Drawing) -> str:
    """The letters that the mathematical font does not have, as text for a font of the reader's machine."""
    if not drawing.letters:
        return drawing.svg
    head, _mark, shapes = drawing.svg.partition(">")
    box = head.partition('viewBox="')[2].partition('"')[0].split()
    left, top = float(box[0]), float(box[1])
    texts = "".join(
        f'<text x="{letter.x + left:.3f}" y="{letter.y + top:.3f}" font-size="{letter.size * _LETTER:.3f}"'
        f' font-family="{_FAMILIES}" fill="{_COLOUR}">{escape(letter.text)}</text>'
        for letter in drawing.letters
    )
    return f"{head}>{shapes.removesuffix('</svg>')}{texts}</svg>"
