"""Small JSON files beside the data, read so that no content can stop the program.

Very deep brackets, huge numbers, a pipe in place of the file: each is a file that cannot be read; the caller decides
what that means.
"""

from __future__ import annotations

import json
import math
import stat
from pathlib import Path
from typing import Any

LARGEST = 1024 * 1024
"""Bytes."""
_LONGEST_NUMBER = 18
"""Digits of a whole number: what fits into 64 bits."""


class UnreadableJson(Exception):
    """It is there, and is not what we wrote."""


def read_object(path: Path) -> dict[str, Any]:
    """Raises OSError, and Unreadable for what is no object in JSON. Every number in it is finite."""
    facts = path.stat()
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > LARGEST:
        raise UnreadableJson(str(path))
    data = path.read_bytes()
    try:
        body = json.loads(data, parse_constant=_no_number, parse_float=_finite, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        raise UnreadableJson(str(path)) from error
    if not isinstance(body, dict):
        raise UnreadableJson(str(path))
    return body


def _no_number(word: str) -> float:
    raise ValueError(word)


def _finite(word: str) -> float:
    value = float(word)
    return value if math.isfinite(value) else _no_number(word)


def _whole(word: str) -> int:
    return int(word) if len(word.lstrip("-")) <= _LONGEST_NUMBER else int(_no_number(word))
