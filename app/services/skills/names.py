"""Names of the files of a skill: such as all three systems hold, and as they look."""

from __future__ import annotations

import unicodedata

from app.core.errors import ToolError
from app.core.skills import refused
from app.core.system.file_names import check_new_name
from app.core.text.hidden import without_hidden

LONGEST_PATH = 300
DEEPEST = 8
"""Names of a path."""


def check_names(path: str) -> None:
    """Raises BadInput for a name that one of the three systems cannot hold, or that does not look like what it is."""
    names = path.split("/")
    if len(path) > LONGEST_PATH or len(names) > DEEPEST:
        raise refused("SKILL_NAMES")
    for name in names:
        try:
            check_new_name(name)
        except ToolError as fault:
            raise refused("SKILL_NAMES") from fault
        if without_hidden(name)[1]:
            raise refused("SKILL_NAMES")


def alike(path: str) -> str:
    """Two of one such form are one file on some systems."""
    return unicodedata.normalize("NFC", path).casefold()
