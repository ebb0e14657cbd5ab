"""The token of the local API: a file of its own that only its owner can read."""

from __future__ import annotations

import secrets
from pathlib import Path

from ..folder.files import write_atomically
from ..folder.private import PRIVATE_FILE, make_private

_SHORTEST = 16


class ApiTokenFile:
    def __init__(self, path: Path) -> None:
        self.path = path

    def read_or_make(self) -> str:
        """The token; a new one where there is none, or one so short that it could be guessed.

        Raises DiskFull or FolderUnusable.
        """
        try:
            make_private(self.path, PRIVATE_FILE)
            token = self.path.read_text("ascii").strip()
        except (OSError, ValueError):
            token = ""
        return token if len(token) >= _SHORTEST else self.renew()

    def renew(self) -> str:
        """Raises DiskFull or FolderUnusable."""
        token = secrets.token_urlsafe(32)
        write_atomically(self.path, f"{token}\n".encode())
        return token
