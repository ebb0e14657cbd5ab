"""Stores the domains and tools see: protocols, implemented in storage.

Only what exists is declared; the stores of memory and knowledge join with those rooms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Document:
    """One version of a JSON document. `version` counts from 1 per id."""

    kind: str
    id: str
    version: int
    body: Any
    created: float


class DocumentStore(Protocol):
    """Versioned JSON documents of the domains. Every write is a new version.

    One of a kind that ends with `:` and the id of a session (`source:…`), or that names it in its field `session`, goes
    when that session is deleted for good.
    """

    async def put(self, kind: str, id: str, body: Any, *, base: int | None = None) -> Document:
        """`base` is the version the change was made on; a newer one raises BadInput STALE."""

    async def get(self, kind: str, id: str, version: int | None = None) -> Document | None: ...

    async def list(self, kind: str) -> list[Document]:
        """The newest version of each, newest first."""

    async def delete(self, kind: str, id: str) -> bool: ...
