"""Patterns that a person can write without knowing regular expressions, with bounded cost.

`*` matches anything up to the end of the line (at most 200 characters), `?` one character, `#` one digit, a backslash
escapes the next sign. Every `*` is an atomic group, so hostile text cannot make the search slow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 200
"""Characters of a pattern, and of what one `*` may stand for."""
MOST_STARS = 8
_ONE = {"?": r"[^\n]", "#": r"[0-9]"}


class WrongPattern(ValueError):
    """`code`: empty, long, star_first, stars, backslash."""

    def __init__(self, code: str) -> None:
        super().__init__(f"wrong pattern: {code}")
        self.code = code


def compiled(pattern: str) -> re.Pattern[str]:
    """Finds the pattern anywhere in a text, in time that grows with the text alone. Raises WrongPattern."""
    if not pattern.strip():
        raise WrongPattern("empty")
    if len(pattern) > LONGEST:
        raise WrongPattern("long")
    if pattern.startswith("*"):
        raise WrongPattern("star_first")  # what begins anywhere would be looked for at every place
    pieces = list(_pieces(pattern))
    while len(pieces) > 1 and pieces[-1] == pieces[-2] == "*":
        pieces.pop()
    if pieces.count("*") > MOST_STARS:
        raise WrongPattern("stars")
    return re.compile(_expression(pieces))


def _pieces(pattern: str) -> Iterator[str]:
    """`*`, or the expression of one character."""
    signs = iter(pattern)
    for sign in signs:
        if sign == "\\":
            escaped = next(signs, "")
            if not escaped:
                raise WrongPattern("backslash")
            yield re.escape(escaped)
        else:
            yield "*" if sign == "*" else _ONE.get(sign) or re.escape(sign)


def _expression(pieces: list[str]) -> str:
    """Each star together with what follows it, up to the next star, is one atomic group."""
    parts: list[list[str]] = [[]]
    for piece in pieces:
        if piece == "*":
            parts.append([])
        else:
            parts[-1].append(piece)
    anything = rf"[^\n]{{0,{LONGEST}}}"
    starred = [f"(?>{anything}?{''.join(part)})" if part else f"(?>{anything})" for part in parts[1:]]
    return "".join(parts[0]) + "".join(starred)
