"""Changes of a chapter proposed one by one: each found exactly once, each accepted or not by itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

HunkState = Literal["pending", "NOT_FOUND", "AMBIGUOUS", "OVERLAP", "NO_CHANGE"]


@dataclass(slots=True)
class Edit:
    find: str
    replace: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EditHunk:
    id: str
    edit: Edit
    state: HunkState
    start: int = -1
    places: int = 0
    """How often the text stands there."""

    @property
    def end(self) -> int:
        return self.start + len(self.edit.find)


def hunks_of(text: str, edits: Sequence[Edit]) -> list[EditHunk]:
    hunks: list[EditHunk] = []
    for number, edit in enumerate(edits, 1):
        id, places = str(number), text.count(edit.find) if edit.find else 0
        start = text.find(edit.find) if places == 1 else -1
        state: HunkState = "pending"
        if places != 1:
            state = "AMBIGUOUS" if places > 1 else "NOT_FOUND"
        elif edit.find == edit.replace:
            state = "NO_CHANGE"
        elif any(one.state == "pending" and start < one.end and one.start < start + len(edit.find) for one in hunks):
            state = "OVERLAP"
        hunks.append(EditHunk(id, edit, state, start, places))
    return hunks


def applied(text: str, hunks: Sequence[EditHunk], wanted: Collection[str] | None = None) -> str:
    """With the pending hunks of these ids, or with all of them; every other sign stays as it is."""
    pieces, last = [], 0
    chosen = [one for one in hunks if one.state == "pending" and (wanted is None or one.id in wanted)]
    for hunk in sorted(chosen, key=lambda one: one.start):
        pieces += [text[last : hunk.start], hunk.edit.replace]
        last = hunk.end
    return "".join([*pieces, text[last:]])
