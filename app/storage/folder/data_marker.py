"""The marker file: what the database held, written beside it.

SQLite opens an emptied file without an error, and it looks like a first start. The marker tells the difference.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from .files import write_atomically
from .json_file import UnreadableJson, read_object


@dataclass(frozen=True, slots=True)
class Marker:
    messages: int = 0
    highest: int = 0
    """The highest number a message ever had; it never shrinks, whatever is deleted."""
    clean: float | None = None
    """When the database was last closed in order; seconds since 1970."""


def read_marker(path: Path) -> Marker | None:
    """None if there is none. A damaged marker still says that there was one."""
    try:
        body = read_object(path)
        clean = body.get("clean")
        return Marker(int(body["messages"]), int(body["highest"]), None if clean is None else float(clean))
    except FileNotFoundError:
        return None
    except (OSError, UnreadableJson, ValueError, KeyError, TypeError):
        return Marker()


def write_marker(path: Path, marker: Marker) -> None:
    write_atomically(path, json.dumps({"format": 1, **asdict(marker)}).encode())


def was_used(path: Path) -> bool:
    """Whether the database beside the marker has ever held a message. A missing one is `Database.open`'s matter."""
    marker = read_marker(path)
    return marker is not None and marker.highest > 0
