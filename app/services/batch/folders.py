"""The folder a question works in: a copy of the one it names, so that no question sees what another has changed."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import Final

MOST_FILES: Final = 200
LONGEST_FILE: Final = 100_000
"""Bytes of a changed file that an answer holds."""


class FolderCopy:
    def __init__(self, place: Path, root: Path, files: dict[str, bytes]) -> None:
        self._place, self.root, self._files = place, root, files

    @classmethod
    async def of(cls, folder: str) -> FolderCopy:
        """Raises OSError."""
        return await asyncio.to_thread(cls._copied, folder)

    @classmethod
    def _copied(cls, folder: str) -> FolderCopy:
        place = Path(tempfile.mkdtemp(prefix="triptych-batch-")).resolve()
        root = place / (Path(folder).resolve().name or "folder")
        try:
            shutil.copytree(folder, root, symlinks=True)
            return cls(place, root, _contents(root))
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise

    async def changes(self) -> dict[str, str | None]:
        """By path the text of each file that is new or changed; None: it is gone. At most `MOST_FILES`."""
        now = await asyncio.to_thread(_contents, self.root)
        paths = [path for path in sorted(self._files.keys() | now.keys()) if self._files.get(path) != now.get(path)]
        return {
            path: now[path][:LONGEST_FILE].decode("utf-8", "replace") if path in now else None
            for path in paths[:MOST_FILES]
        }

    async def remove(self) -> None:
        await asyncio.to_thread(shutil.rmtree, self._place, ignore_errors=True)


def _contents(root: Path) -> dict[str, bytes]:
    """Every file below, by its path with forward slashes; links are not followed."""
    paths = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
