"""Knowledge bases as data: documents of the person, cut into passages that can be found and quoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .errors import TriptychError

SUFFIXES = (
    ".txt", ".md", ".markdown", ".rst", ".log", ".html", ".htm", ".xhtml", ".pdf", ".docx", ".xlsx", ".xls", ".ods",
    ".pptx", ".epub", ".csv", ".tsv", ".eml", ".json", ".toml", ".yaml", ".yml", ".tex",
)  # fmt: skip
"""Names of files that are read; others in a folder are skipped."""


KNOWLEDGE_TOOLS = ("search_documents", "read_document")
"""Offered to an agent whose profile names a knowledge base, and to no other."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of the text of one document."""

    text: str
    page: int = 0
    """Page of a PDF or slide of a presentation, from 1; 0 = it has none."""
    sheet: str = ""
    row: int = 0
    """First row of a sheet or table, from 1."""
    heading: str = ""
    """Headings it is under, outermost first, joined by " › "."""


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    passage: Passage
    words: str | None = None
    """What the index is given; None = the text as it is."""


SERVER = "server:"
"""The ids of bases on a server begin so."""


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    id: str
    name: str
    sources: tuple[str, ...] = ()
    """Absolute paths of folders and files."""
    created: float = 0.0
    watched: bool = False
    """Changes in its folders are read by themselves."""

    @property
    def is_shared(self) -> bool:
        """Whether it is on the server."""
        return self.id.startswith(SERVER)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a base when it was last read. `error` is a code of `wording/knowledge.py`; "" = it was read."""

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
class PagePicture:
    """A page as it is printed. `boxes` are left, top, right and bottom of what is looked for on it, in pixels."""

    width: int
    height: int
    pixels: bytes
    """RGBX, row by row."""
    boxes: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """What an @ in the composer may be completed to: `insert` replaces it and what was typed after it."""

    insert: str
    name: str
    detail: str = ""


class Embedder(Protocol):
    """A model that turns texts into vectors. `ref` is provider/model."""

    ref: str

    async def embed(self, texts: Sequence[str], *, seconds: float = 60.0, tries: int = 4) -> list[bytes]:
        """One vector of unit length per text, float32; all of one length. Raises a `ModelError`."""


class Reranker(Protocol):
    ref: str

    async def order(self, query: str, texts: Sequence[str]) -> list[int]:
        """The places of the texts, best first. Raises a `ModelError`."""


class Knowledge(Protocol):
    """What tools see of it (`ToolContext.resources["knowledge"]`)."""

    @property
    def fault(self) -> TriptychError | None:
        """Why the last search went by words alone although a model is set."""

    async def search(self, bases: Sequence[str], query: str, limit: int, *, folder: str = "") -> list[Hit]: ...

    async def read(self, bases: Sequence[str], id: str, start: int, characters: int) -> tuple[str, int]:
        """Text of a document from a character on, and how long it is altogether."""

    async def known(self, bases: Sequence[str]) -> list[KnowledgeBase]: ...
