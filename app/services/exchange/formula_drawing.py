"""A formula in TeX as a drawing, within bounds; pure Python, made for a worker thread.

TeX comes from models and pages: length, nesting, time and size are limited, a drawing with anything
but plain shapes in it is refused. Where this gives None, the source is shown instead.
"""

from __future__ import annotations

import inspect
import re
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from types import ModuleType

LONGEST = 1_500
"""Characters of one formula."""
DEEPEST = 12
"""Braces within braces: the time of the library doubles with some levels."""
SECONDS = 1.0
"""Processor time for one formula."""
_CALLS, _ASIDE = 200, 0.0001
WIDEST, HIGHEST = 4_000.0, 1_200.0
MOST_PIXELS = 600_000
"""Of one drawing, in logical pixels; it is held at twice the size in each direction."""

_WIDE = "\u2e80"
"""From here on the mathematical font has no letters: Han, kana, emoji. Another font must draw them."""
_PIECES = re.compile(rf"[{_WIDE}-\U0010ffff]|\s+|[^{_WIDE}-\U0010ffff\s]+")
_STAND_IN = "W"
_STAND_IN_HEIGHT, _STAND_IN_BELOW, _STAND_IN_LEFT = 0.663, 0.006, -0.01
"""Of the letter that keeps a place for them, in ems."""
_PLACE = re.compile(r'<path d="([^"]*)" fill="#0c([0-9a-f]{4})" ?/>')
_NUMBER = re.compile(r"-?[0-9.]+")

_SHAPES = frozenset(("svg", "g", "path", "rect", "line", "polyline", "polygon", "circle", "ellipse"))
_TAG = re.compile(r"<([\w:]+)")
_COMMAND = re.compile(r"\\[A-Za-z]{2,}")
_OUTER = re.compile(r"^\s*\\begin\{(equation|displaymath|math)(\*?)\}(.*)\\end\{\1\2\}\s*$", re.DOTALL)
# Without the braces the library fails on a power of a matrix.
_POWER = re.compile(r"(\\begin\{(\w+\*?)\}(?:(?!\\begin\{).)*?\\end\{\2\})(?=\s*[\^_])", re.DOTALL)


