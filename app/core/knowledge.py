"""Knowledge bases as data: documents of the person, cut into passages that can be found and quoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

SUFFIXES = (
    ".txt", ".md", ".markdown", ".rst", ".log", ".html", ".htm", ".xhtml", ".pdf", ".docx", ".xlsx", ".xls", ".ods",
    ".pptx", ".epub", ".csv", ".tsv", ".eml", ".json", ".toml", ".yaml", ".yml", ".tex",
)  # fmt: skip
"""Names of files that are read; others in a folder are passed over."""


KNOWLEDGE_TOOLS = ("search_documents", "read_document")
"""Offered to an agent whose profile names a knowledge base, and to no other."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of one document, as it stands in it."""

    text: str
    page: int = 0
    """Page of a PDF or slide of a presentation, from 1; 0 = it has none."""
    sheet: str = ""
    row: int = 0
    """First row of a sheet or table, from 1."""
    heading: str = ""
    """Headings it stands under, outermost first, joined by " › "."""


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    id: str
    name: str
    sources: tuple[str, ...] = ()
    """Absolute paths of folders and files."""
    created: float = 0.0


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a base as it was last read. `error` is a code of `wording/knowledge.py`; "" = it was read."""

    n: int
    base: str
    path: str
    hash: str = ""
    size: int = 0
    changed: float = 0.0
    read: float = 0.0
    error: str = ""
    passages: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that fits a question; best first. `id` is what `read_document` takes."""

    id: str
    base: str
    path: str
    place: int
    """Number of the passage within its document, from 0."""
    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class Completion:
    """What an @ in the composer may be completed to: `insert` replaces it and what was typed after it."""

    insert: str
    name: str
    detail: str = ""


class Knowledge(Protocol):
    """What tools see of it (`ToolContext.resources["knowledge"]`)."""

    async def search(self, bases: Sequence[str], query: str, limit: int, *, folder: str = "") -> list[Hit]: ...

    async def read(self, bases: Sequence[str], id: str, start: int, characters: int) -> tuple[str, int]:
        """Text of a document from a character on, and how long it is altogether."""

    async def known(self, bases: Sequence[str]) -> list[KnowledgeBase]: ...
