"""The title a session gets from its first question, until the person gives it a better one."""

from __future__ import annotations

from ..db.encoding import one_line

LIMIT = 48


def title_from(text: str) -> str:
    """The first line with words in it, cut at a word where there are words."""
    first = next((line for line in text[:2000].splitlines() if line.strip(" \t#>*-`")), "")
    line = one_line(first.strip(" \t#>*-`"), LIMIT + 1)
    if len(line) <= LIMIT:
        return line
    cut = line[:LIMIT]
    head, space, _rest = cut.rpartition(" ")
    return f"{head if space and len(head) > LIMIT // 2 else cut}…"