_CHEMISTRY = re.compile(r"\\ce\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
_TAGGED = re.compile(r"\\tag\*?\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Letter:
    """One that the drawing leaves room for: the left end of its base line, and the size of its font."""

    text: str
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """Sizes in logical pixels; `below` is how far it reaches under the base line."""

    svg: str
    width: float
    height: float
    below: float
    letters: tuple[Letter, ...] = ()


class _TooLong(BaseException):
    """Passes the handlers of the library."""


def draw(tex: str, size: float, colour: str, *, display: bool) -> Drawing | None:
    """None if it cannot or may not be drawn. `size` in pixels, `colour` as #rrggbb."""
    tex = prepared(tex)
    if not tex or len(tex) > LONGEST or _depth(tex) > DEEPEST:
        return None
    library = _library()
    began = _begin_limit(SECONDS)
    try:
        written = library.zmath.tex2mml(tex, inline=not display)
        if _COMMAND.search(written) or "<!" in written:
            # It does not know this one, and would draw its name; or the text has smuggled a declaration in.
            return None
        root, wide = _with_places(ET.fromstring(written))  # noqa: S314 - made by the library, of elements
        root.set("mathcolor", colour)
        formula = library.Math(root, size)
        width, height = formula.getsize()
        if width > WIDEST or height > HIGHEST or width * height > MOST_PIXELS:
            return None
        svg = formula.svg()
    except (_TooLong, RecursionError, Exception):  # noqa: BLE001 - a library fed with text from anywhere
        return None
    finally:
        sys.settrace(began)
    return _checked(svg, wide)


def prepared(tex: str) -> str:
    """What the library stumbles over, put in a form it takes."""
    tex = tex.strip()
    if found := _OUTER.match(tex):
        tex = found.group(3).strip()
    tex = _TAGGED.sub(r"\\qquad (\1)", tex)
    return _POWER.sub(r"{\1}", _CHEMISTRY.sub(_as_tex, tex))


def _as_tex(found: re.Match[str]) -> str:
    """The plain part of the notation for chemistry: numbers below, charges above, arrows."""
    words = re.sub(r"(?<=[A-Za-z)\]])(\d+)", r"_{\1}", found.group(1))
    words = re.sub(r"\^\{?(\d*[+-])\}?", r"^{\1}", words)
    words = words.replace("<=>", r" \rightleftharpoons ").replace("->", r" \rightarrow ")
    return re.sub(r"(?<![\\A-Za-z])[A-Za-z]+", r"\\mathrm{\g<0>}", words)


@cache
def _library() -> ModuleType:
    # 0.2 s: imported with the first formula. It finds its fonts by a way Python 3.11 warns of.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import ziamath

    # The newer form uses symbols, which Qt draws at wrong places.
    ziamath.config.svg2 = False  # type: ignore[attr-defined]
    return ziamath


def _with_places(root: ET.Element) -> tuple[ET.Element, str]:
    """Every wide letter replaced by one that the font has, in a colour that tells which it was."""
    wide: list[str] = []
    for parent in list(root.iter()):
        text = parent.text or ""
        if len(parent) or max(text, default="") < _WIDE:
            continue
        space = parent.tag.rpartition("}")[0]
        space = f"{space}}}" if space else ""
        parent.tag, parent.text = f"{space}mrow", ""
        for piece in _PIECES.findall(text):
            if piece.isspace():
                # As a letter it would take the colour of the one before.
                ET.SubElement(parent, f"{space}mspace", {"width": f"{len(piece) * 0.25}em"})
            elif piece < _WIDE:
                ET.SubElement(parent, f"{space}mtext").text = piece
            else:
                marks = {"mathvariant": "normal", "mathcolor": f"#0c{len(wide):04x}"}
                ET.SubElement(parent, f"{space}mi", marks).text = _STAND_IN
                wide.append(piece)
    return root, "".join(wide)


def _checked(svg: str, wide: str) -> Drawing | None:
    """The drawing without the letters that stood in, if it is of shapes only."""
    head = re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', svg)
    if head is None or "href=" in svg or "url(" in svg or not _SHAPES.issuperset(_TAG.findall(svg)):
        return None
    left, top, width, height = (float(number) for number in head.groups())
    if not (0 < width <= WIDEST and 0 < height <= HIGHEST):
        return None
    letters: tuple[Letter, ...] = ()
    if wide:
        letters = tuple(_letters(svg, wide, left, top))
        svg = _PLACE.sub("", svg)
    return Drawing(svg, width, height, max(0.0, top + height), letters)


def _letters(svg: str, wide: str, left: float, top: float) -> Iterator[Letter]:
    for shape, number in _PLACE.findall(svg):
        places = [float(found) for found in _NUMBER.findall(shape)]
        xs, ys = places[::2], places[1::2]
        em = (max(ys) - min(ys)) / _STAND_IN_HEIGHT
        which = int(number, 16)
        if which < len(wide):
            yield Letter(wide[which], min(xs) - _STAND_IN_LEFT * em - left, max(ys) - _STAND_IN_BELOW * em - top, em)


def _depth(tex: str) -> int:
    depth = deepest = 0
    for char in tex:
        depth += (char == "{") - (char == "}")
        deepest = max(deepest, depth)
    return deepest + tex.count(r"\left") // 4


def _swallows_errors(frame: FrameType) -> bool:
    """Whether Python may ignore what is raised here: it does so where it closes a generator or deletes an object.

    The limit would be gone with it, because a tracer that raised is removed.
    """
    return bool(frame.f_code.co_flags & inspect.CO_GENERATOR) or frame.f_code.co_name == "__del__"


def _begin_limit(seconds: float) -> Any:
    """End the work of this thread after so much of its processor time; returns the tracer of before.

    The window must not wait for the interpreter meanwhile: each of its calls into Qt would be in
    line for a whole switch interval. So the thread steps aside after every fraction of a millisecond.
    """
    until, calls = time.thread_time() + seconds, 0
    steps_aside = threading.current_thread() is not threading.main_thread()

    def each_call(frame: FrameType, _event: str, _arg: Any) -> None:
        nonlocal calls
        calls += 1
        if calls % _CALLS == 0:
            if time.thread_time() > until:
                if _swallows_errors(frame):
                    calls -= 1
                    return
                raise _TooLong
            if steps_aside:
                time.sleep(_ASIDE)

    before = sys.gettrace()
    sys.settrace(each_call)
    return before
