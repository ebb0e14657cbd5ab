"""References of a plan's arguments to the results of earlier steps."""

from __future__ import annotations

HIGHEST_STEP = 24
"""A plan has at most 12 steps; a new plan in the same run continues counting."""


def parse_reference(text: str) -> tuple[int, tuple[str, ...]] | None:
    """`"$2.data.items.0.id"` → (2, ("data", "items", "0", "id")); None if it is an ordinary string.

    A price is one: `$50` and `$1.50` refer to nothing.
    """
    if not text.startswith("$"):
        return None
    head, *path = text[1:].split(".")
    if not head.isascii() or not head.isdigit() or len(head) > 3:
        return None
    if int(head) > HIGHEST_STEP or (path and path[0].isdigit()):
        return None
    return int(head), tuple(path)
