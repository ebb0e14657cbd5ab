"""What of the folder was read, with size, time and check sum: so that an unchanged file is not read again, and one that
somebody else changed is known. It holds nothing that the files do not; without it everything is read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

PATH = ".novel/index.json"
VERSION = 1
Change = Literal["added", "changed", "removed"]


@dataclass(frozen=True, slots=True)
class Seen:
    size: int
    changed: float
    sha: str
    words: int = 0


@dataclass(slots=True)
class Index:
    files: dict[str, Seen] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        rows = {path: [one.size, one.changed, one.sha, one.words] for path, one in sorted(self.files.items())}
        return json.dumps({"version": VERSION, "files": rows}, ensure_ascii=False, indent=0).encode()

    def changes(self, now: Mapping[str, Seen]) -> dict[str, Change]:
        """Since the index was written; only contents count, not times."""
        changes: dict[str, Change] = {}
        for path, one in now.items():
            before = self.files.get(path)
            if before is None:
                changes[path] = "added"
            elif before.sha != one.sha:
                changes[path] = "changed"
        return changes | {path: "removed" for path in self.files if path not in now}


def read_index(data: bytes | None) -> Index:
    """Empty for what is damaged or of another version: it is made anew."""
    if data is None:
        return Index()
    try:
        body = json.loads(data)
        if body["version"] != VERSION:
            return Index()
        return Index({path: Seen(int(row[0]), float(row[1]), str(row[2]), int(row[3])) for path, row in _rows(body)})
    except (ValueError, KeyError, TypeError, IndexError):
        return Index()


def _rows(body: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    files: Mapping[str, Any] = body["files"]
    return files.items()
