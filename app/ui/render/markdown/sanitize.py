"""Text made fit for Qt's layout, without changing what it says; what turns its order round is written out.

Qt needs more than ten seconds for 200,000 characters without a break, and gives some code points
a meaning of its own. The copy of a message is taken from its source, never from here.
"""

from __future__ import annotations

import re

from app.core.text.hidden import bidi_marked

RUN = 100
"""An unbroken run is given a place to break after so many characters."""

LONGEST_LINE = 2_000
"""In plain views and code; Qt lays out a line again as a whole when it grows."""

_FOLD_FROM = 4_000
_BREAK = "\u200b"
# One character class per pattern, each counted: linear on every input.
_LONG_RUN = re.compile(rf"\S{{{RUN}}}(?=\S)")
_BROKEN_RUN = re.compile(rf"(\S{{{RUN}}}){_BREAK}")
_LONG_DATA = re.compile(rf"[A-Za-z0-9+/=_-]{{{_FOLD_FROM},}}")
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{9,}")
_MARKS_KEPT = 8
# Block separator and frame marks of QTextDocument, the object placeholder, controls, lone surrogates.
_SPECIAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2029\ufdd0\ufdd1\ufffc\ud800-\udfff]")


def displayable(text: str) -> str:
    """The text as it may enter a QTextDocument."""
    if text.isascii():
        if len(text) <= RUN and text.isprintable():
            return text
    else:
        text = bidi_marked(_MARKS.sub(lambda found: found.group()[:_MARKS_KEPT], text))
    text = _SPECIAL.sub("\ufffd", text)
    if len(text) > RUN:
        if len(text) >= _FOLD_FROM:
            text = fold_data(text)
        text = _LONG_RUN.sub(lambda found: found.group() + _BREAK, text)
    return text


def fold_data(text: str) -> str:
    """Long runs of base64 and the like as their beginning, size and end: nobody reads them (M22)."""
    return _LONG_DATA.sub(_folded, text)


def _folded(found: re.Match[str]) -> str:
    data = found.group()
    return f"{data[:24]}…⟦{max(1, len(data) // 1000)} kB⟧…{data[-8:]}"


def without_breaks(text: str) -> str:
    """Undo the breaks of `displayable` in a selection that is copied."""
    return _BROKEN_RUN.sub(r"\1", text) if _BREAK in text else text


def plain_lines(text: str, *, column: int = 0) -> str:
    """The text for a view that does not wrap: overlong lines continue on the next one.

    `column`: where in its line the text begins, if it continues one that is shown already.
    """
    text = bidi_marked(_SPECIAL.sub("\ufffd", text.replace("\r\n", "\n")))
    if column + len(text) <= LONGEST_LINE:
        return text
    first, *others = text.split("\n")
    room = max(0, LONGEST_LINE - column)
    pieces = [first[:room], *_pieces(first[room:])] if len(first) > room else [first]
    return "\n".join([*pieces, *(piece for line in others for piece in _pieces(line) or [""])])


def _pieces(line: str) -> list[str]:
    return [line[start : start + LONGEST_LINE] for start in range(0, len(line), LONGEST_LINE)]
