"""Whether words occur in a text, ignoring width, case, white space, quotation marks and what an ellipsis skips."""

from __future__ import annotations

import re
import unicodedata

_LEFT_OUT = re.compile(r"\.{3,}|…+|\[\.{3}\]|\[…\]")
_MARKS = str.maketrans(
    {**dict.fromkeys('“”„‟«»「」『』"', "'"), **dict.fromkeys("‘’‚‛`´", "'"), **dict.fromkeys("–—‒−‐‑", "-")}
)


def stands_in(quote: str, text: str) -> bool:
    """Piece by piece in this order, where what is quoted leaves something out."""
    pieces = [piece for part in _LEFT_OUT.split(quote) if (piece := _bare(part).strip("'.,;:!?。，；：！？"))]
    if not pieces:
        return False
    whole, at = _bare(text), 0
    for piece in pieces:
        place = whole.find(piece, at)
        if place < 0:
            return False
        at = place + len(piece)
    return True


def _bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().translate(_MARKS).split())
