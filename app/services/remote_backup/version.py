"""A version: which pieces make the database and the files of one moment, and which sessions are in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from app.core.errors import DataDamaged

FORMAT, VERSION = "triptych.backup", 1


@dataclass(frozen=True, slots=True)
class ListedSession:
    id: str
    title: str
    updated: float


@dataclass(frozen=True, slots=True)
class ListedItem:
    """Something beside the sessions. `kind`: settings, provider, agent, skill, knowledge."""

    kind: str
    id: str
    title: str
    state: str
    """A hash of its content: the same where nothing differs."""


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version at the place; its name says whose it is and when it was made."""

    name: str
    computer: str
    stamp: str


@dataclass(frozen=True, slots=True)
class BackupVersion:
    computer: str
    """An id; `name` is for people."""
    name: str
    made: float
    size: int
    """Bytes of the database."""
    database: Sequence[str]
    """Names of its pieces, in order."""
    files: Mapping[str, Sequence[str]]
    """Of each attached file, by its hash."""
    sessions: Sequence[ListedSession]
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Pieces of the files beside the sessions, by name; versions made before they were in it have none."""
    items: Sequence[ListedItem] = ()
    """What is in those."""

    @property
    def pieces(self) -> set[str]:
        listed = (*self.files.values(), *self.others.values())
        return {*self.database, *(piece for pieces in listed for piece in pieces)}

    def to_bytes(self) -> bytes:
        body = {
            "format": FORMAT, "version": VERSION, "computer": self.computer, "name": self.name, "made": self.made,
            "size": self.size, "database": list(self.database),
            "files": {ref: list(pieces) for ref, pieces in self.files.items()},
            "sessions": [[one.id, one.title, one.updated] for one in self.sessions],
            "others": {name: list(pieces) for name, pieces in self.others.items()},
            "items": [list(astuple(one)) for one in self.items],
        }  # fmt: skip
        return json.dumps(body).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> BackupVersion:
        """Raises DataDamaged."""
        try:
            body: Any = json.loads(data)
            if body["format"] != FORMAT or body["version"] != VERSION:
                raise DataDamaged("the backup was made by a newer version", reason="BACKUP_NEWER")
            files = {str(ref): [str(one) for one in pieces] for ref, pieces in body["files"].items()}
            sessions = [ListedSession(str(id), str(title), float(updated)) for id, title, updated in body["sessions"]]
            listed = body.get("items", ())
            others = {str(name): [str(one) for one in pieces] for name, pieces in body.get("others", {}).items()}
            items = [ListedItem(str(kind), str(id), str(title), str(state)) for kind, id, title, state in listed]
            return cls(
                str(body["computer"]), str(body["name"]), float(body["made"]), int(body["size"]),
                [str(one) for one in body["database"]], files, sessions, others, items,
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataDamaged("the backup cannot be read", reason="BACKUP_PIECE") from error
