"""Keys in a file only the user can read: where there is no keyring, and the person agreed to it."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from ..folder.errors import FolderUnusable
from ..folder.files import put_aside, write_atomically
from ..folder.json_file import UnreadableJson, read_object
from ..folder.private import PRIVATE_FILE, make_private


class KeyFile:
    """Read again each time: two processes may use it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def names(self) -> list[str]:
        return list(self._read())

    def get(self, name: str) -> str | None:
        return self._read().get(name)

    def set(self, name: str, key: str | None) -> None:
        """None removes it; the file goes with its last key."""
        keys = self._read()
        if keys.get(name) == key:
            return
        if key is None:
            del keys[name]
        else:
            keys[name] = key
        if keys:
            write_atomically(self._path, json.dumps(keys, indent=1).encode())
        else:
            self._path.unlink(missing_ok=True)

    def _read(self) -> dict[str, str]:
        try:
            facts = self._path.lstat()
        except FileNotFoundError:
            return {}
        if not stat.S_ISREG(facts.st_mode):
            raise FolderUnusable(f"{self._path} is not a plain file", path=str(self._path))
        make_private(self._path, PRIVATE_FILE)
        try:
            body = read_object(self._path)
        except UnreadableJson:
            put_aside(self._path)
            return {}
        return {name: key for name, key in body.items() if isinstance(key, str)}
