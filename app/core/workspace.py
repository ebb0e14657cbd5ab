"""The folder a person picked for a session, as its tools get it beside `ToolContext.workspace`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

FOLDER_SEAM = "workspace"
"""Its name among `ToolContext.resources`."""


@dataclass(frozen=True, slots=True)
class FolderNotes:
    """What a folder says of itself (AGENTS.md, README): text of others, for the model to judge."""

    text: str = ""
    names: tuple[str, ...] = ()
    """Of the files it comes from."""


@dataclass(slots=True)
class ReadVersions:
    """Which version of which file a session has read: an edit is made on that and no other."""

    _known: dict[tuple[str, str], str] = field(default_factory=dict)
    most: int = 5_000

    def note(self, session: str, path: str, sha: str) -> None:
        self._known.pop((session, path), None)
        self._known[session, path] = sha
        while len(self._known) > self.most:
            del self._known[next(iter(self._known))]

    def get(self, session: str, path: str) -> str | None:
        return self._known.get((session, path))


class DocumentPassages(Protocol):
    async def passages_of(self, path: Path) -> Sequence[Any]: ...


@dataclass(frozen=True, slots=True)
class FolderSeam:
    state: Path
    """Where journals and the bin lie, in the data folder."""
    run: str
    """The outermost run: what its helpers change is undone with it."""
    versions: ReadVersions
    documents: DocumentPassages | None = None
    """Reads an office file, a PDF or the like."""
