"""Ids of our own: ULIDs, sortable by the moment they were made, unique without asking anyone.

What belongs to a temporary session has a mark before its id, so that everybody who is handed one
knows that nothing of it may reach the disk.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TEMPORARY = "temporary-"


def new_id(beside: str = "") -> str:
    """26 characters: 48 bits of milliseconds, 80 random bits. `beside` a temporary id it is temporary, too."""
    number = (int(time.time() * 1000) & (1 << 48) - 1) << 80 | int.from_bytes(os.urandom(10))
    id = "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
    return TEMPORARY + id if is_temporary(beside) else id


def new_ids(beside: str = "") -> Iterator[str]:
    """`new_id` as often as it is wanted."""
    while True:
        yield new_id(beside)


def is_temporary(id: str) -> bool:
    """Of a session that is never stored, or of a message or run in one."""
    return id.startswith(TEMPORARY)
