"""How a server's tool is called here: `server__tool`, made by us, never taken from a title.

Every provider takes letters, digits, `_` and `-`, at most 64 of them.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

LONGEST: Final = 64
_VALID = re.compile(r"[A-Za-z0-9_.\-]{1,128}")
_ALIKE: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "-": "_", ".": "_"})


def is_tool_name(name: object) -> bool:
    """The protocol's own rule for names; anything else is left out and named."""
    return isinstance(name, str) and _VALID.fullmatch(name) is not None


def local_name(server: str, tool: str) -> str:
    whole = f"{server}__{tool.replace('.', '_')}"
    if len(whole) <= LONGEST:
        return whole
    mark = hashlib.sha256(tool.encode()).hexdigest()[:8]
    return f"{whole[: LONGEST - 9]}_{mark}"


def looks_like(name: str) -> str:
    """The same for names a reader could take for one another."""
    return name.casefold().translate(_ALIKE)
