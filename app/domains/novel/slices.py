"""A chapter too long to be edited at once, as several texts: cut between paragraphs, put together again as it was.

Where the cuts lie is remembered while the program runs, so that a text that grows does not push its end into the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from .store.versions import sha_of

LONGEST = 100_000
"""Characters of a chapter from which on it is divided."""
_SIZE = 50_000
_MARK = "~"


def named(chapter: str, number: int) -> str:
    """The id of a slice; the first one has that of the chapter."""
    return f"{chapter}{_MARK}{number + 1}" if number else chapter


def read_id(id: str) -> tuple[str, int]:
    """Chapter, and place of the slice from 0 on."""
    chapter, mark, number = id.rpartition(_MARK)
    return (chapter, int(number) - 1) if mark and number.isdecimal() and int(number) > 1 else (id, 0)


@dataclass
class Slices:
    """Of the chapters of every folder."""

    _lengths: dict[tuple[Path, str], list[int]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    """Texts are read and saved in threads."""

    def of(self, folder: Path, chapter: str, text: str) -> list[tuple[int, int]]:
        """Start and end of each slice; one where the text is short."""
        with self._lock:
            lengths = self._lengths.get((folder, chapter))
            if lengths is None or sum(lengths) != len(text):
                lengths = list(_cut(text)) if len(text) > LONGEST else [len(text)]
                if len(lengths) > 1:
                    self._lengths[folder, chapter] = lengths
                else:
                    self._lengths.pop((folder, chapter), None)
        starts = [sum(lengths[:n]) for n in range(len(lengths))]
        return [(start, start + length) for start, length in zip(starts, lengths, strict=True)]

    def place(self, folder: Path, chapter: str, number: int, text: str, base: str) -> tuple[int, int] | None:
        """Where the slice whose sum is `base` stands in the chapter as it is now; None: others have changed it."""
        with self._lock:
            lengths = list(self._lengths.get((folder, chapter), ()))
        if number >= len(lengths):
            pairs = self.of(folder, chapter, text)
            candidates = [pairs[number]] if number < len(pairs) else []
        else:
            start, behind = sum(lengths[:number]), sum(lengths[number + 1 :])
            candidates = [(start, start + lengths[number]), (len(text) - behind - lengths[number], len(text) - behind)]
        return next((one for one in candidates if one[0] >= 0 and sha_of(text[slice(*one)]) == base), None)

    def replaced(self, folder: Path, chapter: str, number: int, place: tuple[int, int], new: int, whole: int) -> None:
        """The slice at `place` has become `new` characters long; `whole`: of the chapter before."""
        with self._lock:
            lengths = self._lengths.get((folder, chapter))
            if lengths is None or number >= len(lengths):
                return
            # What others have made longer or shorter around it belongs to its neighbours.
            before, behind = place[0] - sum(lengths[:number]), whole - place[1] - sum(lengths[number + 1 :])
            lengths[number] = new
            if number:
                lengths[number - 1] += before
            if number + 1 < len(lengths):
                lengths[number + 1] += behind


def _cut(text: str) -> Iterator[int]:
    """Lengths of pieces that end behind a paragraph where one does so in reach."""
    at = 0
    while len(text) - at > _SIZE * 3 // 2:
        end = text.find("\n", at + _SIZE, at + _SIZE * 3 // 2)
        end = end + 1 if end >= 0 else at + _SIZE
        yield end - at
        at = end
    yield len(text) - at
