"""The permissions of our files and folders: only their owner can read them."""

from __future__ import annotations

import sys
from pathlib import Path

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


def make_private(path: Path, mode: int) -> None:
    """On Windows the user's profile is private already, and chmod knows the read-only bit alone."""
    if sys.platform != "win32" and (path.stat().st_mode & 0o777) != mode:
        path.chmod(mode)
