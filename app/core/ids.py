"""Ids of our own: ULIDs, sortable by the moment they were made, unique without asking anyone."""

from __future__ import annotations

import secrets
import time

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_id() -> str:
    """26 characters: 48 bits of milliseconds, 80 random bits."""
    number = (int(time.time() * 1000) & (1 << 48) - 1) << 80 | secrets.randbits(80)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
