"""A draft against the chapter it is for, paragraph by paragraph: each can be taken or left by itself.

A hunk is known by the paragraph of the draft it brings (`n3`), or by the paragraph of the chapter it takes out: so its
id stays the same while others are accepted one after the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class ParagraphHunk:
    id: str
    line: int
    """In the chapter, from 1."""
    old: str
    new: str


def paragraph_hunks(old: str, new: str) -> list[ParagraphHunk]:
    return [hunk for hunk in _pieces(old, new) if isinstance(hunk, ParagraphHunk)]


def with_paragraphs(old: str, new: str, wanted: Collection[str]) -> str:
    """`old` with these hunks only."""
    lines: list[str] = []
    for piece in _pieces(old, new):
        if isinstance(piece, str):
            lines.append(piece)
        elif piece.id in wanted:
            lines += [piece.new] if piece.new else []
        else:
            lines += [piece.old] if piece.old else []
    text = "\n".join(lines)
    return text if text.strip() else ""


def _pieces(old: str, new: str) -> list[str | ParagraphHunk]:
    """Lines that stay, and hunks, in the order of the text. Empty lines belong to nobody and follow the old text."""
    before, after = old.split("\n") if old else [], new.split("\n") if new else []
    pieces: list[str | ParagraphHunk] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces += before[i1:i2]
            continue
        for place in range(max(i2 - i1, j2 - j1)):
            gone = before[i1 + place] if i1 + place < i2 else ""
            come = after[j1 + place] if j1 + place < j2 else ""
            if not gone.strip() and not come.strip():
                pieces.append(come if j1 + place < j2 else gone)
                continue
            id = f"n{j1 + place + 1}" if come.strip() else f"o{_mark(gone)}"
            pieces.append(ParagraphHunk(id, i1 + place + 1, gone, come))
    return pieces


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
