"""Where knowledge bases are kept: on this computer (`app/storage/knowledge`) or on a server that several people use
(`app/storage/knowledge/server`), by the same calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from .knowledge import IndexedPassage, KnowledgeBase, Passage, SourceFile

Found = dict[int, tuple[str, str, int, Passage]]
"""By number: base, path, place and passage."""


class PassageStore(Protocol):
    """Bases, their files and passages, found by words. Raises `TriptychError`."""

    async def bases(self) -> list[KnowledgeBase]: ...

    async def put_base(self, base: KnowledgeBase) -> None: ...

    async def remove_base(self, id: str) -> None:
        """With all its files and passages."""

    async def files(self, base: str) -> list[SourceFile]: ...

    async def put_files(self, files: Sequence[tuple[SourceFile, Sequence[IndexedPassage]]]) -> None:
        """Each with its passages in place of what was read of it before, all in one transaction."""

    async def remove_files(self, numbers: Sequence[int]) -> None: ...

    async def note_unchanged(self, n: int, changed: float, size: int) -> None: ...

    async def search(self, bases: Sequence[str], words: Sequence[str], limit: int, folder: str = "") -> Found:
        """Passages that hold any of the words, best first; a Chinese word is a pair or a single character."""

    async def passages(self, numbers: Iterable[int]) -> Found: ...

    async def document(self, bases: Sequence[str], path: str) -> list[Passage]:
        """All passages of a file, in their order; of several bases that have it, the first."""


class PassageVectorStore(Protocol):
    """Vectors of passages, each with the model that made it. Raises `TriptychError`."""

    async def dimension(self, ref: str) -> int:
        """Of the model's vectors that are stored; 0 = there are none."""

    async def missing(self, base: str, ref: str, dimension: int, after: int, limit: int) -> list[tuple[int, str]]:
        """Passages from a number on that have no such vector, with their headings and text."""

    async def counts(self, base: str, ref: str, dimension: int) -> tuple[int, int]:
        """How many passages have such a vector, and how many there are."""

    async def put(self, ref: str, dimension: int, vectors: Iterable[tuple[int, bytes]]) -> None:
        """In place of those the passages had. A passage that is gone meanwhile gets none."""

    async def search(
        self, bases: Sequence[str], ref: str, vector: bytes, limit: int, folder: str = ""
    ) -> list[tuple[int, float]]:
        """Passages nearest to a vector of the same model and length, with the cosine of the angle, nearest first."""
