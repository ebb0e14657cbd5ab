"""What a change changes, line by line, as hunks a person can take or leave one by one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import SequenceMatcher

_MOST_LINES = 4_000
"""Lines of both texts that are compared; longer ones are one hunk between what is equal at both ends."""


@dataclass(frozen=True, slots=True)
class Hunk:
    line: int
    """Of the old text, from 1."""
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Diff:
    pieces: tuple[str | Hunk, ...]
    """The whole: what stays as text, what changes as hunks."""

    @property
    def hunks(self) -> list[Hunk]:
        return [piece for piece in self.pieces if isinstance(piece, Hunk)]

    @property
    def counts(self) -> tuple[int, int]:
        """Lines that come and lines that go."""
        return sum(_lines(hunk.new) for hunk in self.hunks), sum(_lines(hunk.old) for hunk in self.hunks)

    def taken(self, numbers: Collection[int]) -> str:
        """The text with the hunks of these numbers (from 0) and without the others."""
        parts, number = [], 0
        for piece in self.pieces:
            if isinstance(piece, str):
                parts.append(piece)
            else:
                parts.append(piece.new if number in numbers else piece.old)
                number += 1
        return "".join(parts)


def diff_of(old: str, new: str, first_line: int = 1) -> Diff:
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    inner_old, inner_new = before[head : len(before) - tail], after[head : len(after) - tail]
    pieces: list[str | Hunk] = ["".join(before[:head])]
    if len(inner_old) + len(inner_new) > _MOST_LINES:
        pieces.append(Hunk(first_line + head, "".join(inner_old), "".join(inner_new)))
    else:
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, inner_old, inner_new, autojunk=False).get_opcodes():
            if tag == "equal":
                pieces.append("".join(inner_old[i1:i2]))
            else:
                pieces.append(Hunk(first_line + head + i1, "".join(inner_old[i1:i2]), "".join(inner_new[j1:j2])))
    pieces.append("".join(before[len(before) - tail :]) if tail else "")
    return Diff(tuple(piece for piece in pieces if piece != ""))


def _common(one: list[str], other: list[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _lines(text: str) -> int:
    return text.count("\n") + (bool(text) and not text.endswith("\n"))
