"""Reading TOML that anybody may have written: whatever it is, it is read or refused soon."""

from __future__ import annotations

import re
import tomllib
from typing import Any

MOST_PARTS = 100
"""Of a dotted key. The standard library compares each part with all before it: ten thousand take seconds."""
_PART = r"""(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)"""
_LONG_KEY = re.compile(rf"""(?<![\w"'-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_PARTS}}}""")


def read_toml(text: str) -> dict[str, Any]:
    """Raises ValueError for what is no TOML, is nested too deeply, or has a key that is too long."""
    if text.count(".") >= MOST_PARTS and _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
